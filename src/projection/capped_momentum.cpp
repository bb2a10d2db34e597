#include "capped_momentum.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

constexpr double kGrowth = 1.2;      ///< of the change from sweep to sweep that ends momentum
constexpr double kRunaway = 1.5;     ///< of the smallest change: the cap is too high
constexpr double kRecovery = 0.995;  ///< of 1 - cap a sweep

}  // namespace

void CappedMomentum::observe(const SweepSums<double>& sums) {
    const double change = std::sqrt(sums.moved);
    if (sums.uphill > 0.0 || change > kGrowth * change_before_) momentum_.restart();
    change_before_ = change;
    if (change > kRunaway * smallest_change_) {
        momentum_.restart();
        cap_ = std::max(0.0, 1.0 - 2.0 * (1.0 - cap_));
        smallest_change_ = change;
    } else {
        smallest_change_ = std::min(smallest_change_, change);
        cap_ = std::min(largest_, 1.0 - kRecovery * (1.0 - cap_));
    }
}

}  // namespace talus
