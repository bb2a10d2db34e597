#include "talus/lagrange/scheme.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "talus/core/error.hpp"

namespace talus::lagrange {

void StepReport::absorb(Status solve, int count, double left) {
    if (solve != Status::converged && status != Status::infeasible) status = solve;
    iterations += count;
    residual = std::max(residual, left);
}

Scheme::Scheme(const MechanicalSystem& system, State start, double h)
    : system_(system), state_(std::move(start)), h_(h), start_(state_.t) {
    if (!(h > 0.0) || !std::isfinite(h)) {
        throw std::invalid_argument("the time step must be positive and finite");
    }
    const int n = system.coordinate_count();
    if (state_.q.size() != n || state_.v.size() != n) {
        throw std::invalid_argument(
            fmt::format("the system has {} coordinates, the start {} and {} velocities", n, state_.q.size(),
                        state_.v.size()));
    }
    if (!std::isfinite(start_) || !state_.q.allFinite() || !state_.v.allFinite()) {
        throw std::invalid_argument("the start of a motion must be finite");
    }
}

StepReport Scheme::step() {
    StepReport report = advance();
    ++count_;
    state_.t = start_ + static_cast<double>(count_) * h_;
    if (!state_.q.allFinite() || !state_.v.allFinite()) {
        throw StateError(fmt::format("t = {:g}: a coordinate or velocity is not finite", state_.t));
    }
    if (system_.gaps(state_.t, state_.q).hasNaN()) {
        // A comparison with it would say that the constraint is open.
        throw StateError(fmt::format("t = {:g}: a gap is not a number", state_.t));
    }
    report.violation = violation(system_, state_.t, state_.q);
    return report;
}

Vector expanded(const Restitution& restitution, const MechanicalSystem& system) {
    const int count = system.constraint_count();
    for (const double e : restitution) {
        if (!(e >= 0.0 && e <= 1.0)) {
            throw std::invalid_argument(fmt::format("restitution {} is not in [0, 1]", e));
        }
    }
    if (restitution.size() == 1) return Vector::Constant(count, restitution[0]);
    if (restitution.size() != static_cast<std::size_t>(count)) {
        throw std::invalid_argument(
            fmt::format("restitution takes one value or {}, not {}", count, restitution.size()));
    }
    return Eigen::Map<const Vector>(restitution.data(), count);
}

}  // namespace talus::lagrange
