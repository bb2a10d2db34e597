#include "talus/scene/stop_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "talus/measure/mechanics.hpp"
#include "talus/scene/simulation.hpp"
#include "talus/step/step_time.hpp"

namespace talus {

namespace {

template <class Item>
std::optional<std::size_t> find_named(const std::vector<Item>& items, const std::string& name) {
    const auto found =
        std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
    if (found == items.end()) return {};
    return static_cast<std::size_t>(found - items.begin());
}

/// Keeps the step in which a state began; forgets it when the state is no longer there.
void follow(std::optional<std::int64_t>& since, bool there, std::int64_t step) {
    if (!there) since.reset();
    if (there && !since) since = step;
}

}  // namespace

StopConditions::StopConditions(const Scene& scene, const System& start)
    : options_(scene.stop), time_step_(scene.step.time_step), end_(scene.end) {
    if (options_.jammed) {
        counter_ = find_named(scene.counters, options_.jammed->name);
        if (!counter_) outlet_ = find_named(scene.outlets, options_.jammed->name);
        if (options_.jammed->from.value_or(0.0) > 0.0) waiting_from_ = steps_of(*options_.jammed->from);
    }
    if (options_.at_rest) follow(rest_since_, rests(start), start.step);
    had_particles_ = options_.emptied && mobile_count(start) > 0;
}

void StopConditions::look(const System& system, const Traffic& traffic, const std::vector<Feed>& feeds) {
    if (!reason_.empty()) return;
    std::string held;
    const auto add = [&held](const std::string& text) {
        if (!held.empty() && !text.empty()) held += "; ";
        held += text;
    };
    if (options_.at_rest) add(at_rest(system));
    if (options_.emptied) add(emptied(system, feeds));
    if (counter_ || outlet_) add(jammed(system, traffic));
    reason_ = held;
}

std::string StopConditions::at_rest(const System& system) {
    follow(rest_since_, rests(system), system.step);
    if (!rest_since_ || !lasts(options_.at_rest->time, *rest_since_, system)) return {};
    return fmt::format("at rest, mean kinetic energy of a particle below {:.6g} J {}",
                       options_.at_rest->energy, since_text(*rest_since_));
}

std::string StopConditions::emptied(const System& system, const std::vector<Feed>& feeds) {
    // A particle may come and go within one step, so what inlets have made counts too.
    const bool empty = mobile_count(system) == 0;
    bool will_add = false;
    had_particles_ = had_particles_ || !empty;
    for (const Feed& feed : feeds) {
        had_particles_ = had_particles_ || feed.created() > 0;
        will_add = will_add || feed.will_add(system.time);
    }
    follow(empty_since_, empty && had_particles_, system.step);
    if (!empty_since_ || will_add) return {};
    return "emptied, no particle is left inside " + since_text(*empty_since_);
}

std::string StopConditions::jammed(const System& system, const Traffic& traffic) {
    const std::int64_t now = passed(traffic);
    if (now > passed_) last_passing_ = system.step;
    passed_ = now;
    const std::int64_t since = std::max(last_passing_, waiting_from_);
    const bool waiting = passed_ > 0 || (options_.jammed->from && system.step >= waiting_from_);
    if (!waiting || !lasts(options_.jammed->time, since, system)) return {};
    // Where all have passed, the flow has ended but is not jammed.
    const bool more = counter_ ? traffic.any_behind(*counter_, system) : mobile_count(system) > 0;
    if (!more) return {};
    return fmt::format("jammed, nothing has passed '{}' {}", options_.jammed->name, since_text(since));
}

bool StopConditions::rests(const System& system) const {
    // Without any mobile particle this is 0 < 0: nothing rests.
    return kinetic_energy(system) < options_.at_rest->energy * static_cast<double>(mobile_count(system));
}

std::int64_t StopConditions::passed(const Traffic& traffic) const {
    return counter_ ? traffic.counted()[*counter_] : traffic.removed_by_outlet()[*outlet_];
}

bool StopConditions::lasts(double time, std::int64_t since, const System& system) const {
    return system.step - since >= steps_of(time);
}

std::int64_t StopConditions::steps_of(double time) const {
    return count_steps(std::min(time, end_ + 2.0 * time_step_), time_step_);
}

std::string StopConditions::since_text(std::int64_t step) const {
    return fmt::format("since t = {:.9g} s", step_time(step, time_step_));
}

}  // namespace talus
