#pragma once

#include <vector>

#include "talus/geometry/wall_shape.hpp"

namespace talus {

/// The part of a convex polygon where `depth` is not negative (Sutherland and Hodgman 1974). A line is a
/// polygon of two corners. @param depth affine function of the point.
template <class Depth>
std::vector<Vec3> clip_polygon(const std::vector<Vec3>& corners, const Depth& depth) {
    std::vector<Vec3> kept;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec3& a = corners[k];
        const Vec3& b = corners[(k + 1) % corners.size()];
        const double depth_a = depth(a), depth_b = depth(b);
        if (depth_a >= 0.0) kept.push_back(a);
        if ((depth_a >= 0.0) != (depth_b >= 0.0)) kept.push_back(a + depth_a / (depth_a - depth_b) * (b - a));
    }
    return kept;
}

/// A convex polygon as triangles, or as a line where it is `flat`; nothing where too few corners are left.
DrawnSurface draw_polygon(const std::vector<Vec3>& corners, bool flat);

}  // namespace talus
