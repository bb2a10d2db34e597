#pragma once

#include "talus/bodies/particles.hpp"

namespace talus {

/// Turns every particle by its angular velocity, constant over the step: exactly, by the exponential
/// q <- exp(h omega / 2) q with omega in the world's frame, then scaled to length 1. A particle without spin
/// keeps the bits of its orientation. @param time_step h [s].
void turn(Particles& particles, double time_step);

}  // namespace talus
