#include "talus/lagrange/event_driven.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "contact_closing.hpp"
#include "event_search.hpp"
#include "impact_law.hpp"
#include "selection.hpp"
#include "talus/core/error.hpp"

namespace talus::lagrange {

namespace {

/// Gaps that close within this part of the time of accumulation from each other are one impact,
constexpr double kInstant = 0.01;
/// and those below this part of the gap tolerance touch, whatever their rate is.
constexpr double kTouching = 1e-3;

bool holds(const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

struct EventDriven::Motion {
    Motion(const MechanicalSystem& given, const EventDrivenOptions& chosen)
        : system(given),
          options(chosen),
          restitution(expanded(chosen.restitution, given)),
          smooth(given, chosen.tolerance, chosen.max_step),
          search(given, smooth, chosen.gap_tolerance),
          closing(given, restitution, chosen.accumulation_time) {}

    const MechanicalSystem& system;
    EventDrivenOptions options;
    Vector restitution;
    SmoothMotion smooth;
    EventSearch search;
    ContactClosing closing;
    std::vector<Impact> impacts;

    void resolve(const Event& event);
    std::vector<int> touching(const State& state, const Event& event) const;
    std::vector<int> settle(State& state, const std::vector<int>& touching, double speed, const Event& event);
};

/// What takes part in an event: contacts, and gaps that close as good as now. A flight lower than the gap
/// tolerance is none of these before it lands.
std::vector<int> EventDriven::Motion::touching(const State& state, const Event& event) const {
    const Vector gaps = system.gaps(state.t, state.q), rates = gap_speeds(system, state);
    const double instant = kInstant * options.accumulation_time;
    std::vector<int> list;
    for (int a = 0; a < gaps.size(); ++a) {
        const bool is_event = !event.is_release && a == event.constraint;
        const double reach =
            std::min(options.gap_tolerance, std::max(kTouching * options.gap_tolerance, -rates[a] * instant));
        if (is_event || gaps[a] <= reach || holds(smooth.contacts(), a)) list.push_back(a);
    }
    return list;
}

/// Which of the touching constraints stay in contact; ends series of bounces that are about to accumulate.
/// @param speed size of the rates of which the present ones are the remainder.
std::vector<int> EventDriven::Motion::settle(State& state, const std::vector<int>& touching, double speed,
                                             const Event& event) {
    const Vector rate = gap_speeds(system, state);
    const int released = event.is_release ? event.constraint : -1;
    std::vector<int> held;
    for (const int a : touching) {
        if (a != released && rate[a] <= kSmallRate * speed) held.push_back(a);
    }
    closing.extend(state, released, held);
    smooth.restart(state, held);  // puts gaps and rates of all that are held to zero
    state = smooth.sample(state.t);
    const Vector multipliers = constrained_acceleration(system, state, held).multipliers;
    std::vector<int> contacts;
    for (std::size_t k = 0; k < held.size(); ++k) {
        if (multipliers[k] > 0.0) contacts.push_back(held[k]);
    }
    return contacts;
}

void EventDriven::Motion::resolve(const Event& event) {
    State state = smooth.locate(event.t);
    const std::vector<int> list = touching(state, event);
    const std::vector<int> old_contacts = smooth.contacts();
    const Matrix gradients = select_rows(system.gap_gradients(state.t, state.q), list);
    const Vector drift = select(system.gap_rates(state.t, state.q), list);
    const Vector rates_before = gap_speeds(system, state), before = state.v;
    const double speed = select(speed_sizes(system, state), list).lpNorm<Eigen::Infinity>();

    Vector impulses = Vector::Zero(system.constraint_count());
    const bool is_impact = (select(rates_before, list).array() < -kSmallRate * speed).any();
    if (is_impact) {
        const Eigen::LLT<Matrix> metric = factorised_mass(system, state.q);
        const Vector e = select(restitution, list);
        const ImpactOutput output = collide({metric, gradients, drift, e, before});
        if (output.status != Status::converged) {
            throw StateError(
                fmt::format("t = {:g}: no velocity satisfies all touching constraints", state.t));
        }
        state.v = output.after;
        for (std::size_t k = 0; k < list.size(); ++k) impulses[list[k]] = output.impulses[k];
    }
    const std::vector<int> contacts = settle(state, list, speed, event);
    smooth.restart(state, contacts);
    if (!is_impact) return;
    std::vector<int> closed;
    for (const int a : contacts) {
        if (!holds(old_contacts, a)) closed.push_back(a);
    }
    impacts.push_back({state.t, impulses, before, state.v, rates_before, gap_speeds(system, state), closed});
}

EventDriven::EventDriven(const MechanicalSystem& system, State start, double h,
                         const EventDrivenOptions& options)
    : Scheme(system, std::move(start), h), motion_(std::make_unique<Motion>(system, options)) {
    if (!(options.tolerance > 0.0) || !(options.max_step > 0.0) || !(options.gap_tolerance > 0.0) ||
        !(options.accumulation_time > 0.0) || options.max_impacts < 1) {
        throw std::invalid_argument("event-driven integration: every option must be positive");
    }
    const double overlap = violation(system, state_.t, state_.q);
    if (overlap > options.gap_tolerance) {
        throw std::invalid_argument(fmt::format("the start violates a constraint by {:.3g}", overlap));
    }
    motion_->smooth.restart(state_, {});
    motion_->resolve({state_.t, -1, false});  // contacts, and impacts, at the start
    state_ = motion_->smooth.sample(state_.t);
}

EventDriven::~EventDriven() = default;

const std::vector<Impact>& EventDriven::impacts() const {
    return motion_->impacts;
}

const std::vector<int>& EventDriven::contacts() const {
    return motion_->smooth.contacts();
}

long EventDriven::force_evaluations() const {
    return motion_->smooth.evaluations();
}

StepReport EventDriven::advance() {
    SmoothMotion& smooth = motion_->smooth;
    StepReport report;
    report.impulses = Vector::Zero(system_.constraint_count());
    const std::size_t impacts_before = motion_->impacts.size();
    const double end = state_.t + h_;
    double now = state_.t;
    int events = 0;
    while (now < end) {
        if (now >= smooth.known_until()) smooth.advance();
        const double to = std::min(smooth.known_until(), end);
        const std::optional<Event> event = motion_->search.first(now, to);
        now = event ? event->t : to;
        if (!event) continue;
        motion_->resolve(*event);
        if (++events > motion_->options.max_impacts) {
            throw StateError(fmt::format("t = {:g}: more than {} events within one step", now,
                                         motion_->options.max_impacts));
        }
    }
    for (std::size_t k = impacts_before; k < motion_->impacts.size(); ++k) {
        report.impulses += motion_->impacts[k].impulses;
    }
    const State reached = smooth.locate(end);
    state_.q = reached.q;
    state_.v = reached.v;
    return report;
}

}  // namespace talus::lagrange
