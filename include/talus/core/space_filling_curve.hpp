#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// Place on the Morton curve (z-order) of the cubic cell that a point lies in: the bits of its three cell
/// numbers by turns, so that cells whose keys agree but for the last 3 b bits lie in one cube of 2^b cells.
///
/// Any finite point is allowed: cells beyond the last, 2^20 from the origin, are one cell with it.
/// @param origin corner of a cell [m]. @param cell its width [m], > 0.
std::uint64_t curve_key(const Vec3& point, const Vec3& origin, double cell);

/// The points in the order in which the curve comes to their cells; those of one cell keep theirs.
/// @param points (n) [m]. @param origin, cell as of curve_key. @return (n) number of the k-th point.
std::vector<Index> curve_order(std::span<const Vec3> points, const Vec3& origin, double cell);

}  // namespace talus
