#pragma once

#include <array>
#include <vector>

#include "talus/geometry/shapes.hpp"

/// Meshes and polylines that several kinds of [[wall]] are made of.
namespace talus::reading {

/// Four corners in order around.
using Quad = std::array<Vec3, 4>;

/// Two triangles for each quad, joined where corners coincide.
ShapePtr mesh_of(const std::vector<Quad>& quads);

/// Unit vectors that, with `normal`, form a right-handed frame: first x second = normal. `first` is the part
/// of `along` across the normal. @throws std::invalid_argument when `along` is parallel to it.
std::array<Vec3, 2> frame_across(const Vec3& normal, const Vec3& along);

}  // namespace talus::reading
