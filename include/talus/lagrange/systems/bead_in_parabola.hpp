#pragma once

#include "talus/lagrange/potential_system.hpp"

namespace talus::lagrange {

/// Parameters of a bead in a parabola.
struct BeadInParabolaParameters {
    double mass = 1.0;       ///< [kg], > 0
    double gravity = 9.81;   ///< [m/s^2], >= 0
    double curvature = 1.0;  ///< c of the curve y = c x^2 / 2 [1/m], >= 0
};

/// A point above the parabola y = c x^2 / 2, without friction. Coordinates x, y [m], y upwards;
/// gap y - c x^2 / 2 [m], the height above the curve. K is convex.
class BeadInParabola final : public PotentialSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit BeadInParabola(const BeadInParabolaParameters& parameters = {});

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
    std::vector<Quantity> constraints() const override { return {{"curve", "m"}}; }
    Figure figure(double t, const Vector& q) const override;

private:
    BeadInParabolaParameters parameters_;
};

}  // namespace talus::lagrange
