#include "talus/geometry/region_cuts.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "talus/core/random.hpp"

using namespace talus;

namespace region_cut_tests {

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kQuadrature = 1e-10;  // what the docstring promises, with room

Region box(const Vec3& low, const Vec3& high) {
    Region region;
    region.low = low;
    region.high = high;
    return region;
}

Region cylinder(double radius, double height, const Vec3& base, const Vec3& axis) {
    Region region;
    region.kind = Region::Kind::cylinder;
    region.origin = base;
    region.axis = axis.normalized();
    region.radius = radius;
    region.height = height;
    return region;
}

Region revolved(const RegionProfile& profile, const Vec3& origin, const Vec3& axis) {
    Region region;
    region.kind = Region::Kind::revolved;
    region.origin = origin;
    region.axis = axis.normalized();
    region.profile = profile;
    return region;
}

/// A hopper with a step, a waist and a tip.
const RegionProfile kOutline = {{0.0, 0.0}, {0.3, 0.4}, {0.5, 0.4}, {0.2, 0.7}, {0.6, 1.2}};

/// Regions about as wide as one, near the origin.
std::vector<Region> regions(int dimension) {
    std::vector<Region> all = {box(Vec3(-0.3, -0.2, -0.4), Vec3(0.5, 0.6, 0.3))};
    if (dimension == 2) {
        all.push_back(revolved(kOutline, Vec3(0.1, -0.5, 0.0), Vec3(0.3, 1.0, 0.0)));
    } else {
        all.push_back(cylinder(0.5, 0.8, Vec3(0.1, 0.0, -0.3), Vec3(1.0, -2.0, 3.0)));
        all.push_back(revolved(kOutline, Vec3(0.1, 0.2, -0.5), Vec3(0.2, -0.3, 1.0)));
    }
    return all;
}

Vec3 random_point(Random& random, double reach, int dimension) {
    Vec3 x(random.uniform(-reach, reach), random.uniform(-reach, reach), random.uniform(-reach, reach));
    if (dimension == 2) x.z() = 0.0;
    return x;
}

/// Counts the cells of a fine grid over the ball whose middles are in both. The grid is along no face.
double volume_by_grid(const Region& region, const Vec3& centre, double radius, int dimension, int cells) {
    const double cell = 2.0 * radius / cells;
    const int layers = dimension == 2 ? 1 : cells;
    const Mat3 turn =
        (Eigen::AngleAxisd(0.7, Vec3::UnitZ()) * Eigen::AngleAxisd(dimension == 2 ? 0.0 : 0.4, Vec3::UnitX()))
            .toRotationMatrix();
    std::int64_t count = 0;
    for (int a = 0; a < cells; ++a) {
        for (int b = 0; b < cells; ++b) {
            for (int c = 0; c < layers; ++c) {
                const Vec3 from_corner = cell * Vec3(a + 0.5, b + 0.5, dimension == 2 ? 0.0 : c + 0.5);
                const Vec3 arm = from_corner - Vec3(radius, radius, dimension == 2 ? 0.0 : radius);
                if (arm.norm() > radius) continue;
                count += region.contains(centre + turn * arm, 0.0, dimension) ? 1 : 0;
            }
        }
    }
    return static_cast<double>(count) * std::pow(cell, dimension);
}

}  // namespace

TEST_CASE("a ball that a face of a box halves counts exactly half, an edge a quarter, a corner an eighth") {
    const Region region = box(Vec3::Zero(), Vec3(4.0, 5.0, 6.0));
    const double radius = 0.7;
    const double ball = 4.0 / 3.0 * kPi * radius * radius * radius;
    CHECK(volume_inside(region, Vec3(2, 2, 2), radius, 3) == ball_volume(radius, 3));
    CHECK(ball_volume(radius, 3) == doctest::Approx(ball).epsilon(1e-15));
    for (const Vec3& on_face : {Vec3(0, 2, 2), Vec3(4, 2, 2), Vec3(2, 5, 3), Vec3(2, 2, 6)}) {
        CHECK(volume_inside(region, on_face, radius, 3) == 0.5 * ball_volume(radius, 3));
    }
    for (const Vec3& on_edge : {Vec3(0, 0, 2), Vec3(4, 2, 0), Vec3(2, 5, 6)}) {
        CHECK(std::abs(volume_inside(region, on_edge, radius, 3) - ball / 4.0) < kQuadrature * ball);
    }
    CHECK(std::abs(volume_inside(region, Vec3(4, 0, 6), radius, 3) - ball / 8.0) < kQuadrature * ball);
    CHECK(volume_inside(region, Vec3(-0.7, 2, 2), radius, 3) == 0.0);
    // Beyond the corner, though within reach of three faces.
    CHECK(volume_inside(region, Vec3(-0.5, -0.5, -0.5), radius, 3) == 0.0);
}

TEST_CASE("a disc that a side of a box halves counts half, a corner a quarter") {
    const Region region = box(Vec3::Zero(), Vec3(4.0, 5.0, 0.0));
    const double radius = 0.7, disc = kPi * radius * radius;
    CHECK(std::abs(volume_inside(region, Vec3(4, 2, 0), radius, 2) - disc / 2.0) < 1e-15);
    CHECK(std::abs(volume_inside(region, Vec3(2, 0, 0), radius, 2) - disc / 2.0) < 1e-15);
    CHECK(std::abs(volume_inside(region, Vec3(0, 5, 0), radius, 2) - disc / 4.0) < 1e-15);
    CHECK(volume_inside(region, Vec3(2, 2, 0), radius, 2) == ball_volume(radius, 2));
}

TEST_CASE("a cap, a slab and a box within a ball have their volumes of the textbook") {
    const double r = 0.5, d = 0.2;
    const Region below = box(Vec3(-9, -9, -9), Vec3(9, 9, d));
    const double cap = kPi * (r - d) * (r - d) * (2.0 * r + d) / 3.0;
    CHECK(volume_inside(below, Vec3::Zero(), r, 3) ==
          doctest::Approx(4.0 / 3.0 * kPi * r * r * r - cap).epsilon(1e-14));
    const Region slab = box(Vec3(-9, -0.1, -9), Vec3(9, 0.1, 9));
    CHECK(volume_inside(slab, Vec3::Zero(), r, 3) ==
          doctest::Approx(kPi * 0.2 * (r * r - 0.01 / 3.0)).epsilon(1e-14));
    const Region small = box(Vec3(-0.1, -0.2, -0.1), Vec3(0.1, 0.1, 0.2));
    CHECK(volume_inside(small, Vec3::Zero(), r, 3) == doctest::Approx(0.2 * 0.3 * 0.3).epsilon(1e-13));
}

TEST_CASE(
    "a ball about the axis of a narrower cylinder loses a napkin ring, a cone at its centre cuts a sector") {
    const Vec3 axis(1.0, 2.0, -2.0), centre(0.3, 0.1, -0.2);
    const double r = 0.5, narrow = 0.3, angle = 0.4;
    const Region tube = cylinder(narrow, 4.0, centre - 2.0 * axis.normalized(), axis);
    CHECK(volume_inside(tube, centre, r, 3) ==
          doctest::Approx(4.0 / 3.0 * kPi * (r * r * r - std::pow(r * r - narrow * narrow, 1.5)))
              .epsilon(kQuadrature));
    const Region cone = revolved({{0.0, 0.0}, {2.0 * std::tan(angle), 2.0}}, centre, axis);
    CHECK(volume_inside(cone, centre, r, 3) ==
          doctest::Approx(2.0 / 3.0 * kPi * r * r * r * (1.0 - std::cos(angle))).epsilon(kQuadrature));
    const Vec3 flat_axis(1.0, 2.0, 0.0), place(0.3, 0.1, 0.0);
    const Region wedge = revolved({{0.0, 0.0}, {2.0 * std::tan(angle), 2.0}}, place, flat_axis);
    CHECK(volume_inside(wedge, place, r, 2) == doctest::Approx(r * r * angle).epsilon(kQuadrature));
}

TEST_CASE("random balls in regions of every kind hold the volume that a fine grid counts") {
    for (const int dimension : {2, 3}) {
        const int cells = dimension == 2 ? 500 : 60;
        for (const Region& region : regions(dimension)) {
            for (int k = 0; k < 12; ++k) {
                Random random(3, static_cast<std::uint64_t>(k));
                const double radius = random.uniform(0.1, 0.7);
                const Vec3 centre = random_point(random, 0.7, dimension);
                const double grid = volume_by_grid(region, centre, radius, dimension, cells);
                const double exact = volume_inside(region, centre, radius, dimension);
                // The boundary crosses some cells^(dimension - 1) cells, each wrong by less than itself.
                CHECK(std::abs(exact - grid) < 5e-3 * ball_volume(radius, dimension));
            }
        }
    }
}

TEST_CASE("the parts of a ball in the boxes that share a space add up to the ball") {
    for (const int dimension : {2, 3}) {
        for (int k = 0; k < 200; ++k) {
            Random random(4, static_cast<std::uint64_t>(k));
            const double radius = random.uniform(0.1, 1.0);
            const Vec3 centre = random_point(random, 1.0, dimension),
                       cut = random_point(random, 1.0, dimension);
            double sum = 0.0;
            for (int part = 0; part < (dimension == 2 ? 4 : 8); ++part) {
                Vec3 low(-9, -9, -9), high(9, 9, 9);
                for (int axis = 0; axis < dimension; ++axis) {
                    ((part >> axis) % 2 == 0 ? high : low)[axis] = cut[axis];
                }
                sum += volume_inside(box(low, high), centre, radius, dimension);
            }
            CHECK(std::abs(sum / ball_volume(radius, dimension) - 1.0) < kQuadrature);
        }
    }
}

TEST_CASE("the part of a ball at an edge or corner of a box is the same whichever axis is called z") {
    for (int k = 0; k < 500; ++k) {
        Random random(7, static_cast<std::uint64_t>(k));
        const double radius = random.uniform(0.3, 1.0);
        Vec3 low = random_point(random, 1.0, 3), centre = random_point(random, 0.6, 3);
        Vec3 high = low + Vec3(random.uniform(0.1, 1.5), random.uniform(0.1, 1.5), random.uniform(0.1, 1.5));
        const double first = volume_inside(box(low, high), centre, radius, 3);
        for (int turn = 0; turn < 2; ++turn) {
            for (Vec3* v : {&low, &high, &centre}) *v = Vec3(v->y(), v->z(), v->x());
            const double turned = volume_inside(box(low, high), centre, radius, 3);
            CHECK(std::abs(turned - first) < kQuadrature * ball_volume(radius, 3));
        }
    }
}

TEST_CASE("a profile with a step holds what the two tubes that it is made of hold") {
    for (int k = 0; k < 200; ++k) {
        Random random(5, static_cast<std::uint64_t>(k));
        const Vec3 axis = random_point(random, 1.0, 3), centre = random_point(random, 0.3, 3);
        const double radius = random.uniform(0.1, 0.6), wall = random.uniform(0.05, 0.8);
        const double whole =
            volume_inside(cylinder(2.0, 4.0, -2.0 * axis.normalized(), axis), centre, radius, 3);
        CHECK(whole == ball_volume(radius, 3));
        const RegionProfile stepped = {{2.0, -2.0}, {2.0, 0.1}, {wall, 0.1}, {wall, 2.0}};
        const double below =
            volume_inside(revolved({{2.0, -2.0}, {2.0, 0.1}}, Vec3::Zero(), axis), centre, radius, 3);
        const double above =
            volume_inside(cylinder(wall, 1.9, 0.1 * axis.normalized(), axis), centre, radius, 3);
        const double both = volume_inside(revolved(stepped, Vec3::Zero(), axis), centre, radius, 3);
        CHECK(std::abs(both - below - above) < kQuadrature * whole);
    }
}

TEST_CASE("the share of a line in a region of any kind is that of its points") {
    constexpr int kPoints = 2000;
    for (const int dimension : {2, 3}) {
        for (const Region& region : regions(dimension)) {
            for (int k = 0; k < 100; ++k) {
                Random random(6, static_cast<std::uint64_t>(k));
                const Vec3 from = random_point(random, 0.9, dimension);
                const Vec3 to = random_point(random, 0.9, dimension);
                int count = 0;
                for (int p = 0; p < kPoints; ++p) {
                    const Vec3 x = from + (p + 0.5) / kPoints * (to - from);
                    count += region.contains(x, 0.0, dimension) ? 1 : 0;
                }
                // Each crossing of the boundary is misplaced by less than a point; there are 6 at most.
                CHECK(std::abs(share_inside(region, from, to, dimension) - 1.0 * count / kPoints) <=
                      6.0 / kPoints);
            }
        }
    }
}

TEST_CASE(
    "a line along a common face of two boxes is in one of them, and lines along an axis are cut exactly") {
    const Region left = box(Vec3(-1, -1, -1), Vec3(0, 1, 1)), right = box(Vec3(0, -1, -1), Vec3(1, 1, 1));
    const Vec3 from(0, -0.5, 0), to(0, 0.5, 0.5);
    CHECK(share_inside(left, from, to, 3) == 0.0);
    CHECK(share_inside(right, from, to, 3) == 1.0);
    CHECK(share_inside(right, Vec3(-1, 0, 0), Vec3(1, 0, 0), 3) == 0.5);
    CHECK(share_inside(right, Vec3(0.5, 0.5, 0.5), Vec3(0.5, 0.5, 0.5), 3) == 1.0);
    const Region tube = cylinder(0.5, 2.0, Vec3::Zero(), Vec3::UnitZ());
    CHECK(share_inside(tube, Vec3(0.1, 0, -1), Vec3(0.1, 0, 3), 3) == 0.5);
    CHECK(share_inside(tube, Vec3(-1, 0, 1), Vec3(1, 0, 1), 3) == 0.5);
    CHECK(share_inside(tube, Vec3(0.6, 0, -1), Vec3(0.6, 0, 3), 3) == 0.0);
}

}  // namespace region_cut_tests
