#pragma once

#include <Eigen/QR>
#include <vector>

#include "dual_solver.hpp"

namespace talus {

/// The exact projection by the dual active-set method of Goldfarb and Idnani 1983, "A numerically stable dual
/// method for solving strictly convex quadratic programs", in dense matrices: for tiny problems and as the
/// measure of the other solvers. Rows that depend on each other are allowed; an empty admissible set is
/// proven. An iteration is one step of the active set.
class ExactSolver final : public DualSolver {
public:
    using DualSolver::DualSolver;

    /// @throws std::invalid_argument for more than kMostRows rows: work and memory grow with their cube.
    void prepare(const ProjectionProblem& problem) override;

    static constexpr Index kMostRows = 128;

private:
    enum class Step { added, blocked, infeasible };

    Status minimise() override;
    Index most_violated(double tolerance) const;
    /// Moves towards row p: adds it to the active set, or drops the active row that blocks the way.
    Step step_towards(Index p, double& multiplier);
    void drop(std::size_t place);
    void factorise();
    void write_multipliers();

    Eigen::MatrixXd normal_;  ///< (3k, m) M^-1/2 G' S: unit columns
    Eigen::VectorXd x_;       ///< (3k) M^1/2 w
    std::vector<Index> active_;
    std::vector<double> multiplier_;            ///< of the active rows
    Eigen::HouseholderQR<Eigen::MatrixXd> qr_;  ///< of the active columns
    std::vector<double> blame_;
};

}  // namespace talus
