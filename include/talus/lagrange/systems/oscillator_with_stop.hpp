#pragma once

#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange {

/// Parameters of an oscillator with a stop.
struct OscillatorParameters {
    double mass = 1.0;       ///< [kg], > 0
    double stiffness = 1.0;  ///< k [N/m], >= 0
    double damping = 0.0;    ///< gamma [N s/m], >= 0
    double stop = 0.0;       ///< least position [m]; the spring is at rest at 0
};

/// m x'' + gamma x' + k x = 0 with x >= stop. Coordinate: x [m]; gap: x - stop [m]. With a mass of 1 kg and
/// the stop at 0 the example of Cabot and Paoli 2006, Proposition 4.5.
class OscillatorWithStop final : public MechanicalSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit OscillatorWithStop(const OscillatorParameters& parameters = {});

    int coordinate_count() const override { return 1; }
    int constraint_count() const override { return 1; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override;
    Vector force(double t, const Vector& q, const Vector& v) const override;
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double /*t*/, const Vector& /*q*/) const override { return Matrix::Identity(1, 1); }
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int /*a*/) const override { return GapShape::affine; }
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& q) const override;
    bool convex_potential() const override { return true; }
    double damping() const override { return parameters_.damping; }
    /// Cabot and Paoli 2006, Proposition 4.5, and the flight before the first impact. None if the stop is not
    /// at 0 or the damping is not below the critical one.
    std::optional<State> closed_form(const State& start, double e, double t) const override;
    std::vector<Quantity> coordinates() const override { return {{"x", "m"}}; }
    std::vector<Quantity> constraints() const override { return {{"stop", "m"}}; }
    Figure figure(double t, const Vector& q) const override;

private:
    OscillatorParameters parameters_;
};

}  // namespace talus::lagrange
