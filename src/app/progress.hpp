#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "talus/scene/simulation.hpp"

namespace talus::app {

/// How far a run is: one line that is refreshed on a terminal, plain lines at every tenth elsewhere.
class Progress {
public:
    /// @param end time at which the run ends [s]. @param steps in all. @param shown false: prints nothing.
    Progress(double end, std::int64_t steps, bool shown);
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void update(const Simulation& simulation, const StepReport& report);
    /// Takes the refreshed line away, so that something else can be printed.
    void clear();

private:
    using Clock = std::chrono::steady_clock;

    bool due(std::int64_t step, Clock::time_point now) const;
    std::string line(const Simulation& simulation, const StepReport& report, double steps_per_second) const;

    double end_;
    std::int64_t steps_;
    bool shown_, terminal_;
    bool line_stands_ = false;
    std::int64_t last_step_ = 0;  // at the last line
    std::int64_t next_tenth_ = 1;
    Clock::time_point last_time_ = Clock::now();
    double steps_per_second_ = 0.0;  // smoothed
};

}  // namespace talus::app
