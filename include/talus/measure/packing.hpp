#pragma once

#include <vector>

#include "talus/contact/contact.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// Contacts that carry an impulse, counted for each particle (n).
std::vector<Index> coordination(const System& system, const ContactList& contacts);

/// Mean over the particles of the number of contacts that carry an impulse [-]; 0 without particles.
double mean_coordination(const System& system, const ContactList& contacts);

/// Active contacts of each particle (n) that are not with rattlers; 0 for rattlers and frozen particles. A
/// contact is active when it carries an impulse. A rattler has fewer active contacts than hold a particle:
/// dimension + 1 without friction, 2 with friction between any two surfaces, even where
/// rolling is resisted: a grain that stands on one contact carries nothing but itself. Rattlers are removed
/// together with their contacts, again and again until none is left; the order does not matter. Contacts with
/// walls and with frozen particles count; frozen particles are no rattlers.
std::vector<Index> coordination_of_held(const System& system, const ContactList& contacts);

/// Mean of coordination_of_held() over the particles that are held [-]; 0 when none is.
double coordination_no_rattlers(const System& system, const ContactList& contacts);

/// Share that slides of the active contacts between surfaces with friction [-]; 0 when there are none.
/// @param contacts of one step. Particles may have been removed since: only laws and impulses are read.
double sliding_fraction(const System& system, const ContactList& contacts);

/// Mean normal stress of each particle (n): 1/(dim V) times the sum over its contacts of radius * force, V
/// its volume (2-D: area) [Pa; 2-D: N/m]. @param time_step h [s]: force = impulse / h.
std::vector<double> particle_pressure(const System& system, const ContactList& contacts, double time_step);

/// Sum over all particles of 4/3 pi r^3 (3-D) or pi r^2 (2-D) [m^3 or m^2].
double solid_volume(const System& system);

}  // namespace talus
