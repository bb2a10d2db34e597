#pragma once

#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/contact/contact.hpp"
#include "talus/contact/find_contacts.hpp"

namespace talus {

/// Distances from the centres to the point where a contact acts, along its normal [m].
struct ContactArms {
    double i, j;  ///< j: 0 for a wall
};

/// Both bodies of a pair are touched at one common point, in the middle of the gap: arms to each own surface
/// would make a couple of the gap's length and lose angular momentum. A wall touches the particle's surface.
ContactArms contact_arms(const Contact& contact, const Particles& particles);

/// Of the particle or, for a pair, of the smaller one [m]: what overlaps are relative to.
double smaller_radius(const Contact& contact, const Particles& particles);

/// 1/m_i + 1/m_j, or 1/m_i at a wall [1/kg]: of the mass that a normal impulse sees.
double inverse_reduced_mass(const Contact& contact, const Particles& particles);

/// The radius of the law of rolling resistance, r_i r_j / (r_i + r_j), or r_i at a wall [m]. Source: S.
/// Luding 2008, "Cohesive, frictional powders: contact models for tension".
double reduced_radius(const Contact& contact, const Particles& particles);

/// Velocity of a moving wall's surface where each contact touches it, the way it makes in the step over h
/// [m/s]; 0 for pairs and walls at rest. Empty when no wall moves.
/// @param placed the walls that the contacts name. @param velocity (m) out.
void surface_velocities(const ContactList& contacts, const std::vector<PlacedWall>& placed,
                        const Particles& particles, double time_step, std::vector<Vec3>& velocity);

/// Angular velocity of the wall that each contact touches: its turn in the step, by less than half a
/// revolution, over h [rad/s]; 0 for pairs and walls at rest. Empty when no wall moves.
/// @param spin (m) out.
void wall_spins(const ContactList& contacts, const std::vector<PlacedWall>& placed, double time_step,
                std::vector<Vec3>& spin);

}  // namespace talus
