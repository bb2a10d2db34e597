#pragma once

#include <utility>
#include <vector>

#include "talus/scene/generators.hpp"

namespace talus {

/// Corners (radius, height) of the surface of revolution of a cylinder or revolved region.
using RegionProfile = std::vector<std::pair<double, double>>;

RegionProfile profile_of(const Region& region);

/// The boundary of a region as walls that keep particles in it.
std::vector<Wall> region_walls(const Region& region, int dimension);

}  // namespace talus
