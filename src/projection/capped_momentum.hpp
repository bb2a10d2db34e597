#pragma once

#include <limits>

#include "momentum.hpp"

namespace talus {

/// Momentum for sweeps that are no gradient steps, as those of Coulomb's law: no objective can guard them.
/// Its factors are bounded by a cap, and it starts afresh when it points uphill or the sweeps' changes grow.
/// The cap falls when they grow beyond 1.5 times the smallest seen, or do not undercut that for more than ten
/// sweeps: flowing packings with strong friction have unstable modes of a few contacts each, which momentum
/// feeds. Where progress is slow but steady, momentum is what helps, and the cap stays. It recovers slowly.
class CappedMomentum {
public:
    explicit CappedMomentum(double largest = 0.9) : largest_(largest), cap_(largest) {}

    /// One sweep. @param sweep (double beta) -> SweepSums<double>: sweeps from z = y + beta (y - y_old).
    template <class Sweep>
    void advance(Sweep&& sweep) {
        const double beta = smaller(cap_, momentum_.next());
        observe(sweep(beta), beta);
    }

private:
    void observe(const SweepSums<double>& sums, double beta);

    double largest_;  ///< cap where sweeps behave
    double cap_;
    Momentum momentum_;
    double change_before_ = kNone;    ///< |y_new - z| of the sweep before
    double smallest_change_ = kNone;  ///< since the cap fell last
    int sweeps_in_vain_ = 0;          ///< since the change was that small
    static constexpr double kNone = std::numeric_limits<double>::infinity();
};

}  // namespace talus
