#include "event_search.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <functional>

namespace talus::lagrange {

namespace {

/// Parts of an integrator's step at whose ends gaps are looked at.
constexpr int kParts = 8;

using Curve = std::function<double(double)>;

/// Zero of f in [a, b] to rounding; the end with the smaller value where f does not change its sign.
double root(const Curve& f, double a, double b) {
    const double fa = f(a), fb = f(b);
    if (fa == 0.0 || fb == 0.0 || (fa > 0.0) == (fb > 0.0)) return std::abs(fa) <= std::abs(fb) ? a : b;
    std::uintmax_t iterations = 200;
    const auto bracket = boost::math::tools::toms748_solve(
        f, a, b, fa, fb, boost::math::tools::eps_tolerance<double>(52), iterations);
    return 0.5 * (bracket.first + bracket.second);
}

}  // namespace

Vector gap_speeds(const MechanicalSystem& system, const State& state) {
    return system.gap_gradients(state.t, state.q) * state.v + system.gap_rates(state.t, state.q);
}

Vector speed_sizes(const MechanicalSystem& system, const State& state) {
    return system.gap_gradients(state.t, state.q).cwiseAbs() * state.v.cwiseAbs() +
           system.gap_rates(state.t, state.q).cwiseAbs();
}

EventSearch::Sample EventSearch::look(double t) const {
    const State state = motion_.sample(t);
    return {t, system_.gaps(t, state.q), gap_speeds(system_, state), speed_sizes(system_, state),
            motion_.multipliers(state)};
}

/// When gap a falls through zero between two samples, if it does: also where it rises and falls, or dips. A
/// gap that began in the tolerance below zero and does not come out of it closes where it leaves it again.
std::optional<double> EventSearch::closing_time(int a, const Sample& from, const Sample& to) const {
    const Curve gap = [&](double t) { return system_.gaps(t, motion_.locate(t).q)[a]; };
    const Curve rate = [&](double t) { return gap_speeds(system_, motion_.locate(t))[a]; };
    const Curve room = [&](double t) { return gap(t) + gap_tolerance_; };
    const bool falls = to.gaps[a] < 0.0 && to.rates[a] < -kSmallRate * to.speeds[a];
    if (to.gaps[a] < -gap_tolerance_ || falls) {
        if (from.gaps[a] > 0.0) return root(gap, from.t, to.t);
        const double top = from.rates[a] > 0.0 ? root(rate, from.t, to.t) : from.t;
        if (gap(top) > 0.0) return root(gap, top, to.t);
        if (to.gaps[a] >= -gap_tolerance_) return std::nullopt;
        return room(top) > 0.0 ? root(room, top, to.t) : top;
    }
    if (from.rates[a] < 0.0 && to.rates[a] > 0.0) {
        const double lowest = root(rate, from.t, to.t);
        if (room(lowest) < 0.0) return from.gaps[a] > 0.0 ? root(gap, from.t, lowest) : from.t;
    }
    return std::nullopt;
}

std::optional<Event> EventSearch::first(double from, double to) const {
    std::optional<Event> found;
    Sample before = look(from);
    for (int part = 1; part <= kParts && !found; ++part) {
        const Sample after = look(part == kParts ? to : from + (to - from) * part / kParts);
        found = first_between(before, after);
        before = after;
    }
    return found;
}

std::optional<Event> EventSearch::first_between(const Sample& before, const Sample& after) const {
    std::optional<Event> first;
    const auto offer = [&](double t, int constraint, bool is_release) {
        if (!first || t < first->t) first = Event{t, constraint, is_release};
    };
    const std::vector<int>& contacts = motion_.contacts();
    for (int a = 0; a < system_.constraint_count(); ++a) {
        if (std::find(contacts.begin(), contacts.end(), a) != contacts.end()) continue;
        if (const auto t = closing_time(a, before, after)) offer(*t, a, false);
    }
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        if (after.multipliers[k] >= 0.0) continue;
        const Curve multiplier = [&](double t) { return motion_.multipliers(motion_.locate(t))[k]; };
        offer(before.multipliers[k] > 0.0 ? root(multiplier, before.t, after.t) : before.t, contacts[k],
              true);
    }
    return first;
}

}  // namespace talus::lagrange
