#pragma once

#include "talus/step/system.hpp"

/// The shape of what a column has become. Distances are those from the wall or axis at x = 0 (y = 0);
/// frozen grains are no part of it.
namespace talus::validation {

/// Distance within which this share of the mass is [m].
double front(const System& system, double share);

/// Distance up to which the grains, seen from above, cover at least half of the ground [m]: in rings (2-D:
/// strips) of width `width` [m], without interruption, interpolated between the last that is covered and the
/// next.
double covered_front(const System& system, double width);

/// Height of the highest point of a grain [m].
double summit(const System& system);

}  // namespace talus::validation
