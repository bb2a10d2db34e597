#pragma once

#include <vector>

#include "talus/bodies/particles.hpp"

namespace talus {

/// How far each particle is expected to move in a step: h |v| + margin * radius [m]. It belongs to the
/// particle, so one fast grain enlarges nobody else's. A frozen particle reaches nowhere.
void initial_reach(const Particles& particles, const std::vector<Vec3>& velocity, double time_step,
                   double margin, std::vector<double>& reach);

}  // namespace talus
