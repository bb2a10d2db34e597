#pragma once

#include <string>

#include "talus/step/contact_step.hpp"

namespace talus {

/// Overlaps of a state: pairs and walls with gap < -tolerance * smaller radius.
struct OverlapReport {
    Index count = 0;
    double worst = 0.0;         ///< largest overlap over the smaller radius [-]
    double worst_length = 0.0;  ///< the same in metres
    ParticleId first = -1;      ///< ids of the worst; second < 0: -1 - index of the wall
    ParticleId second = -1;
    bool coincident = false;  ///< two centres in the same place: no direction to separate them in

    std::string describe(const System& system) const;
};

/// @param tolerance overlap over the smaller radius that counts as touching [-] (1e-12: rounding only).
OverlapReport find_overlaps(const System& system, double tolerance);

/// Moves overlapping particles apart by the smallest mass-weighted displacement, linearised and repeated
/// until the worst overlap is below `tolerance`: positions change, velocities do not.
/// @return rounds needed. @throws StateError when it can not be done within `max_rounds`.
int resolve_overlaps(System& system, const SolverOptions& solver, double tolerance, int max_rounds = 200);

}  // namespace talus
