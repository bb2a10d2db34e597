#pragma once

#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/contact/contact.hpp"

namespace talus {

/// Sums over the contacts of each particle, from their impulses over h.
/// @param time_step h [s]. @param particles that the contacts are between.
/// @param force (n) [N], out.
void contact_forces(const ContactList& contacts, double time_step, const Particles& particles,
                    std::vector<Vec3>& force);

/// The same of the torques about the centres. @param particles where the contacts were found: their radii
/// give the arms. @param torque (n) [N m], out.
void contact_torques(const ContactList& contacts, double time_step, const Particles& particles,
                     std::vector<Vec3>& torque);

}  // namespace talus
