#pragma once

#include "talus/lagrange/potential_system.hpp"

namespace talus::lagrange {

/// Parameters of a bead in a wedge.
struct BeadInWedgeParameters {
    double mass = 1.0;                      ///< [kg], > 0
    double gravity = 9.81;                  ///< [m/s^2], >= 0
    double slope = 0.78539816339744830962;  ///< angle of each side above the horizontal [rad], in (0, pi/2)
};

/// A point in an upright wedge with its edge at the origin, without friction. Coordinates x, y [m], y
/// upwards; gaps: distances from the left and from the right side [m]. With the mass as the metric the
/// normals have the cosine cos(2 slope): steeper than pi/4 the angle condition (H6) of Paoli 2010 holds at
/// the edge, flatter it fails.
class BeadInWedge final : public PotentialSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit BeadInWedge(const BeadInWedgeParameters& parameters = {});

    int coordinate_count() const override { return 2; }
    int constraint_count() const override { return 2; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int /*a*/) const override { return GapShape::affine; }
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    bool convex_potential() const override { return true; }
    std::vector<Quantity> coordinates() const override { return {{"x", "m"}, {"y", "m"}}; }
    std::vector<Quantity> constraints() const override { return {{"left", "m"}, {"right", "m"}}; }
    Figure figure(double t, const Vector& q) const override;

private:
    BeadInWedgeParameters parameters_;
    Matrix normals_;  ///< (2, 2), inner, one a row
};

}  // namespace talus::lagrange
