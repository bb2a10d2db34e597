#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "talus/lagrange/scheme.hpp"

namespace talus::lagrange::test {

inline State start(std::initializer_list<double> q, std::initializer_list<double> v, double t = 0.0) {
    const auto vector = [](const std::initializer_list<double>& list) {
        return Vector(Eigen::Map<const Vector>(list.begin(), static_cast<Eigen::Index>(list.size())));
    };
    return {t, vector(q), vector(v)};
}

/// Steps until t_end and hands each state and report to `visit`.
inline void run(Scheme& scheme, double t_end,
                const std::function<void(const State&, const StepReport&)>& visit) {
    while (scheme.state().t < t_end - 0.5 * scheme.step_length()) {
        const StepReport report = scheme.step();
        visit(scheme.state(), report);
    }
}

/// Height at t of a ball dropped at rest, with all bounces and the rest after them.
inline double bouncing_height(double t, double height, double e, double g) {
    double fall = std::sqrt(2.0 * height / g), speed = e * g * fall;
    if (t < fall) return height - 0.5 * g * t * t;
    t -= fall;
    while (speed > 1e-14 && t >= 2.0 * speed / g) {
        t -= 2.0 * speed / g;
        speed *= e;
    }
    return speed > 1e-14 ? speed * t - 0.5 * g * t * t : 0.0;
}

/// Largest |q(t) - exact(t)| over the steps, first coordinate.
inline double worst_error(Scheme& scheme, double t_end, const std::function<double(double)>& exact) {
    double worst = 0.0;
    run(scheme, t_end,
        [&](const State& s, const StepReport&) { worst = std::max(worst, std::abs(s.q[0] - exact(s.t))); });
    return worst;
}

}  // namespace talus::lagrange::test
