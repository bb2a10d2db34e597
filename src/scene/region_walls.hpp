#pragma once

#include <vector>

#include "talus/geometry/region.hpp"
#include "talus/geometry/wall.hpp"

namespace talus {

/// The boundary of a region as walls that keep particles in it.
std::vector<Wall> region_walls(const Region& region, int dimension);

}  // namespace talus
