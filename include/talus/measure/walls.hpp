#pragma once

#include <string>
#include <vector>

#include "talus/contact/contact.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// The names of the walls, each once, in the order of their first walls: the faces of a box share one, and so
/// do the pieces of a hopper.
std::vector<std::string> wall_names(const std::vector<Wall>& walls);

/// Force of the particles on the walls of each name, in the order of wall_names() [N] (2-D: N/m when masses
/// are per metre of depth): the sum over their contacts of (impulse * normal + tangential) / h, so the mean
/// over one step, impacts included. A contact without a normal impulse carries nothing: its tangential
/// impulse is at most a guess.
/// @param contacts of one step. Particles may have been removed since: only walls and impulses are read.
/// @param time_step h [s].
std::vector<Vec3> wall_forces(const System& system, const ContactList& contacts, double time_step);

}  // namespace talus
