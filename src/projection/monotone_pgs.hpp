#pragma once

#include <vector>

#include "dual_solver.hpp"

namespace talus {

/// Projected Gauss-Seidel in velocity form as the gradient step of Nesterov's method, made monotone: a step
/// that does not lower the dual objective by kDescent |y_new - z|^2 is replaced by a plain sweep, which
/// always does (Beck and Teboulle 2009, "Fast gradient-based algorithms", for the monotone guard; O'Donoghue
/// and Candes 2015 for the gradient restart). So the changes of all sweeps are square-summable and every
/// limit is a fixed point of the sweep: a solution, whatever the momentum does. One iteration is one pass
/// over the rows and one over the bodies.
class MonotonePgs final : public DualSolver {
public:
    using DualSolver::DualSolver;

private:
    /// Sums of one sweep over the rows; Value holds them for one row at a time or for four.
    template <class Value>
    struct Sums {
        Value work{};    ///< b . y_new
        Value uphill{};  ///< (z - y_new) . (y_new - y): > 0 when momentum points uphill
        Value moved{};   ///< |y_new - z|^2
    };

    Status minimise() override;
    /// One accepted sweep: y_, w_ become the new iterate, y_old_ the one before, start_ the next start.
    void advance();
    /// Sweeps from z = y_ + beta (y_ - y_old_) and start_; y_old_ and start_ receive the result.
    Sums<double> sweep(double beta);
    Sums<double> sweep_block(const RowLayout::Block& block, double beta);
    /// next_ = start_ + beta (start_ - w_); returns 1/2 sum m |start_|^2.
    double extrapolate(double beta);
    /// w_ and start_ afresh from y_ and y_old_. Both, or momentum amplifies the drift of the one left out.
    void rebuild();
    double next_beta();

    double objective_ = 0.0;
    double theta_ = 1.0;
    double beta_ = 0.0;  ///< momentum that start_ holds
    std::vector<double> y_old_;
    std::vector<Packed> start_, next_;
    std::vector<Sums<double>> block_sums_;
};

}  // namespace talus
