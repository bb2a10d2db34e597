#pragma once

#include <array>
#include <chrono>

namespace talus {

/// The stages of one step that are timed.
enum class Stage { broad_phase, contacts, solve, integrate, checks, write };
constexpr std::array<const char*, 6> kStageNames = {"broad_phase", "contacts", "solve",
                                                    "integrate",   "checks",   "write"};

/// Wall-clock seconds spent in each stage.
struct StageTimes {
    std::array<double, kStageNames.size()> seconds{};

    double& operator[](Stage stage) { return seconds[static_cast<std::size_t>(stage)]; }
    double operator[](Stage stage) const { return seconds[static_cast<std::size_t>(stage)]; }
    StageTimes& operator+=(const StageTimes& other) {
        for (std::size_t s = 0; s < seconds.size(); ++s) seconds[s] += other.seconds[s];
        return *this;
    }
};

/// Adds the time from its construction to its destruction to one stage.
class StageTimer {
public:
    StageTimer(StageTimes& times, Stage stage) : slot_(times[stage]), begin_(Clock::now()) {}
    ~StageTimer() { slot_ += std::chrono::duration<double>(Clock::now() - begin_).count(); }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    double& slot_;
    Clock::time_point begin_;
};

}  // namespace talus
