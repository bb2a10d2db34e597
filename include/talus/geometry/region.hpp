#pragma once

#include <utility>
#include <vector>

#include "talus/core/types.hpp"
#include "talus/geometry/wall_shape.hpp"

namespace talus {

/// Corners (radius, height) of a surface of revolution [m].
using RegionProfile = std::vector<std::pair<double, double>>;

/// Space that a generator fills, or in which something is measured. A hopper is the space inside a surface of
/// revolution: a profile (radius over height along the axis), closed by a disc at either end; box and
/// cylinder as named. In 2-D the box and the profile exist; the profile is then a half-width on both sides of
/// an axis that lies in the plane z = 0.
struct Region {
    enum class Kind { box, cylinder, revolved };
    Kind kind = Kind::box;
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< box [m] (z ignored in 2-D)
    Vec3 origin = Vec3::Zero(),
         axis = Vec3::UnitZ();          ///< cylinder and revolved: point at height 0, unit axis
    double radius = 0.0, height = 0.0;  ///< cylinder [m]
    RegionProfile profile;  ///< revolved: (radius, height), height never decreasing; two equal heights make a
                            ///< flat step [m]

    double volume(int dimension) const;  ///< [m^3] or [m^2]
    /// Distance from x to the boundary where x is inside [m]; negative outside (not a distance there).
    double clearance(const Vec3& x, int dimension) const;
    /// A ball of radius `margin` around x lies inside: clearance >= margin.
    bool contains(const Vec3& x, double margin, int dimension) const;
    Box bounds() const;
};

/// @throws InputError that says which parameter of the region is wrong and what is expected.
void validate(const Region& region, int dimension);

/// The profile of a cylinder or revolved region.
RegionProfile profile_of(const Region& region);

}  // namespace talus
