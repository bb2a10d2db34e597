#pragma once

#include "talus/scene/scene.hpp"

/// What no computer, or not this one, can hold is refused before the first particle is placed.
namespace talus {

/// @param more particles, beside those of `system`. @throws InputError with their number and memory.
void check_capacity(double more, const System& system);
/// What an inlet can add at once. @param end of the run [s].
void check_capacity(const Inlet& inlet, double end, const System& system);

}  // namespace talus
