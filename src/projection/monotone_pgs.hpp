#pragma once

#include <vector>

#include "dual_solver.hpp"

namespace talus {

/// Projected Gauss-Seidel in velocity form as the gradient step of Nesterov's method, made monotone: a step
/// that does not lower the dual objective by kDescent |y_new - z|^2 is replaced by a plain sweep, which
/// always does (Beck and Teboulle 2009, "Fast gradient-based algorithms", for the monotone guard; O'Donoghue
/// and Candes 2015 for the gradient restart). So the changes of all sweeps are square-summable and every
/// limit is a fixed point of the sweep: a solution, whatever the momentum does. One iteration is one pass
/// over the rows.
class MonotonePgs final : public DualSolver {
public:
    using DualSolver::DualSolver;

private:
    /// Sums of one sweep; Value holds those over the rows for one row at a time or for four.
    template <class Value>
    struct Sums {
        Value change{};  ///< of the objective, f(y_new) - f(z)
        Value uphill{};  ///< (z - y_new) . (y_new - y): > 0 when momentum points uphill
        Value moved{};   ///< |y_new - z|^2
        Value travel{};  ///< sum m |w - w_old|^2: twice what f bends by from y_old to y
    };

    Status minimise() override;
    /// One accepted sweep: y_, w_ become the new iterate, y_old_, w_old_ the one before.
    void advance();
    /// Sweeps from z = y_ + beta (y_ - y_old_), the same for w; y_old_ and w_old_ receive the result.
    Sums<double> sweep(double beta);
    /// Gives momentum to the bodies that no block before this one has touched; returns their travel.
    double open_bodies(Index block, double beta);
    Sums<double> relax_rows(const RowLayout::Block& block, double beta);
    /// w_ and w_old_ afresh from y_ and y_old_. Both, or momentum amplifies the drift of the one left out.
    void rebuild();
    double next_beta();

    double change_ = 0.0;  ///< of the objective by the last accepted sweep
    double theta_ = 1.0;
    double beta_ = 0.0;  ///< momentum of the next sweep
    std::vector<double> y_old_;
    std::vector<Packed> w_old_, w_fresh_;
    std::vector<Sums<double>> block_sums_;
};

}  // namespace talus
