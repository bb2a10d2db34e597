#include "talus/lagrange/moreau_jean.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "rounding.hpp"
#include "selection.hpp"
#include "talus/lagrange/projection.hpp"

namespace talus::lagrange {

MoreauJean::MoreauJean(const MechanicalSystem& system, State start, double h,
                       const MoreauJeanOptions& options)
    : Scheme(system, std::move(start), h),
      options_(options),
      restitution_(expanded(options.restitution, system)) {
    if (!(options.theta >= 0.5 && options.theta <= 1.0)) {
        throw std::invalid_argument("theta of the Moreau-Jean scheme must be in [1/2, 1]");
    }
}

/// Factors of the derivative of M v - h theta force(q^n + h theta v, v), of the part of the force that is
/// known.
Eigen::LLT<Matrix> MoreauJean::iteration_metric(const Matrix& mass) const {
    if (system_.potential(state_.q)) {
        const double s = h_ * options_.theta;
        Eigen::LLT<Matrix> metric(mass + s * system_.damping() * Matrix::Identity(mass.rows(), mass.cols()) +
                                  s * s * system_.potential_hessian(state_.q));
        if (metric.info() == Eigen::Success) return metric;
        // The potential is concave and the step long: that is no metric.
    }
    return factorised_mass(system_, state_.q);
}

StepReport MoreauJean::advance() {
    const auto& [t, q, v] = state_;
    const double theta = options_.theta;
    const Matrix gradients = system_.gap_gradients(t, q);
    const Vector rates = system_.gap_rates(t, q);
    const Vector speed = gradients * v + rates;
    const Vector predicted = system_.gaps(t, q) + 0.5 * h_ * speed;
    std::vector<int> active;
    for (int a = 0; a < predicted.size(); ++a) {
        if (predicted[a] <= 0.0) active.push_back(a);
    }
    const Matrix rows = select_rows(gradients, active);
    const Vector offset = select(rates + restitution_.cwiseProduct(speed), active);

    const Matrix mass = system_.mass(q);
    const Eigen::LLT<Matrix> metric = iteration_metric(mass);
    const Vector old_force = system_.force(t, q, v);
    const auto moved = [&, &q = q, &v = v](const Vector& u) -> Vector {
        return q + h_ * (theta * u + (1.0 - theta) * v);
    };
    const double rounding = kRounding * (metric.matrixU() * q).norm() / h_;  // of coordinates, as a velocity
    StepReport report;
    Vector u = v;
    LinearProjection solved;
    bool settled = false;
    for (int k = 0; k < options_.max_iterations && !settled; ++k) {
        const Vector force = theta * system_.force(t + h_, moved(u), u) + (1.0 - theta) * old_force;
        const Vector defect = mass * (u - v) - h_ * force;
        solved = project_linear(metric, rows, offset, u - metric.solve(defect));
        report.absorb(solved.status, 1 + solved.iterations, 0.0);
        const double change = (metric.matrixU() * (solved.point - u)).norm();
        const double size = (metric.matrixU() * solved.point).norm() + (metric.matrixU() * v).norm();
        settled = change <= std::max(options_.tolerance * size, rounding);
        report.residual = size > 0.0 ? change / size : 0.0;
        u = solved.point;
    }
    if (!settled) report.absorb(Status::max_iterations, 0, report.residual);
    report.impulses = Vector::Zero(system_.constraint_count());
    for (std::size_t k = 0; k < active.size(); ++k) report.impulses[active[k]] = solved.multipliers[k];
    state_.q = moved(u);
    state_.v = u;
    return report;
}

}  // namespace talus::lagrange
