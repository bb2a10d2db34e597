#include "region_walls.hpp"

#include <algorithm>
#include <utility>

#include "talus/geometry/shapes.hpp"

namespace talus {

namespace {

Wall boundary(ShapePtr shape) {
    Wall wall;
    wall.name = "region";
    wall.shape = std::move(shape);
    return wall;
}

/// Corners of a closed region: from the axis along the bottom, up the profile and back to the axis.
RegionProfile closed_profile(const Region& region) {
    RegionProfile corners = profile_of(region);
    if (corners.front().first > 0.0) corners.insert(corners.begin(), {0.0, corners.front().second});
    if (corners.back().first > 0.0) corners.emplace_back(0.0, corners.back().second);
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    return corners;
}

std::vector<Wall> box_walls(const Region& region, int dimension) {
    std::vector<Wall> walls;
    for (int k = 0; k < dimension; ++k) {
        for (const double side : {1.0, -1.0}) {
            Vec3 point = side > 0.0 ? region.low : region.high;
            if (dimension == 2) point[2] = 0.0;
            walls.push_back(boundary(make_half_space(point, side * Vec3::Unit(k))));
        }
    }
    return walls;
}

Wall outline_wall(const Region& region) {
    const Vec3 axis = region.axis.normalized();
    const Vec3 side(-axis[1], axis[0], 0.0);
    const RegionProfile corners = closed_profile(region);
    std::vector<Vec3> points;
    for (const auto& [r, h] : corners) points.push_back(region.origin + h * axis + r * side);
    for (std::size_t k = corners.size(); k-- > 0;) {
        if (corners[k].first == 0.0) continue;  // corners on the axis are their own mirror images
        points.push_back(region.origin + corners[k].second * axis - corners[k].first * side);
    }
    return boundary(make_polyline(points, true));
}

}  // namespace

std::vector<Wall> region_walls(const Region& region, int dimension) {
    if (region.kind == Region::Kind::box) return box_walls(region, dimension);
    if (dimension == 2) return {outline_wall(region)};
    std::vector<ProfilePoint> profile;
    for (const auto& [r, h] : closed_profile(region)) profile.push_back({r, h});
    return {boundary(make_revolved(region.origin, region.axis, profile))};
}

}  // namespace talus
