#pragma once

#include <algorithm>

#include "talus/projection/solver.hpp"

namespace talus {

/// Iterations at which the residual is measured: every one of the first few, so that bodies at rest cost
/// next to nothing, then at growing distance, up to an interval at which the pass it takes is small.
class CheckSchedule {
public:
    bool due(int iteration) {
        if (iteration < next_) return false;
        next_ = iteration + 1 + std::min(iteration / kGrowth, kLongest);
        return true;
    }

private:
    static constexpr int kGrowth = 8;
    static constexpr int kLongest = 9;
    int next_ = 0;
};

/// The same for a solver that has an estimate of the residual at no cost: it is measured where that is small
/// enough, and now and then where it is not, since nothing is proved about the estimate.
class PromptedChecks {
public:
    /// @param prompted whether the estimate lets expect that the problem is solved.
    bool due(int iteration, bool prompted) {
        if (iteration < (prompted ? next_ : latest_)) return false;
        next_ = iteration + 1 + std::min(iteration / kGrowth, kLongest);
        latest_ = iteration + kUnprompted;
        return true;
    }

private:
    static constexpr int kGrowth = 8;
    static constexpr int kLongest = 4;
    static constexpr int kUnprompted = 30;
    int next_ = 0;
    int latest_ = 0;
};

/// The parts of an iterative solver that keeps velocities up to date beside the impulses.
template <class IsDue, class IsSolved, class IsJammed, class Advance, class Rebuild>
struct IterationParts {
    IsDue is_due;        ///< (iteration) -> bool: whether is_solved is asked before the last iteration
    IsSolved is_solved;  ///< () -> bool, a pass over the rows
    IsJammed is_jammed;  ///< (iteration) -> bool
    Advance advance;     ///< makes one iteration
    Rebuild rebuild;     ///< forms the velocities afresh, which drift by rounding while they are updated
    int rebuild_every;   ///< iterations
};

// Clang finds the types of an aggregate by itself from version 17 on only.
template <class IsDue, class IsSolved, class IsJammed, class Advance, class Rebuild>
IterationParts(IsDue, IsSolved, IsJammed, Advance, Rebuild, int)
    -> IterationParts<IsDue, IsSolved, IsJammed, Advance, Rebuild>;

/// Iterates until the problem is solved, a jam is proven or the iterations run out.
/// @param iterations out: how many were made.
template <class Parts>
Status iterate(Parts&& parts, int max_iterations, int& iterations) {
    for (int k = 0;; ++k) {
        iterations = k;
        const bool is_last = k == max_iterations;
        if ((is_last || parts.is_due(k)) && parts.is_solved()) return Status::converged;
        if (parts.is_jammed(k)) return Status::infeasible;
        if (is_last) return Status::max_iterations;
        parts.advance();
        if ((k + 1) % parts.rebuild_every == 0) parts.rebuild();
    }
}

}  // namespace talus
