#include "output_schedule.hpp"

#include <cmath>

namespace talus::app {

namespace {
// Quotients of decimal times miss whole numbers by rounding alone; less than this is rounding [steps].
constexpr double kRounding = 1e-6;
}  // namespace

bool OutputSchedule::due(std::int64_t step) const {
    if (interval_ == 0.0) return false;
    const double now = static_cast<double>(step);
    const double k = std::floor((now + kRounding) / interval_);
    return std::ceil(k * interval_ - kRounding) == now;
}

}  // namespace talus::app
