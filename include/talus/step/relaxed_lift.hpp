#pragma once

#include <vector>

#include "talus/contact/find_contacts.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// How far the relaxed law of friction acts beyond what a particle moves: it holds a contact open by h mu
/// |w_T| [m]. Each particle's part of that bound, h mu (|u| + r |omega| + the motion of walls), mu the
/// largest of the scene; empty for the other laws.
/// @param velocity (n) [m/s], @param spin (n) [rad/s]. @param lift (n) out.
void relaxed_lifts(const System& system, const LawTable& law, const std::vector<PlacedWall>& walls,
                   const std::vector<Vec3>& velocity, const std::vector<Vec3>& spin, double time_step,
                   std::vector<double>& lift);

}  // namespace talus
