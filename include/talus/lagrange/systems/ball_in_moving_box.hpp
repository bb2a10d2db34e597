#pragma once

#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange {

/// Parameters of a ball in a box that shakes.
struct MovingBoxParameters {
    double mass = 1.0;       ///< [kg], > 0
    double width = 1.0;      ///< room between the walls [m], > 0
    double amplitude = 0.1;  ///< of the box [m], >= 0
    double frequency = 1.0;  ///< angular [rad/s], >= 0
};

/// A point without forces between two walls at a sin(w t) and width + a sin(w t). Coordinate: position [m];
/// gaps to the lower and the upper wall [m].
class BallInMovingBox final : public MechanicalSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit BallInMovingBox(const MovingBoxParameters& parameters = {});

    int coordinate_count() const override { return 1; }
    int constraint_count() const override { return 2; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override;
    Vector force(double t, const Vector& q, const Vector& v) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_rates(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int /*a*/) const override { return GapShape::affine; }
    std::vector<Quantity> coordinates() const override { return {{"x", "m"}}; }
    std::vector<Quantity> constraints() const override { return {{"lower", "m"}, {"upper", "m"}}; }
    Figure figure(double t, const Vector& q) const override;

private:
    double shift(double t) const;

    MovingBoxParameters parameters_;
};

}  // namespace talus::lagrange
