#pragma once

#include <array>
#include <vector>

#include "talus/bodies/particles.hpp"

namespace talus {

/// v = u^n + h M^-1 f^n, the velocity without contacts, where f^n is the mean of the force over the step
/// (Bernicot and Lefebvre-Lepot 2010 (1.11)). Frozen particles keep velocity 0.
/// @param gravity components as functions of time [m/s^2]. @param velocity (n) out [m/s].
void free_velocity(const Particles& particles, const std::array<Schedule, 3>& gravity, double t0, double t1,
                   std::vector<Vec3>& velocity);

}  // namespace talus
