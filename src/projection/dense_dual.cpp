#include "talus/projection/dense_dual.hpp"

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace talus {

namespace {

/// A unit normal that is closer than this to the span of the active ones is a combination of them.
constexpr double kDependent = 1e-10;
/// Rows that lack less than this part of what their slope is the sum of hold: rounding of the factorisation.
constexpr double kRounding = 1e-13;

}  // namespace

Status DenseDual::solve(const Eigen::MatrixXd& normals, const Eigen::VectorXd& b, int max_iterations) {
    if (normals.cols() != b.size()) throw std::invalid_argument("dense dual: one b for each column of N");
    if (!normals.allFinite() || !b.allFinite()) {
        throw std::invalid_argument("dense dual: a number is not finite");
    }
    start(normals, b);
    const Status status = search(max_iterations);
    write_multipliers();
    return status;
}

void DenseDual::start(const Eigen::MatrixXd& normals, const Eigen::VectorXd& b) {
    const Eigen::Index n = normals.rows(), m = normals.cols();
    scale_ = normals.colwise().norm().transpose();
    for (double& s : scale_) s = s > 0.0 ? 1.0 / s : 0.0;
    normal_ = normals * scale_.asDiagonal();
    b_ = b;
    for (Eigen::Index c = 0; c < m; ++c) {
        if (scale_[c] > 0.0) b_[c] *= scale_[c];
    }
    x_.setZero(n);
    active_.clear();
    multiplier_.clear();
    is_active_.assign(static_cast<std::size_t>(m), 0);
    blame_.clear();
    iterations_ = 0;
}

Status DenseDual::search(int max_iterations) {
    for (Eigen::Index p = most_violated(); p >= 0; p = most_violated()) {
        if (iterations_ == 0) {  // not before: often no row is violated
            q_.setIdentity(x_.size(), x_.size());
            r_.setZero(x_.size(), x_.size());
        }
        double multiplier = 0.0;
        Step step = Step::blocked;
        while (step == Step::blocked) {
            if (iterations_ == max_iterations) return Status::max_iterations;
            ++iterations_;
            step = step_towards(p, multiplier);
        }
        if (step == Step::infeasible) return Status::infeasible;
    }
    return Status::converged;
}

Eigen::Index DenseDual::most_violated() const {
    Eigen::Index worst = -1;
    double least = 0.0;
    const double length = x_.norm();
    for (Eigen::Index c = 0; c < b_.size(); ++c) {
        if (is_active_[c]) continue;
        const double slope = normal_.col(c).dot(x_) + b_[c];
        if (slope >= least || slope >= -kRounding * (length + std::abs(b_[c]))) continue;
        least = slope;
        worst = c;
    }
    return worst;
}

DenseDual::Step DenseDual::step_towards(Eigen::Index p, double& multiplier) {
    const auto rank = static_cast<Eigen::Index>(active_.size());
    const Eigen::VectorXd turned = q_.transpose() * normal_.col(p);
    const Eigen::VectorXd r =
        r_.topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solve(turned.head(rank));
    const auto rest =
        turned.tail(turned.size() - rank);  // part of the normal that the active rows leave free

    double dual_step = std::numeric_limits<double>::infinity();
    Eigen::Index blocker = 0;
    for (Eigen::Index k = 0; k < rank; ++k) {
        const double held = multiplier_[k];
        if (r[k] > kDependent && held / r[k] < dual_step) {
            dual_step = held / r[k];
            blocker = k;
        }
    }
    const bool free = rest.norm() > kDependent;
    if (!free && std::isinf(dual_step)) {
        // n = sum r_k n_k with r <= 0 while row p is violated: the rows with weights (1, -r) block each
        // other.
        blame_.assign(is_active_.size(), 0.0);
        blame_[p] = scale_[p] > 0.0 ? scale_[p] : 1.0;
        for (Eigen::Index k = 0; k < rank; ++k) {
            const Eigen::Index c = active_[k];
            blame_[c] = scale_[c] * std::max(0.0, -r[k]);
        }
        return Step::infeasible;
    }
    const double lack = -(normal_.col(p).dot(x_) + b_[p]);
    const double full_step = free ? lack / rest.squaredNorm() : std::numeric_limits<double>::infinity();
    const double step = std::min(dual_step, full_step);
    if (free) x_ += step * (q_.rightCols(rest.size()) * rest);
    for (Eigen::Index k = 0; k < rank; ++k) multiplier_[k] -= step * r[k];
    multiplier += step;
    if (full_step <= dual_step) {
        add(p, multiplier, turned);
        return Step::added;
    }
    drop(blocker);
    return Step::blocked;
}

/// Turns the free part of the new column into its first entry by rotations, which Q takes on.
void DenseDual::add(Eigen::Index p, double multiplier, const Eigen::VectorXd& turned) {
    const auto rank = static_cast<Eigen::Index>(active_.size());
    Eigen::VectorXd column = turned;
    for (Eigen::Index k = column.size() - 1; k > rank; --k) {
        Eigen::JacobiRotation<double> rotation;
        rotation.makeGivens(column[k - 1], column[k]);
        column.applyOnTheLeft(k - 1, k, rotation.adjoint());
        q_.applyOnTheRight(k - 1, k, rotation);
    }
    r_.col(rank) = column;
    active_.push_back(p);
    multiplier_.push_back(multiplier);
    is_active_[p] = 1;
}

void DenseDual::drop(Eigen::Index place) {
    const auto rank = static_cast<Eigen::Index>(active_.size());
    is_active_[active_[place]] = 0;
    active_.erase(active_.begin() + place);
    multiplier_.erase(multiplier_.begin() + place);
    for (Eigen::Index k = place; k + 1 < rank; ++k) r_.col(k) = r_.col(k + 1).eval();
    r_.col(rank - 1).setZero();
    for (Eigen::Index k = place; k + 1 < rank; ++k) {
        Eigen::JacobiRotation<double> rotation;
        rotation.makeGivens(r_(k, k), r_(k + 1, k));
        r_.applyOnTheLeft(k, k + 1, rotation.adjoint());
        q_.applyOnTheRight(k, k + 1, rotation);
    }
}

/// Multipliers of the final active set, R' R y = -b, which removes the rounding of the steps.
void DenseDual::write_multipliers() {
    const auto rank = static_cast<Eigen::Index>(active_.size());
    x_.setZero();
    y_.setZero(b_.size());
    if (rank == 0) return;
    Eigen::VectorXd y(rank);
    for (Eigen::Index k = 0; k < rank; ++k) y[k] = -b_[active_[k]];
    const auto upper = r_.topLeftCorner(rank, rank).triangularView<Eigen::Upper>();
    upper.transpose().solveInPlace(y);
    x_ = q_.leftCols(rank) * y;
    upper.solveInPlace(y);
    for (Eigen::Index k = 0; k < rank; ++k) {
        const Eigen::Index c = active_[k];
        y_[c] = scale_[c] * std::max(0.0, y[k]);
    }
}

}  // namespace talus
