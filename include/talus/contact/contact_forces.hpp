#pragma once

#include "talus/bodies/particles.hpp"
#include "talus/contact/contact.hpp"

namespace talus {

/// Sets contact_force [N] and contact_torque [N m] of every particle to the sums over its contacts, from
/// their impulses over h. @param particles where the contacts were found: their radii give the arms.
void set_contact_forces(const ContactList& contacts, double time_step, Particles& particles);

}  // namespace talus
