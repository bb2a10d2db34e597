#pragma once

#include <tuple>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// A pair of particles, or a particle and a wall, close enough to matter in this step.
struct Contact {
    Index i;               ///< particle
    Index j;               ///< particle, i < j; -1 for a wall
    std::int32_t wall;     ///< index of the wall, -1 for a pair
    std::int32_t feature;  ///< face, edge, vertex of the wall; 0 for a pair
    Index law;             ///< number of the law of its surfaces in the LawTable
    bool sliding = false;  ///< the tangential impulse is at Coulomb's bound
    Vec3 normal;           ///< unit vector from i to j, or from i to the wall
    double gap;         ///< D(t + h, q^n): radii and walls at the end of the step, centres at its start [m]
    double gap_before;  ///< D(t, q^n) on the same normal [m]: what the change of radii and walls is measured
                        ///< from
    double impulse = 0.0;    ///< multiplier of the step: the sum over its solves [N s]
    double sustained = 0.0;  ///< part of it that carries the step's force and no impact: the next step's
                             ///< guess [N s]
    Vec3 tangential = Vec3::Zero();  ///< impulse on j, or on the wall, across the normal [N s]
    Vec3 moment = Vec3::Zero();      ///< on j, or on the wall, against rolling, across the normal [N m s]
};

/// The part of the normal impulse that carries the step's force and no impact [-]: about that part of the
/// tangential one and of the moment is what the next solve starts from. 1 for a contact not solved yet, whose
/// impulses are such guesses already.
inline double sustained_share(const Contact& contact) {
    return contact.impulse > 0.0 ? contact.sustained / contact.impulse : 1.0;
}

/// What tells contacts apart, and orders a list: pairs before walls, then by particles, walls and features.
/// Cuts of curved walls stand behind, in the order in which they were made.
inline auto contact_key(Index i, Index j, std::int32_t wall, std::int32_t feature) {
    return std::make_tuple(j < 0, i, j < 0 ? wall : j, feature);
}
inline auto contact_key(const Contact& c) {
    return contact_key(c.i, c.j, c.wall, c.feature);
}

using ContactList = std::vector<Contact>;

}  // namespace talus
