#pragma once

#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// A pair of particles, or a particle and a wall, close enough to matter in this step.
struct Contact {
    Index i;               ///< particle
    Index j;               ///< particle, i < j; -1 for a wall
    std::int32_t wall;     ///< index of the wall, -1 for a pair
    std::int32_t feature;  ///< face, edge, vertex of the wall; 0 for a pair
    Vec3 normal;           ///< unit vector from i to j, or from i to the wall
    double gap;          ///< D(t + h, q^n): radii and walls at the end of the step, centres at its start [m]
    double gap_before;   ///< D(t, q^n) on the same normal [m]: what the change of radii and walls is measured
                         ///< from
    double restitution;  ///< e in [0, 1] [-]
    double impulse;      ///< multiplier of the step: the sum over its solves [N s]
    double
        sustained;  ///< part of it that carries the step's force and no impact: the next step's guess [N s]
    double friction = 0.0;           ///< Coulomb's mu >= 0 [-]
    double rolling = 0.0;            ///< lever arm of the rolling resistance over the radius [-], >= 0
    Vec3 tangential = Vec3::Zero();  ///< impulse on j, or on the wall, across the normal [N s]
    bool sliding = false;            ///< the tangential impulse is at Coulomb's bound
};

using ContactList = std::vector<Contact>;

}  // namespace talus
