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
/// the first, and so does a last point equal to the first. Features: 2 k is segment k, 2 v + 1 point v.
ShapePtr make_polyline(const std::vector<Vec3>& points, bool closed);

/// Corner of a profile, in the half-plane (rho >= 0, height) that is turned around the axis.
struct ProfilePoint {
    double rho;     ///< distance from the axis [m]
    double height;  ///< along the axis [m]; infinite at both ends of a one-segment profile for an unbounded
                    ///< cylinder
};

/// Surface made by turning a line of joined segments about an axis: cylinder, cone, disc, plate with a round
/// orifice, conical and flat-bottomed hopper, 2-D drum. Without thickness; rims are its free ends; a last
/// point equal to the first closes the profile to a ring. Features: as of a polyline.
///
/// Distances are exact: those of the half-plane (rho, height). Where the surface curves around the sphere
/// (inside of a drum, a cone, an orifice) its distance is not convex along a path, but the admissible centres
/// are a convex set, of which every tangent plane is an outer approximation: planes at the place where the
/// sphere ended, added until nothing is violated, converge (Kelley 1960), and the overlap is within the
/// tolerance asked for.
/// @param axis unit vector (normalised here); `origin` the point at height 0.
ShapePtr make_revolved(const Vec3& origin, const Vec3& axis, const std::vector<ProfilePoint>& profile);

/// Triangles that share vertices, with faces, edges and vertices; without thickness. Vertices at exactly the
/// same place are joined; triangles without area (height below 1e-12 of the longest side) and repeated ones
/// are dropped. A vertex in the middle of another triangle's side (T-junction) is not joined: nothing gets
/// through, but both borders count as free and a sphere that slides over them feels their edges. Found
/// through a Boost.Geometry r-tree. Features: faces, then edges, then vertices.
ShapePtr make_triangle_mesh(const std::vector<Vec3>& points,
                            const std::vector<std::array<Index, 3>>& triangles);

}  // namespace talus
