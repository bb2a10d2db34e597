#include "talus/lagrange/cabot_paoli.hpp"

#include <stdexcept>
#include <utility>

namespace talus::lagrange {

namespace {

std::vector<std::string> convexity_warnings(const MechanicalSystem& system) {
    std::vector<std::string> warnings;
    if (!system.convex_potential()) warnings.push_back("the potential is not known to be convex");
    for (int a = 0; a < system.constraint_count(); ++a) {
        const GapShape shape = system.gap_shape(a);
        if (shape == GapShape::affine || shape == GapShape::concave) continue;
        warnings.push_back("the admissible set is not known to be convex");
        break;
    }
    return warnings;
}

}  // namespace

CabotPaoli::CabotPaoli(const MechanicalSystem& system, State start, double h,
                       const CabotPaoliOptions& options)
    : Scheme(system, std::move(start), h), options_(options), mass_(system.mass(state_.q)) {
    if (!system.potential(state_.q)) {
        throw std::invalid_argument("the scheme of Cabot and Paoli needs a potential: this system has none");
    }
    if (!system.constant_mass()) {
        throw std::invalid_argument("the scheme of Cabot and Paoli needs a constant mass matrix");
    }
}

Projection CabotPaoli::first() const {
    const auto& [t, q, v] = state_;
    Vector target = q + h_ * v;
    if (options_.first_step == FirstStep::with_force) {
        target += 0.5 * h_ * h_ * factorised_mass(system_, q).solve(system_.force(t, q, v));
    }
    return project_position(system_, t + h_, mass_, target, options_.projection);
}

Projection CabotPaoli::next() const {
    const auto& [t, q, v] = state_;
    const double drag = 0.5 * system_.damping() * h_;
    const Matrix quadratic = mass_ + drag * Matrix::Identity(q.size(), q.size());
    const Vector linear = mass_ * (q + h_ * v) + drag * previous_;
    const Objective programme{
        [&](const Vector& z) {
            return 0.5 * z.dot(quadratic * z) - linear.dot(z) + h_ * h_ * *system_.potential(z);
        },
        [&](const Vector& z) -> Vector {
            return quadratic * z - linear + h_ * h_ * system_.potential_gradient(z);
        },
        [&](const Vector& z) -> Matrix { return quadratic + h_ * h_ * system_.potential_hessian(z); }};
    return minimise_over(system_, t + h_, programme, q + h_ * v, options_.projection);
}

StepReport CabotPaoli::advance() {
    StepReport report;
    const bool is_first = previous_.size() == 0;
    if (is_first) report.warnings = convexity_warnings(system_);
    const Projection found = is_first ? first() : next();
    report.absorb(found.status, found.iterations, found.residual);
    report.impulses = found.multipliers / h_;
    previous_ = state_.q;
    state_.v = (found.point - previous_) / h_;
    state_.q = found.point;
    return report;
}

}  // namespace talus::lagrange
