#pragma once

#include <vector>

#include "talus/core/random.hpp"
#include "talus/geometry/region.hpp"

namespace talus {

/// Proposes places for balls inside a region, uniformly in a set that holds every admissible place and is at
/// most a few times larger, however thin the region is or however unequal the parts of its profile are.
class RegionSampler {
public:
    RegionSampler(const Region& region, int dimension);

    /// Three uniform draws of `random` (two in 2-D) in, a centre for a ball of this radius out. The caller
    /// tests whether the region contains it.
    Vec3 propose(Random& random, double radius) const;

private:
    Vec3 propose_in_box(Random& random, double radius) const;
    Vec3 propose_in_profile(Random& random, double radius) const;

    Region region_;
    int dimension_;
    RegionProfile profile_;
    Vec3 axis_, side_, other_side_;  // orthonormal; the last is zero in 2-D
};

}  // namespace talus
