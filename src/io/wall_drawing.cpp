#include "wall_drawing.hpp"

#include <algorithm>

#include "talus/geometry/convex_polygon.hpp"

namespace talus {
namespace {

/// Room around the first state for what flows out of it, as a fraction of its largest extent.
constexpr double kMargin = 0.5;
/// Half the width of the view where there is nothing to be seen [m].
constexpr double kEmptyHalfWidth = 1.0;
/// Rounding of a drawn point that lies on the border of its wall's box or in the plane of another wall,
/// relative to its coordinates.
constexpr double kRounding = 1e-9;

class GrowingBox {
public:
    void add(const Vec3& low, const Vec3& high) {
        if (!low.allFinite() || !high.allFinite()) return;
        box_.low = empty_ ? low : box_.low.cwiseMin(low);
        box_.high = empty_ ? high : box_.high.cwiseMax(high);
        empty_ = false;
    }
    Box padded(int dimension) const {
        Box box = box_;
        double pad = kMargin * (box.high - box.low).maxCoeff();
        if (!(pad > 0.0)) pad = kEmptyHalfWidth;
        const Vec3 margin(pad, pad, dimension == 2 ? 0.0 : pad);
        return {box.low - margin, box.high + margin};
    }

private:
    Box box_{Vec3::Zero(), Vec3::Zero()};
    bool empty_ = true;
};

/// Box around the box `local` after `pose`.
Box placed(const Box& local, const Pose& pose) {
    Box box{pose.to_world(local.low), pose.to_world(local.low)};
    for (int corner = 1; corner < 8; ++corner) {
        const Vec3 point((corner & 1) != 0 ? local.high.x() : local.low.x(),
                         (corner & 2) != 0 ? local.high.y() : local.low.y(),
                         (corner & 4) != 0 ? local.high.z() : local.low.z());
        const Vec3 world = pose.to_world(point);
        box.low = box.low.cwiseMin(world);
        box.high = box.high.cwiseMax(world);
    }
    return box;
}

Box view_of(const Frame& frame) {
    GrowingBox box;
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        const double r = frame.radius[i];
        const Vec3 reach(r, r, frame.dimension == 2 ? 0.0 : r);
        box.add(frame.position[i] - reach, frame.position[i] + reach);
    }
    for (const Wall& wall : frame.walls) {
        const Box bounds = wall.shape->bounds();
        if (!bounds.low.allFinite() || !bounds.high.allFinite()) continue;
        const Box world = placed(bounds, wall.motion.pose(frame.time));
        box.add(world.low, world.high);
    }
    return box.padded(frame.dimension);
}

bool lies_within(const DrawnSurface& surface, const Box& box) {
    return std::all_of(surface.points.begin(), surface.points.end(), [&box](const Vec3& point) {
        const double slack = kRounding * point.cwiseAbs().maxCoeff();
        return (point - box.low).minCoeff() >= -slack && (box.high - point).minCoeff() >= -slack;
    });
}

/// Cuts a half-space by the others. One of which nothing would be left (a gate that was drawn out of the box)
/// stays whole.
void cut_by_others(PlacedSurface& placed, const Frame& frame) {
    std::vector<Vec3> corners = placed.surface.points;
    for (std::size_t w = 0; w < frame.walls.size(); ++w) {
        const Wall& other = frame.walls[w];
        const bool cuts = static_cast<std::int32_t>(w) != placed.wall && other.shape->solid();
        if (!cuts || !other.present(frame.time)) continue;
        const Pose pose = other.motion.pose(frame.time);
        corners = clip_polygon(corners, [&](const Vec3& x) {
            return other.shape->distance(pose.to_local(x)) + kRounding * x.cwiseAbs().maxCoeff();
        });
    }
    const DrawnSurface cut = draw_polygon(corners, placed.surface.triangles.empty());
    if (!cut.points.empty()) placed.surface = cut;
}

}  // namespace

WallDrawing::WallDrawing(const Frame& first) {
    const Box view = view_of(first);
    for (std::size_t i = 0; i < first.walls.size(); ++i) {
        const WallShape& shape = *first.walls[i].shape;
        DrawnSurface surface = shape.draw(view);
        const bool bounded = lies_within(surface, shape.bounds());
        at_rest_.push_back({static_cast<std::int32_t>(i), bounded, std::move(surface)});
    }
}

std::vector<PlacedSurface> WallDrawing::at(const Frame& frame) const {
    std::vector<PlacedSurface> placed_surfaces;
    for (const PlacedSurface& rest : at_rest_) {
        const Wall& wall = frame.walls[static_cast<std::size_t>(rest.wall)];
        if (!wall.present(frame.time)) continue;
        const Pose pose = wall.motion.pose(frame.time);
        placed_surfaces.push_back(rest);
        for (Vec3& point : placed_surfaces.back().surface.points) point = pose.to_world(point);
        if (wall.shape->solid()) cut_by_others(placed_surfaces.back(), frame);
    }
    return placed_surfaces;
}

}  // namespace talus
