#pragma once

#include <vector>

#include "dormant_groups.hpp"
#include "dual_solver.hpp"
#include "momentum.hpp"

namespace talus {

/// Projected Gauss-Seidel in velocity form as the gradient step of Nesterov's method, made monotone. One
/// iteration is one pass over the rows that do not sleep.
class MonotonePgs final : public DualSolver {
public:
    using DualSolver::DualSolver;

private:
    Status minimise() override;
    bool is_check_due(int iteration) override;
    /// One accepted sweep: y_, w_ become the new iterate, y_old_, w_old_ the one before.
    void advance();
    /// Sweeps from z = y_ + beta (y_ - y_old_), the same for w; y_old_ and w_old_ receive the result.
    SweepSums<double> sweep(double beta);
    /// Gives momentum to the bodies that no block before this one has touched; returns their travel.
    double open_bodies(Index block, double beta);
    SweepSums<double> relax_rows(Index number, const RowLayout::Block& block, double beta);
    void start_dormancy();
    void wake_violated();
    /// w_ and w_old_ afresh from y_ and y_old_. Both, or momentum amplifies the drift of the one left out.
    void rebuild();

    MonotoneMomentum momentum_;
    DormantGroups dormant_;
    CheckSchedule wake_;  ///< iterations at which dormant rows are looked at
    std::vector<double> y_old_;
    std::vector<Packed> w_old_, w_fresh_;
    std::vector<SweepSums<double>> block_sums_;
    PromptedChecks prompted_checks_;
    double moved_ = 0.0;  ///< |y_new - z|^2 of the last sweep
};

}  // namespace talus
