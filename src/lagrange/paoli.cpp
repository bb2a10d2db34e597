#include "talus/lagrange/paoli.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <utility>

namespace talus::lagrange {

namespace {

/// Cosines of unit vectors, and their distances from a span, below this are rounding.
constexpr double kRightAngle = 1e-10;

std::vector<int> carrying(const Vector& multipliers) {
    std::vector<int> active;
    for (int a = 0; a < multipliers.size(); ++a) {
        if (multipliers[a] > 0.0) active.push_back(a);
    }
    return active;
}

/// v0 in T_K(u0): no constraint that is active at the start is approached.
std::vector<std::string> start_warnings(const MechanicalSystem& system, const State& start) {
    std::vector<std::string> warnings;
    const Vector gaps = system.gaps(start.t, start.q);
    const Vector rates =
        system.gap_gradients(start.t, start.q) * start.v + system.gap_rates(start.t, start.q);
    for (Eigen::Index a = 0; a < gaps.size(); ++a) {
        if (gaps[a] <= 0.0 && rates[a] < 0.0) {
            warnings.push_back(fmt::format(
                "the start is outside the problem: constraint {} is active and approached at {:.3g} "
                "(v0 not in T_K(u0))",
                system.constraints()[a].name, -rates[a]));
        }
    }
    return warnings;
}

}  // namespace

std::vector<std::string> angle_warnings(const MechanicalSystem& system, double t, const Vector& q,
                                        const std::vector<int>& active) {
    std::vector<std::string> warnings;
    if (active.size() < 2) return warnings;
    const Matrix gradients = system.gap_gradients(t, q);
    const Eigen::LLT<Matrix> metric = factorised_mass(system, q);
    Matrix unit(q.size(), static_cast<Eigen::Index>(active.size()));  // (e_a), turned by L^-1 M^1/2
    for (std::size_t k = 0; k < active.size(); ++k) {
        unit.col(static_cast<Eigen::Index>(k)) =
            metric.matrixL().solve(gradients.row(active[k]).transpose()).normalized();
    }
    const std::vector<Quantity> names = system.constraints();
    const auto name = [&](std::size_t k) { return names[active[k]].name; };
    for (std::size_t a = 0; a < active.size(); ++a) {
        for (std::size_t b = a + 1; b < active.size(); ++b) {
            const double cosine =
                unit.col(static_cast<Eigen::Index>(a)).dot(unit.col(static_cast<Eigen::Index>(b)));
            if (cosine <= kRightAngle) continue;
            warnings.push_back(fmt::format("angle condition (H6) fails: (e_{}, e_{}) = {:.3g} > 0", name(a),
                                           name(b), cosine));
        }
    }
    Eigen::ColPivHouseholderQR<Matrix> rank(unit);
    rank.setThreshold(kRightAngle);
    if (rank.rank() < unit.cols()) {
        warnings.push_back(fmt::format("independence (H3) fails: {} active constraints span {} dimensions",
                                       active.size(), rank.rank()));
    }
    return warnings;
}

Paoli::Paoli(const MechanicalSystem& system, State start, double h, const PaoliOptions& options)
    : Scheme(system, std::move(start), h), options_(options) {}

StepReport Paoli::advance() {
    const auto& [t, q, v] = state_;
    StepReport report;
    const Matrix mass = system_.mass(q);
    const Vector acceleration = factorised_mass(system_, q).solve(system_.force(t, q, v));
    Vector target = q + h_ * v;  // 2 U^n - U^{n-1} after the first step
    if (previous_.size() > 0) {
        target += h_ * h_ * acceleration;
    } else {
        report.warnings = start_warnings(system_, state_);
        if (options_.first_step == FirstStep::with_force) target += 0.5 * h_ * h_ * acceleration;
    }
    const Projection next = project_position(system_, t + h_, mass, target, options_.projection);
    report.absorb(next.status, next.iterations, next.residual);
    report.impulses = next.multipliers / h_;
    for (std::string& warning : angle_warnings(system_, t + h_, next.point, carrying(next.multipliers))) {
        report.warnings.push_back(std::move(warning));
    }
    previous_ = q;
    state_.v = (next.point - previous_) / h_;
    state_.q = next.point;
    return report;
}

}  // namespace talus::lagrange
