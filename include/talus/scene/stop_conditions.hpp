#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "talus/scene/feed.hpp"
#include "talus/scene/scene.hpp"
#include "talus/scene/traffic.hpp"

namespace talus {

/// Decides after each step whether a condition of Scene::stop holds. Looks at states alone, so that the
/// decision is the same for any number of threads; durations are counted in whole steps.
class StopConditions {
public:
    /// @param start the state at t = 0: rest may begin with it.
    StopConditions(const Scene& scene, const System& start);

    /// Looks at the state after a step, without the particles that left in it.
    void look(const System& system, const Traffic& traffic, const std::vector<Feed>& feeds);

    /// The conditions that hold and since when, from the first step on in which one does; empty before.
    const std::string& reason() const { return reason_; }

private:
    /// Each looks at one condition. @return what the reason says; empty while the condition does not hold.
    std::string at_rest(const System& system);
    std::string emptied(const System& system, const std::vector<Feed>& feeds);
    std::string jammed(const System& system, const Traffic& traffic);

    bool rests(const System& system) const;
    std::int64_t passed(const Traffic& traffic) const;
    /// True when `time` has passed in the steps since.
    bool lasts(double time, std::int64_t since, const System& system) const;
    /// Whole steps, rounded up. What is longer than the run is a little longer, however long: its steps might
    /// be too many to be counted.
    std::int64_t steps_of(double time) const;
    std::string since_text(std::int64_t step) const;

    StopOptions options_;
    double time_step_, end_;                                // [s]
    std::optional<std::size_t> counter_, outlet_;           // of options_.jammed: one of them
    std::optional<std::int64_t> rest_since_, empty_since_;  // step
    bool had_particles_ = false;
    std::int64_t passed_ = 0, last_passing_ = 0;  // count; step
    std::int64_t waiting_from_ = 0;               // step
    std::string reason_;
};

}  // namespace talus
