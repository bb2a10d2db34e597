#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace talus {

/// The stages of one step that are timed.
enum class Stage { broad_phase, contacts, prepare, solve, integrate, checks, write };
constexpr std::array<const char*, 7> kStageNames = {"broad_phase", "contacts", "prepare", "solve",
                                                    "integrate",   "checks",   "write"};

/// What was spent in one stage.
struct StageTime {
    double seconds = 0.0;  ///< by the wall clock [s]
    std::int64_t calls = 0;
    double bytes = 0.0;  ///< that had to be moved, where they are counted

    StageTime& operator+=(const StageTime& other) {
        seconds += other.seconds;
        calls += other.calls;
        bytes += other.bytes;
        return *this;
    }
};

/// The same for every stage.
struct StageTimes {
    std::array<StageTime, kStageNames.size()> stages{};

    StageTime& operator[](Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
    const StageTime& operator[](Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
    StageTimes& operator+=(const StageTimes& other) {
        for (std::size_t s = 0; s < stages.size(); ++s) stages[s] += other.stages[s];
        return *this;
    }
};

/// Adds the time from its construction to its destruction, as one call, to one stage.
class StageTimer {
public:
    StageTimer(StageTimes& times, Stage stage) : slot_(times[stage]), begin_(Clock::now()) {}
    ~StageTimer() { slot_ += {std::chrono::duration<double>(Clock::now() - begin_).count(), 1}; }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    using Clock = std::chrono::steady_clock;
    StageTime& slot_;
    Clock::time_point begin_;
};

}  // namespace talus
