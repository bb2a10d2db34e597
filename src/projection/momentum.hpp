#pragma once

#include <cmath>

#include "row_kernels.hpp"

namespace talus {

/// Sums of one Gauss-Seidel sweep from z to y_new, where y is the iterate that z was extrapolated from. Value
/// holds those over the rows for one row at a time or for several.
template <class Value>
struct SweepSums {
    Value change{};  ///< of the objective, f(y_new) - f(z)
    Value uphill{};  ///< (z - y_new) . (y_new - y): > 0 when momentum points uphill
    Value moved{};   ///< |y_new - z|^2
    Value travel{};  ///< sum m |w - w_old|^2: twice what f bends by from y_old to y

    SweepSums& operator+=(const SweepSums& other) {
        change += other.change;
        uphill += other.uphill;
        moved += other.moved;
        travel += other.travel;
        return *this;
    }
};

inline SweepSums<double> sum_of_lanes(const SweepSums<Lanes>& sums) {
    return {sum_of_lanes(sums.change), sum_of_lanes(sums.uphill), sum_of_lanes(sums.moved),
            sum_of_lanes(sums.travel)};
}

/// The factors beta of Nesterov's accelerated gradient method: the next iterate starts from
/// z = y + beta (y - y_old). Source: Mazhar, Heyn, Negrut and Tasora 2015, "Using Nesterov's method to
/// accelerate multibody dynamics with friction and contact", algorithm 2.
class Momentum {
public:
    double next() {
        const double squared = theta_ * theta_;
        const double next = 0.5 * (std::sqrt(squared * squared + 4.0 * squared) - squared);
        const double beta = theta_ * (1.0 - theta_) / (squared + next);
        theta_ = next;
        return beta;
    }
    /// The next factor is 0.
    void restart() { theta_ = 1.0; }

private:
    double theta_ = 1.0;
};

/// Momentum that never raises an objective: a sweep that does not lower it enough is
/// replaced by a plain sweep, which always does (Beck and Teboulle 2009, "Fast gradient-based algorithms",
/// for the monotone guard; O'Donoghue and Candes 2015 for the gradient restart). So the changes of all sweeps
/// are square-summable and every limit is a fixed point of the sweep: a solution, whatever the momentum does.
class MonotoneMomentum {
public:
    /// @param relaxation of the sweeps with momentum, in (0, 2) [-]; plain ones are not relaxed.
    explicit MonotoneMomentum(double relaxation = 1.0) : descent_(kDescent * (1.0 / relaxation - 0.5)) {}

    /// One accepted sweep. @param sweep (double beta) -> SweepSums<double>: sweeps from
    /// z = y + beta (y - y_old). It is called again, with 0, if that was in vain: y must still be there.
    template <class Sweep>
    void advance(Sweep&& sweep) {
        const SweepSums<double> sums = sweep(beta_);
        // f is quadratic along the line from y_old through y to z: its change to z follows from the last one.
        const double to_z = beta_ * (change_ + 0.5 * (1.0 + beta_) * sums.travel);
        double change = to_z + sums.change;
        if (sums.uphill > 0.0) momentum_.restart();
        if (beta_ > 0.0 && change > -descent_ * sums.moved) {
            change = sweep(0.0).change;
            momentum_.restart();
        }
        change_ = change;
        beta_ = momentum_.next();
    }

private:
    /// What a sweep with momentum must gain, as a part of what it would gain at least without,
    /// (1/relaxation - 1/2) |y_new - z|^2. Any value in (0, 1) gives convergence; up to 0.2 it never
    /// intervenes, 0.6 restarts stale momentum a little sooner.
    static constexpr double kDescent = 0.6;

    double descent_;
    Momentum momentum_;
    double change_ = 0.0;  ///< of the objective by the last accepted sweep
    double beta_ = 0.0;    ///< of the next sweep
};

}  // namespace talus
