#pragma once

#include "talus/lagrange/potential_system.hpp"

namespace talus::lagrange {

/// Parameters of a cantilever beam between stops.
struct BeamParameters {
    int elements = 10;                   ///< N >= 1
    double length = 1.0;                 ///< [m], > 0
    double bending_stiffness = 1.0;      ///< E I [N m^2], > 0
    double line_mass = 1.0;              ///< rho A [kg/m], > 0
    double load = 0.0;                   ///< along +w on the free end [N]
    double damping = 0.0;                ///< gamma of every coordinate [N s/m, N m s], >= 0
    double lower = -0.01, upper = 0.01;  ///< stops of the free end [m], lower < upper
};

/// Euler and Bernoulli's beam, clamped at x = 0, by Hermite cubic finite elements with consistent mass:
/// stiff (its frequencies reach N^2 times the lowest), the case that Paoli and Schatzman 1999 mention.
/// Coordinates: deflection [m] and slope [-] of nodes 1..N; gaps of the free end to the stops below and
/// above [m].
class BeamBetweenStops final : public PotentialSystem {
public:
    /// @throws std::invalid_argument if a parameter is out of range.
    explicit BeamBetweenStops(const BeamParameters& parameters = {});

    int coordinate_count() const override { return 2 * parameters_.elements; }
    int constraint_count() const override { return 2; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& /*q*/) const override { return mass_; }
    Vector gaps(double t, const Vector& q) const override;
    Matrix gap_gradients(double t, const Vector& q) const override;
    Vector gap_bending(double t, const Vector& q, const Vector& v) const override;
    GapShape gap_shape(int /*a*/) const override { return GapShape::affine; }
    std::optional<double> potential(const Vector& q) const override;
    Vector potential_gradient(const Vector& q) const override;
    Matrix potential_hessian(const Vector& /*q*/) const override { return stiffness_; }
    bool convex_potential() const override { return true; }
    double damping() const override { return parameters_.damping; }
    std::vector<Quantity> coordinates() const override;
    std::vector<Quantity> constraints() const override { return {{"lower", "m"}, {"upper", "m"}}; }
    Figure figure(double t, const Vector& q) const override;

private:
    BeamParameters parameters_;
    Matrix mass_, stiffness_;  ///< (2 N, 2 N)
};

}  // namespace talus::lagrange
