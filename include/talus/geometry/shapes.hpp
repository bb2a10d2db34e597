#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "talus/geometry/wall_shape.hpp"

/// The four kinds of wall that all others are made of. Every function throws std::invalid_argument with one
/// clear sentence when its arguments describe no wall (zero normal, repeated points, negative radius).
namespace talus {

using ShapePtr = std::shared_ptr<const WallShape>;

/// Solid half-space {x : normal . (x - point) <= 0}; in 2-D normal and point have z = 0.
ShapePtr make_half_space(const Vec3& point, const Vec3& normal);

/// Segments joined end to end in the plane z = 0 (2-D), without thickness; `closed` joins the last point to
/// the first.
ShapePtr make_polyline(const std::vector<Vec3>& points, bool closed);

/// Corner of a profile, in the half-plane (rho >= 0, height) that is turned around the axis.
struct ProfilePoint {
    double rho;     ///< distance from the axis [m]
    double height;  ///< along the axis [m]; infinite at both ends of a one-segment profile for an unbounded
                    ///< cylinder
};

/// Surface made by turning a line of joined segments about an axis: cylinder, cone, disc, plate with a round
/// orifice, conical and flat-bottomed hopper, 2-D drum. Without thickness; rims are its free ends.
/// @param axis unit vector (normalised here); `origin` the point at height 0.
ShapePtr make_revolved(const Vec3& origin, const Vec3& axis, const std::vector<ProfilePoint>& profile);

/// Triangles that share vertices, with faces, edges and vertices; without thickness. Vertices at exactly the
/// same place are joined, triangles without area dropped. Found through a Boost.Geometry r-tree.
ShapePtr make_triangle_mesh(const std::vector<Vec3>& points,
                            const std::vector<std::array<Index, 3>>& triangles);

}  // namespace talus
