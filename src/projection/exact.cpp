#include "exact.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace talus {

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
    Eigen::VectorXd b(layout_.row_count());
    for (Index c = 0; c < layout_.row_count(); ++c) b[c] = layout_.direction[c][3];
    const Status status = dual_.solve(normal_, b, options_.max_iterations);
    iterations_ = dual_.iterations();
    for (Index c = 0; c < layout_.row_count(); ++c) y_[c] = dual_.multipliers()[c];
    if (status == Status::max_iterations) return status;
    if (status == Status::infeasible) {
        return jam_.proves(layout_, dual_.blame()) ? status : Status::max_iterations;
    }
    return is_solved_afresh(y_, w_) ? Status::converged : Status::max_iterations;
}

}  // namespace talus
