#pragma once

#include <vector>

#include "talus/contact/contact.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// Contacts that carry an impulse, counted for each particle (n).
std::vector<Index> coordination(const System& system, const ContactList& contacts);

/// Mean over the particles of the number of contacts that carry an impulse [-]; 0 without particles.
double mean_coordination(const System& system, const ContactList& contacts);

/// Mean normal stress of each particle (n): 1/(dim V) times the sum over its contacts of radius * force, V
/// its volume (2-D: area) [Pa; 2-D: N/m]. @param time_step h [s]: force = impulse / h.
std::vector<double> particle_pressure(const System& system, const ContactList& contacts, double time_step);

/// Sum over all particles of 4/3 pi r^3 (3-D) or pi r^2 (2-D) [m^3 or m^2].
double solid_volume(const System& system);

}  // namespace talus
