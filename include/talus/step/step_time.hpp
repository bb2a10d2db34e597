#pragma once

#include <cstdint>

namespace talus {

/// Time after `step` steps of length h [s]: never a sum, so that it does not drift. A step that is 1/N to
/// rounding, as 0.001 is, is meant as 1/N: step/N is rounded once, and 700 steps of 0.001 end at 0.7 and not
/// at 0.7000000000000001.
double step_time(std::int64_t step, double time_step);

}  // namespace talus
