#include "talus/step/step_time.hpp"

#include <cmath>

namespace talus {

double step_time(std::int64_t step, double time_step) {
    const double per_second = std::round(1.0 / time_step);
    const auto steps = static_cast<double>(step);
    return per_second >= 1.0 && 1.0 / per_second == time_step ? steps / per_second : steps * time_step;
}

}  // namespace talus
