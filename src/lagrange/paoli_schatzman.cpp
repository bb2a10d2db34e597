#include "talus/lagrange/paoli_schatzman.hpp"

#include <algorithm>
#include <utility>

#include "rounding.hpp"

namespace talus::lagrange {

PaoliSchatzman::PaoliSchatzman(const MechanicalSystem& system, State start, double h,
                               const PaoliSchatzmanOptions& options)
    : Scheme(system, std::move(start), h), options_(options) {
    expanded({options.restitution}, system);
}

Projection PaoliSchatzman::project(double t, const Vector& from) const {
    return options_.metric == ProjectionMetric::geodesic && !system_.constant_mass()
               ? project_geodesic(system_, t, from, options_.geodesic)
               : project_position(system_, t, system_.mass(state_.q), from, options_.projection);
}

StepReport PaoliSchatzman::advance() {
    const auto& [t, u, v] = state_;
    StepReport report;
    report.impulses = Vector::Zero(system_.constraint_count());
    const Eigen::LLT<Matrix> mass = factorised_mass(system_, u);
    const auto acceleration = [&, &t = t, &u = u](const Vector& speed) -> Vector {
        return mass.solve(system_.force(t, u, speed));
    };
    Vector next = u + h_ * v;  // 2 U^m - U^{m-1} after the first step
    if (previous_.size() == 0) {
        if (options_.first_step == FirstStep::with_force) next += 0.5 * h_ * h_ * acceleration(v);
        previous_ = u;
        state_.v = (next - previous_) / h_;
        state_.q = next;
        return report;
    }
    const double e = options_.restitution;
    const auto length = [&](const Vector& x) { return (mass.matrixU() * x).norm(); };
    const Vector coasting = 2.0 * u - (1.0 - e) * previous_;
    Projection foot;
    bool settled = false;
    for (int k = 0; k < options_.max_iterations && !settled; ++k) {
        const Vector force = acceleration((next - previous_) / (2.0 * h_));
        foot = project(t + h_ * (1.0 - e) / (1.0 + e), (coasting + h_ * h_ * force) / (1.0 + e));
        report.absorb(foot.status, 1 + foot.iterations, foot.residual);
        const Vector found = -e * previous_ + (1.0 + e) * foot.point;
        const double change = length(found - next);
        const double moved = length(u - previous_) + length(found - u);
        settled = change <= std::max(options_.tolerance * moved, kRounding * length(found));
        next = found;
        if (!settled) continue;
        report.residual = std::max(report.residual, moved > 0.0 ? change / moved : 0.0);
    }
    if (!settled) report.absorb(Status::max_iterations, 0, 1.0);
    report.impulses = (1.0 + e) / h_ * foot.multipliers;
    if ((foot.multipliers.array() > 0.0).count() > 1) {
        report.warnings.push_back("several constraints carry impulses: the theory covers one");
    }
    previous_ = u;
    state_.v = (next - previous_) / h_;
    state_.q = next;
    return report;
}

}  // namespace talus::lagrange
