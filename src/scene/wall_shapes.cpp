#include "wall_shapes.hpp"

#include <Eigen/Geometry>
#include <stdexcept>

namespace talus::reading {

ShapePtr mesh_of(const std::vector<Quad>& quads) {
    std::vector<Vec3> points;
    std::vector<std::array<Index, 3>> triangles;
    for (const Quad& quad : quads) {
        const auto first = static_cast<Index>(points.size());
        points.insert(points.end(), quad.begin(), quad.end());
        triangles.push_back({first, first + 1, first + 2});
        triangles.push_back({first, first + 2, first + 3});
    }
    return make_triangle_mesh(points, triangles);
}

std::array<Vec3, 2> frame_across(const Vec3& normal, const Vec3& along) {
    const Vec3 across = along - along.dot(normal) * normal;
    // Both are unit vectors: below this the direction is rounding.
    constexpr double parallel = 1e-7;
    if (across.norm() < parallel) throw std::invalid_argument("the direction `along` is that of the normal");
    const Vec3 first = across.normalized();
    return {first, normal.cross(first)};
}

}  // namespace talus::reading
