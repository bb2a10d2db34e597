#pragma once

#include <optional>

#include "smooth_motion.hpp"

namespace talus::lagrange {

/// Rates and accelerations are known to this part of the sizes that they are the sums of.
constexpr double kSmallRate = 1e-13;

/// A gap that closes, or a contact whose multiplier falls through zero.
struct Event {
    double t;
    int constraint;
    bool is_release;
};

/// G v + dg/dt, (nu).
Vector gap_speeds(const MechanicalSystem& system, const State& state);

/// (nu) what the rates of the gaps are sums of, |G| |v| + |dg/dt|: their rounding is a part of it.
Vector speed_sizes(const MechanicalSystem& system, const State& state);

/// Looks for the first event of a smooth motion.
class EventSearch {
public:
    /// @param gap_tolerance a gap above minus this is not closed.
    EventSearch(const MechanicalSystem& system, SmoothMotion& motion, double gap_tolerance)
        : system_(system), motion_(motion), gap_tolerance_(gap_tolerance) {}

    /// First event in [from, to], within the last step of the motion. Gaps and multipliers are compared at a
    /// few instants, with their rates: a gap that dips, or rises and falls, once between two of them is seen.
    std::optional<Event> first(double from, double to) const;

private:
    struct Sample {
        double t;
        Vector gaps, rates, speeds, multipliers;
    };

    Sample look(double t) const;
    std::optional<Event> first_between(const Sample& before, const Sample& after) const;
    std::optional<double> closing_time(int a, const Sample& from, const Sample& to) const;

    const MechanicalSystem& system_;
    SmoothMotion& motion_;
    double gap_tolerance_;
};

}  // namespace talus::lagrange
