#pragma once

#include "dual_solver.hpp"
#include "talus/projection/dense_dual.hpp"

namespace talus {

/// The exact projection by active sets in dense matrices (DenseDual): for tiny problems and as the measure of
/// the other solvers. Rows that depend on each other are allowed; an empty admissible set is proven. An
/// iteration is one step of the active set.
class ExactSolver final : public DualSolver {
public:
    using DualSolver::DualSolver;

    /// @throws std::invalid_argument for more than kMostRows rows: work and memory grow with their cube.
    void prepare(const ProjectionProblem& problem) override;

    static constexpr Index kMostRows = 128;

private:
    Status minimise() override;

    Eigen::MatrixXd normal_;  ///< (3k, m) M^-1/2 G' S: unit columns
    DenseDual dual_;
};

}  // namespace talus
