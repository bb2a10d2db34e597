#pragma once

#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange {

/// Parameters of a pendulum beside a wall.
struct PendulumParameters {
    double mass = 1.0;      ///< [kg], > 0
    double length = 1.0;    ///< [m], > 0
    double gravity = 9.81;  ///< [m/s^2], >= 0
    double wall = 0.0;      ///< the bob stays at x >= wall [m]; |wall| < length
};

/// A point mass on a rod beside a vertical wall. Coordinate: angle from hanging straight down [rad], positive
/// to the side of +x; gap: length sin(angle) - wall [m].
class PendulumAtWall final : public MechanicalSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit PendulumAtWall(const PendulumParameters& parameters = {});

    int coordinate_count() const override { return 1; }
    int constraint_count() const override { return 1; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override;
    Vector force(double t, const Vector& q, const Vector& v) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    std::vector<Quantity> coordinates() const override { return {{"angle", "rad"}}; }
    std::vector<Quantity> constraints() const override { return {{"wall", "m"}}; }
    Figure figure(double t, const Vector& q) const override;

private:
    PendulumParameters parameters_;
};

}  // namespace talus::lagrange
