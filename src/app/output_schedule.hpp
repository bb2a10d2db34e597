#pragma once

#include <cstdint>

namespace talus::app {

/// Steps at which something is due every so often: for each k, the first step whose time is at or after
/// k * every. Found from the step number alone, so that no rounding adds up.
class OutputSchedule {
public:
    /// @param every interval [s], >= 0; 0: never. @param time_step h [s].
    OutputSchedule(double every, double time_step) : interval_(every / time_step) {}

    /// @param step number of the step, >= 0 (0: the start is always due, unless never).
    bool due(std::int64_t step) const;

private:
    double interval_;  // steps, not always a whole number
};

}  // namespace talus::app
