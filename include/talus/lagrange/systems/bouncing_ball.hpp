#pragma once

#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange {

/// Parameters of a ball over a floor.
struct BouncingBallParameters {
    double mass = 1.0;      ///< [kg], > 0
    double gravity = 9.81;  ///< [m/s^2], >= 0
};

/// A ball that falls on a floor at rest. Coordinate: height of its lowest point [m]; gap: the same.
class BouncingBall final : public MechanicalSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit BouncingBall(const BouncingBallParameters& parameters = {});

    int coordinate_count() const override { return 1; }
    int constraint_count() const override { return 1; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override;
    Vector force(double t, const Vector& q, const Vector& v) const override;
    Vector gaps(double /*t*/, const Vector& q) const override { return q; }
    Matrix gap_gradients(double /*t*/, const Vector& /*q*/) const override { return Matrix::Identity(1, 1); }
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int /*a*/) const override { return GapShape::affine; }
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    bool convex_potential() const override { return true; }
    /// Parabolas between bounces, at rest after the last. None without gravity.
    std::optional<State> closed_form(const State& start, double e, double t) const override;
    std::vector<Quantity> coordinates() const override { return {{"height", "m"}}; }
    std::vector<Quantity> constraints() const override { return {{"floor", "m"}}; }
    Figure figure(double t, const Vector& q) const override;

private:
    BouncingBallParameters parameters_;
};

}  // namespace talus::lagrange
