#include "talus/lagrange/geodesic.hpp"

#include <algorithm>

#include "rounding.hpp"

namespace talus::lagrange {

Vector shoot_geodesic(const MechanicalSystem& system, const Vector& q, const Vector& v,
                      int runge_kutta_steps) {
    if (system.constant_mass()) return q + v;
    const auto acceleration = [&](const Vector& at, const Vector& speed) -> Vector {
        return factorised_mass(system, at).solve(system.inertial_force(at, speed));
    };
    const double h = 1.0 / runge_kutta_steps;
    Vector x = q, u = v;
    for (int k = 0; k < runge_kutta_steps; ++k) {
        const Vector a1 = acceleration(x, u);
        const Vector u2 = u + 0.5 * h * a1;
        const Vector a2 = acceleration(x + 0.5 * h * u, u2);
        const Vector u3 = u + 0.5 * h * a2;
        const Vector a3 = acceleration(x + 0.5 * h * u2, u3);
        const Vector u4 = u + h * a3;
        const Vector a4 = acceleration(x + h * u3, u4);
        x += h / 6.0 * (u + 2.0 * u2 + 2.0 * u3 + u4);
        u += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return x;
}

Projection project_geodesic(const MechanicalSystem& system, double t, const Vector& from,
                            const GeodesicOptions& options) {
    Projection result = project_position(system, t, system.mass(from), from, {});
    if (result.status != Status::converged || result.multipliers.isZero(0.0)) return result;
    for (result.iterations = 1; result.iterations <= options.max_iterations; ++result.iterations) {
        const Vector& y = result.point;
        const Eigen::LLT<Matrix> metric = factorised_mass(system, y);
        const Matrix gradients = system.gap_gradients(t, y);
        const Vector start = -metric.solve(gradients.transpose() * result.multipliers);
        const Vector miss = from - shoot_geodesic(system, y, start, options.runge_kutta_steps);
        const LinearProjection foot =
            project_linear(metric, gradients, system.gaps(t, y), start + miss);  // relative to y
        if (foot.status != Status::converged) {
            result.status = foot.status;
            return result;
        }
        const auto length = [&](const Vector& v) { return (metric.matrixU() * v).norm(); };
        const double distance = length(start);
        const double error = length(miss) + length(foot.point);
        result.point += foot.point;
        result.multipliers = foot.multipliers;
        result.residual = distance > 0.0 ? error / distance : 0.0;
        if (error <= std::max(options.tolerance * distance, kRounding * length(from))) return result;
    }
    result.iterations = options.max_iterations;
    result.status = Status::max_iterations;
    return result;
}

}  // namespace talus::lagrange
