#pragma once

#include "talus/lagrange/projection.hpp"

namespace talus::lagrange {

/// How geodesics are followed and when the foot of one counts as found.
struct GeodesicOptions {
    int runge_kutta_steps = 4;  ///< classical steps for one geodesic, >= 1
    /// Distance by which the geodesic misses its target, over its length [-], > 0.
    double tolerance = 1e-11;
    int max_iterations = 100;  ///< shots, >= 1; reaching it gives Status::max_iterations
};

/// End of the geodesic of the metric M that starts at q with velocity v, after unit time: exp_q(v).
/// Integrates M(q) q'' = inertial_force(q, q') with k classical Runge-Kutta steps: for a geodesic of length s
/// the error is of order s^5 / k^4.
Vector shoot_geodesic(const MechanicalSystem& system, const Vector& q, const Vector& v,
                      int runge_kutta_steps);

/// Point of K(t) at the least Riemannian distance from `from` (Paoli and Schatzman 1999 (1.10)-(1.11)), which
/// exists and is unique near K. The geodesic from the foot y to `from` starts along the outer normal,
///
///     exp_y(-M(y)^-1 G(y)' lambda) = from,   g(t, y) >= 0,   lambda >= 0 complementary.
///
/// Found by Newton steps on (y, lambda) with the derivative of exp replaced by that of the flat metric M(y):
/// each shot's miss moves the target of a |.|_{M(y)} projection on the linearised constraints. The rate of
/// convergence is of the order of (distance to K times curvature of K and of the metric).
/// For constant M this is project_position. @return multipliers lambda; residual as in the options.
Projection project_geodesic(const MechanicalSystem& system, double t, const Vector& from,
                            const GeodesicOptions& options);

}  // namespace talus::lagrange
