#include "exact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace talus {

namespace {

/// A unit normal that is closer than this to the span of the active ones is a combination of them.
constexpr double kDependent = 1e-10;
/// Rows that lack less than this part of the largest |b| hold: rounding of the factorisation.
constexpr double kRounding = 1e-13;

}  // namespace

void ExactSolver::prepare(const ProjectionProblem& problem) {
    if (problem.rows.size() > static_cast<std::size_t>(kMostRows)) {
        throw std::invalid_argument(
            fmt::format("the exact solver takes at most {} rows, not {}: choose another solver kind",
                        kMostRows, problem.rows.size()));
    }
    DualSolver::prepare(problem);
    normal_.setZero(3 * layout_.body_count(), layout_.row_count());
    for (Index c = 0; c < layout_.row_count(); ++c) {
        const auto [i, j] = layout_.ends[c];
        const Vec3 e = layout_.direction[c].head<3>();
        normal_.col(c).segment<3>(3 * i) = (j < 0 ? 1.0 : -1.0) / std::sqrt(layout_.mass[i]) * e;
        if (j >= 0) normal_.col(c).segment<3>(3 * j) = 1.0 / std::sqrt(layout_.mass[j]) * e;
    }
}

Status ExactSolver::minimise() {
    active_.clear();
    multiplier_.clear();
    x_.setZero(normal_.rows());
    double largest = 0.0;
    for (const Packed& e : layout_.direction) largest = std::max(largest, std::abs(e[3]));
    factorise();
    iterations_ = 0;
    for (Index p = most_violated(kRounding * largest); p >= 0; p = most_violated(kRounding * largest)) {
        double multiplier = 0.0;
        Step step = Step::blocked;
        while (step == Step::blocked) {
            if (iterations_ == options_.max_iterations) return Status::max_iterations;
            ++iterations_;
            step = step_towards(p, multiplier);
        }
        if (step == Step::infeasible) {
            write_multipliers();
            return jam_.proves(layout_, blame_) ? Status::infeasible : Status::max_iterations;
        }
    }
    write_multipliers();
    return is_solved_afresh(y_, w_) ? Status::converged : Status::max_iterations;
}

Index ExactSolver::most_violated(double tolerance) const {
    Index worst = -1;
    double least = -tolerance;
    for (Index c = 0; c < layout_.row_count(); ++c) {
        const double slope = normal_.col(c).dot(x_) + layout_.direction[c][3];
        if (slope >= least || std::find(active_.begin(), active_.end(), c) != active_.end()) continue;
        least = slope;
        worst = c;
    }
    return worst;
}

ExactSolver::Step ExactSolver::step_towards(Index p, double& multiplier) {
    const auto rank = static_cast<Eigen::Index>(active_.size());
    const Eigen::VectorXd n = normal_.col(p);
    Eigen::VectorXd turned = qr_.householderQ().transpose() * n;
    const Eigen::VectorXd r =
        qr_.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(turned.head(rank));
    turned.head(rank).setZero();
    const Eigen::VectorXd z = qr_.householderQ() * turned;  // part of n that the active rows leave free

    double dual_step = std::numeric_limits<double>::infinity();
    std::size_t blocker = 0;
    for (Eigen::Index k = 0; k < rank; ++k) {
        if (r[k] > kDependent && multiplier_[k] / r[k] < dual_step) {
            dual_step = multiplier_[k] / r[k];
            blocker = static_cast<std::size_t>(k);
        }
    }
    const bool free = z.norm() > kDependent;
    if (!free && std::isinf(dual_step)) {
        // n = sum r_k n_k with r <= 0 while row p is violated: the rows with weights (1, -r) block each
        // other.
        blame_.assign(layout_.row.size(), 0.0);
        blame_[p] = 1.0;
        for (Eigen::Index k = 0; k < rank; ++k) blame_[active_[k]] = std::max(0.0, -r[k]);
        return Step::infeasible;
    }
    const double lack = -(n.dot(x_) + layout_.direction[p][3]);
    const double full_step = free ? lack / z.squaredNorm() : std::numeric_limits<double>::infinity();
    const double step = std::min(dual_step, full_step);
    if (free) x_ += step * z;
    for (Eigen::Index k = 0; k < rank; ++k) multiplier_[k] -= step * r[k];
    multiplier += step;
    if (full_step <= dual_step) {
        active_.push_back(p);
        multiplier_.push_back(multiplier);
        factorise();
        return Step::added;
    }
    drop(blocker);
    return Step::blocked;
}

void ExactSolver::drop(std::size_t place) {
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(place));
    multiplier_.erase(multiplier_.begin() + static_cast<std::ptrdiff_t>(place));
    factorise();
}

void ExactSolver::factorise() {
    Eigen::MatrixXd columns(normal_.rows(), static_cast<Eigen::Index>(active_.size()));
    for (std::size_t k = 0; k < active_.size(); ++k) {
        columns.col(static_cast<Eigen::Index>(k)) = normal_.col(active_[k]);
    }
    qr_.compute(columns);
}

/// Multipliers of the final active set, N' N y = -b, which removes the rounding of the steps.
void ExactSolver::write_multipliers() {
    const auto rank = static_cast<Eigen::Index>(active_.size());
    Eigen::VectorXd y(rank);
    for (Eigen::Index k = 0; k < rank; ++k) y[k] = -layout_.direction[active_[k]][3];
    const auto upper = qr_.matrixQR().topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
    upper.transpose().solveInPlace(y);
    upper.solveInPlace(y);
    std::fill(y_.begin(), y_.end(), 0.0);
    for (Eigen::Index k = 0; k < rank; ++k) y_[active_[k]] = std::max(0.0, y[k]);
}

}  // namespace talus
