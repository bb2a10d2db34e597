#pragma once

#include "talus/lagrange/potential_system.hpp"

namespace talus::lagrange {

/// Parameters of a point in an ellipse.
struct PointInEllipseParameters {
    double mass = 1.0;         ///< [kg], > 0
    double gravity = 0.0;      ///< [m/s^2] along -y, >= 0
    double half_width = 1.0;   ///< semi-axis a along x [m], > 0
    double half_height = 1.0;  ///< semi-axis b along y [m], > 0; equal to a: a disc
};

/// A point in a strictly convex set. Coordinates x, y [m]; gap s (1 - x^2/a^2 - y^2/b^2) / 2 with
/// s = min(a, b) [m]: near a disc's rim the distance from it.
class PointInEllipse final : public PotentialSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit PointInEllipse(const PointInEllipseParameters& parameters = {});

    int coordinate_count() const override { return 2; }
    int constraint_count() const override { return 1; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int /*a*/) const override { return GapShape::concave; }
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    bool convex_potential() const override { return true; }
    std::vector<Quantity> coordinates() const override { return {{"x", "m"}, {"y", "m"}}; }
    std::vector<Quantity> constraints() const override { return {{"rim", "m"}}; }
    Figure figure(double t, const Vector& q) const override;

private:
    PointInEllipseParameters parameters_;
    Vector weights_;  ///< (2) s/a^2 and s/b^2 [1/m]
};

}  // namespace talus::lagrange
