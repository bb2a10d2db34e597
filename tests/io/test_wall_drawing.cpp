#include "../../src/io/wall_drawing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "talus/geometry/shapes.hpp"

using namespace talus;

namespace {

Frame frame_of(const System& system) {
    Frame frame;
    frame.take(system, {}, 1.0, false);
    return frame;
}

}  // namespace

TEST_CASE("half-spaces end where they meet, so that those of an open box look like one at any time") {
    System system;
    system.walls.resize(3);
    system.walls[0].shape = make_half_space({0, 0, 0}, {0, 0, 1});
    system.walls[1].shape = make_half_space({0, 0, 0}, {1, 0, 0});
    system.walls[2].shape = make_half_space({1, 0, 0}, {-1, 0, 0});
    system.walls[2].motion.displacement = Schedule::table({0.0, 1.0}, {0.0, 0.25});
    system.walls[0].until = 2.0;
    const WallDrawing drawing(frame_of(system));
    const auto extent = [&](double time, std::size_t wall, int axis) {
        system.time = time;
        const DrawnSurface surface = drawing.at(frame_of(system)).at(wall).surface;
        std::vector<double> x;
        for (const Vec3& point : surface.points) x.push_back(point[axis]);
        const auto [low, high] = std::minmax_element(x.begin(), x.end());
        return std::pair(*low, *high);
    };
    const double near = 1e-8;  // walls may stand beyond each other by the rounding of a drawn point
    CHECK(std::abs(extent(0.0, 0, 0).first) < near);
    CHECK(std::abs(extent(0.0, 0, 0).second - 1.0) < near);
    CHECK(std::abs(extent(1.0, 0, 0).second - 1.25) < near);
    CHECK(std::abs(extent(0.0, 1, 2).first) < near);
    CHECK(extent(0.0, 1, 2).second > 0.4);  // open above: up to the view
    CHECK(extent(3.0, 0, 2).first < -0.4);  // the floor is gone: wall 1 is first and reaches down
}

TEST_CASE("a half-space that lies wholly inside of another one is drawn as if it were alone") {
    System system;
    system.walls.resize(2);
    system.walls[0].shape = make_half_space({0, 0, 0}, {0, 0, 1});
    system.walls[1].shape = make_half_space({0, 0, -0.5}, {0, 0, 1});
    const auto surfaces = WallDrawing(frame_of(system)).at(frame_of(system));
    CHECK(surfaces[1].surface.points.size() == surfaces[0].surface.points.size());
}
