#pragma once

#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/broadphase/broad_phase.hpp"

namespace talus {

/// Whether the particles lie so scattered in memory that it pays to arrange them along the curve
/// (curve_order): more than a quarter of the pairs are more than `near` places apart, and more than half of
/// these would not be along the curve. A state that the curve can not help, a giant among small ones, is left
/// alone.
/// @param near places within which both particles of a pair are likely to be in a cache at the same time.
bool scattered(const Particles& particles, const std::vector<Pair>& pairs, Index near);

}  // namespace talus
