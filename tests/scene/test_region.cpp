#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "scene/fill_checks.hpp"
#include "talus/core/error.hpp"
#include "talus/core/random.hpp"
#include "talus/scene/generators.hpp"

using namespace talus;
using namespace talus::test;

namespace {

struct Named {
    std::string name;
    Region region;
    int dimension;
};

Region box() {
    Region region;
    region.low = Vec3(-0.3, 0.1, 2.0);
    region.high = Vec3(0.5, 0.9, 2.7);
    return region;
}

Region cylinder() {
    Region region;
    region.kind = Region::Kind::cylinder;
    region.origin = Vec3(0.1, -0.2, 0.3);
    region.axis = Vec3(1.0, 2.0, -2.0) / 3.0;
    region.radius = 0.4;
    region.height = 0.7;
    return region;
}

/// A hopper: pipe, step outwards, cone, cylinder.
Region hopper(const Vec3& axis) {
    Region region;
    region.kind = Region::Kind::revolved;
    region.axis = axis;
    region.origin = Vec3(0.2, 0.1, axis[2] == 0.0 ? 0.0 : -0.4);
    region.profile = {{0.1, 0.0}, {0.1, 0.2}, {0.25, 0.2}, {0.6, 0.7}, {0.6, 1.0}};
    return region;
}

Region cone() {
    Region region = hopper(Vec3::UnitZ());
    region.profile = {{0.0, -0.5}, {0.5, 0.5}};
    return region;
}

std::vector<Named> every_region() {
    return {{"box", box(), 3},
            {"box in 2-D", box(), 2},
            {"cylinder", cylinder(), 3},
            {"hopper", hopper(Vec3(2.0, -1.0, 2.0) / 3.0), 3},
            {"hopper in 2-D", hopper(Vec3(0.6, 0.8, 0.0)), 2},
            {"cone", cone(), 3}};
}

Vec3 random_point(Random& random, const Box& bounds, double beyond, int dimension) {
    Vec3 x;
    for (int k = 0; k < 3; ++k) x[k] = random.uniform(bounds.low[k] - beyond, bounds.high[k] + beyond);
    if (dimension == 2) x[2] = 0.0;
    return x;
}

std::string complaint(const Region& region, int dimension) {
    try {
        validate(region, dimension);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("volumes are those of the closed forms") {
    CHECK(box().volume(3) == doctest::Approx(0.8 * 0.8 * 0.7).epsilon(1e-14));
    CHECK(box().volume(2) == doctest::Approx(0.64).epsilon(1e-14));
    CHECK(cylinder().volume(3) == doctest::Approx(std::numbers::pi * 0.16 * 0.7).epsilon(1e-14));
    CHECK(cone().volume(3) == doctest::Approx(std::numbers::pi * 0.25 / 3.0).epsilon(1e-14));
    CHECK(cone().volume(2) == doctest::Approx(0.5).epsilon(1e-14));
}

TEST_CASE("the volume is the share of random points that the region contains") {
    constexpr int kPoints = 100'000;
    for (const Named& each : every_region()) {
        CAPTURE(each.name);
        const Box bounds = each.region.bounds();
        const Vec3 side = bounds.high - bounds.low;
        const double all = each.dimension == 2 ? side[0] * side[1] : side.prod();
        Random random(11, 0);
        int inside = 0;
        for (int k = 0; k < kPoints; ++k) {
            inside +=
                each.region.contains(random_point(random, bounds, 0.0, each.dimension), 0.0, each.dimension);
        }
        const double share = each.region.volume(each.dimension) / all;
        const double five_sigma = 5.0 * std::sqrt(share * (1.0 - share) / kPoints);
        CHECK(std::abs(static_cast<double>(inside) / kPoints - share) <= five_sigma + 1e-12);
    }
}

TEST_CASE("the clearance of a place inside is its distance to the nearest place outside") {
    // Oracle: rays in many directions. Nothing on a ray is outside before the clearance, and along the best
    // of the rays the way out is hardly longer than it.
    constexpr int kDirections = 4000;
    std::vector<Vec3> sphere, circle;
    Random random(5, 1);
    for (int k = 0; k < kDirections; ++k) {
        sphere.push_back(Vec3(random.normal(), random.normal(), random.normal()).normalized());
        const double angle = 2.0 * std::numbers::pi * k / kDirections;
        circle.push_back(Vec3(std::cos(angle), std::sin(angle), 0.0));
    }
    for (const Named& each : every_region()) {
        CAPTURE(each.name);
        const auto& directions = each.dimension == 2 ? circle : sphere;
        int tried = 0;
        while (tried < 25) {
            const Vec3 x = random_point(random, each.region.bounds(), 0.0, each.dimension);
            const double clearance = each.region.clearance(x, each.dimension);
            if (clearance <= 0.02) continue;
            ++tried;
            const auto leaves = [&](double length) {
                return std::any_of(directions.begin(), directions.end(), [&](const Vec3& d) {
                    return !each.region.contains(x + length * d, 0.0, each.dimension);
                });
            };
            CHECK(each.region.contains(x, 0.999 * clearance, each.dimension));
            CHECK_FALSE(each.region.contains(x, 1.001 * clearance, each.dimension));
            CHECK_FALSE(leaves((1.0 - 1e-9) * clearance));
            // 4000 directions on a sphere are about 0.06 rad apart: the way out is longer by 1/cos of that,
            // and of a convex corner a little more.
            CHECK(leaves(1.03 * clearance));
        }
    }
}

TEST_CASE("a cone keeps balls at their true distance: the margin counts across the slope") {
    const Region region = cone();  // opens by 1/2: slope angle atan(0.5)
    const double sine = 1.0 / std::sqrt(5.0);
    const Vec3 tip = region.origin - 0.5 * Vec3::UnitZ();
    const Vec3 x = tip + 0.4 * Vec3::UnitZ();
    const double distance = 0.4 * sine;
    CHECK(region.clearance(x, 3) == doctest::Approx(distance).epsilon(1e-14));
}

TEST_CASE("the rim of a step is an obstacle to balls beside it") {
    const Region region = hopper(Vec3::UnitZ());
    const Vec3 x = region.origin + Vec3(0.0, 0.0, 0.26);
    CHECK(region.clearance(x, 3) == doctest::Approx(std::hypot(0.1, 0.06)).epsilon(1e-14));
    CHECK(region.clearance(region.origin + Vec3(0.2, 0.0, 0.1), 3) < 0.0);
    CHECK(region.clearance(region.origin + Vec3(0.0, 0.0, -0.1), 3) < 0.0);
    CHECK(region.clearance(region.origin + Vec3(0.0, 0.0, 1.1), 3) < 0.0);
}

TEST_CASE("bounds hold the region and touch it on every side") {
    for (const Named& each : every_region()) {
        CAPTURE(each.name);
        const Box bounds = each.region.bounds();
        const double size = (bounds.high - bounds.low).norm();
        Random random(3, 2);
        Box reached = {bounds.high, bounds.low};
        for (int k = 0; k < 60'000; ++k) {
            const Vec3 x = random_point(random, bounds, k % 2 == 0 ? 0.2 : 0.0, each.dimension);
            if (!each.region.contains(x, 0.0, each.dimension)) continue;
            for (int c = 0; c < each.dimension; ++c) {
                REQUIRE(x[c] >= bounds.low[c] - 1e-12);
                REQUIRE(x[c] <= bounds.high[c] + 1e-12);
            }
            reached.low = reached.low.cwiseMin(x);
            reached.high = reached.high.cwiseMax(x);
        }
        for (int c = 0; c < each.dimension; ++c) {
            // Random points come close to a corner or rim like the cube root of their density.
            CHECK(reached.low[c] <= bounds.low[c] + 0.05 * size);
            CHECK(reached.high[c] >= bounds.high[c] - 0.05 * size);
        }
    }
}

TEST_CASE("invalid regions are refused with what is wrong") {
    for (const Named& each : every_region()) CHECK(complaint(each.region, each.dimension).empty());
    Region region = box();
    region.high[1] = region.low[1];
    CHECK(mentions(complaint(region, 3), "along y"));
    region.high[1] = std::numeric_limits<double>::quiet_NaN();
    CHECK(mentions(complaint(region, 2), "along y"));
    region = box();
    region.high[2] = region.low[2];
    CHECK(complaint(region, 2).empty());
    region = cylinder();
    CHECK(mentions(complaint(region, 2), "3-D only"));
    region.radius = 0.0;
    CHECK(mentions(complaint(region, 3), "radius and a height"));
    region = hopper(Vec3::UnitZ());
    CHECK(mentions(complaint(region, 2), "plane z = 0"));
    region.axis = Vec3::Zero();
    CHECK(mentions(complaint(region, 3), "axis"));
    region = hopper(Vec3::UnitZ());
    std::swap(region.profile[0], region.profile[3]);
    CHECK(mentions(complaint(region, 3), "must not decrease"));
    region.profile = {{0.1, 0.0}};
    CHECK(mentions(complaint(region, 3), "two points"));
    region.profile = {{0.0, 0.0}, {0.0, 1.0}};
    CHECK(mentions(complaint(region, 3), "no volume"));
    region.profile = {{-0.1, 0.0}, {0.1, 1.0}};
    CHECK(mentions(complaint(region, 3), "radius >= 0"));
}
