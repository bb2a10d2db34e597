#include "capped_momentum.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr double kGrowth = 1.2;      ///< of the change from sweep to sweep that ends momentum
constexpr double kRunaway = 1.5;     ///< of the smallest change: the cap is too high
constexpr int kPatience = 10;        ///< sweeps that may fail to lower the change
constexpr double kSteady = 0.5;      ///< of what steady progress would make of momentum
constexpr double kRecovery = 0.995;  ///< of 1 - cap a sweep

}  // namespace

void CappedMomentum::observe(const SweepSums<double>& sums, double beta) {
    const double change = std::sqrt(sums.moved);
    if (sums.uphill > 0.0 || change > kGrowth * change_before_) momentum_.restart();
    change_before_ = change;
    if (change < smallest_change_) {
        smallest_change_ = change;
        sweeps_in_vain_ = 0;
    } else {
        ++sweeps_in_vain_;
    }
    // Steady progress makes the way from y to y_new 1/(1 - beta) times as long as the sweep's own part.
    const bool is_steady = -sums.uphill * (1.0 - beta) > kSteady * sums.moved;
    if (change > kRunaway * smallest_change_ || (sweeps_in_vain_ > kPatience && !is_steady)) {
        momentum_.restart();
        cap_ = std::max(0.0, 1.0 - 2.0 * (1.0 - cap_));
        smallest_change_ = change;
        sweeps_in_vain_ = 0;
    } else {
        cap_ = std::min(largest_, 1.0 - kRecovery * (1.0 - cap_));
    }
}

}  // namespace talus
