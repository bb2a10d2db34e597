#pragma once

#include "talus/lagrange/projection.hpp"

namespace talus::lagrange {

/// Gauss' principle: a = argmin |a - M^-1 force|_M over {G a + bending >= 0} for the constraints held.
LinearProjection constrained_acceleration(const MechanicalSystem& system, const State& state,
                                          const std::vector<int>& held);

/// Ends series of bounces that are about to accumulate, at one constraint or at several at once.
///
/// With the gap's acceleration -a < 0 a gap g with the rate r is on a parabola that lasts 2 s/a, s = sqrt(r^2
/// + 2 a g) being the speed of its landing. The series of bounces e s, e^2 s, ... that follows lasts less
/// than 2 s/(a (1 - e)). Where that is below the time of accumulation the constraint closes, whether it
/// touches already or flies while others bounce, as the corners of a block do in turn. So does one whose
/// flight is no higher than the rounding of its gap. What closes changes accelerations: others may follow.
class ContactClosing {
public:
    /// @param restitution (nu) [-], @param accumulation_time [s].
    ContactClosing(const MechanicalSystem& system, Vector restitution, double accumulation_time);

    /// Adds the constraints that close to those held, but not the one that is being released (-1: none).
    void extend(const State& state, int released, std::vector<int>& held) const;

private:
    /// The numbers of the constraints that are not held and close, given the accelerations of those held.
    std::vector<int> closing(const State& state, int released, const std::vector<int>& held) const;

    const MechanicalSystem& system_;
    Vector longest_flight_;  ///< (nu) [s]
};

}  // namespace talus::lagrange
