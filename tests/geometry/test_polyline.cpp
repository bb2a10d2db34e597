#include <doctest/doctest.h>

#include "talus/geometry/shapes.hpp"
#include "wall_oracle.hpp"

using namespace talus;

namespace polyline_tests {

namespace {

oracle::Distance brute_force(std::vector<Vec3> points) {
    return [points](const Vec3& x) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k + 1 < points.size(); ++k) {
            least = std::min(least, oracle::distance_to_segment(x, points[k], points[k + 1]));
        }
        return least;
    };
}

/// Closed form of the same, for tests that need many values.
oracle::Distance closed_form(std::vector<Vec3> points) {
    return [points](const Vec3& x) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k + 1 < points.size(); ++k) {
            const Vec3 edge = points[k + 1] - points[k];
            const double s = std::clamp((x - points[k]).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
            least = std::min(least, (points[k] + s * edge - x).norm());
        }
        return least;
    };
}

const std::vector<Vec3> kHopper = {{-1.0, 2.0, 0.0}, {-1.0, 1.0, 0.0}, {-0.2, 0.0, 0.0}, {-0.2, -0.5, 0.0}};
const Box kBox{{-2.0, -1.0, 0.0}, {1.0, 2.5, 0.0}};

std::vector<Tangent> tangents(const WallShape& wall, const Vec3& x, double reach) {
    std::vector<Tangent> planes;
    wall.tangents(x, x, reach, planes);
    return planes;
}

}  // namespace

TEST_CASE("polyline: the distance equals a search along every segment") {
    const auto wall = make_polyline(kHopper, false);
    const auto distance = brute_force(kHopper);
    for (int k = 0; k < 2000; ++k) {
        Random random(1, static_cast<std::uint64_t>(k));
        const Vec3 x = oracle::random_point(random, kBox);
        CHECK(std::abs(wall->distance(x) - distance(x)) < 1e-8);  // a ternary search finds s to about 1e-8
    }
}

TEST_CASE("polyline: every plane touches the line, separates it from x where it is closest, and has z = 0") {
    const auto wall = make_polyline(kHopper, false);
    const auto distance = closed_form(kHopper);
    for (int k = 0; k < 10000; ++k) {
        Random random(2, static_cast<std::uint64_t>(k));
        const Vec3 x = oracle::random_point(random, kBox);
        const auto planes = tangents(*wall, x, 5.0);
        REQUIRE(!planes.empty());
        double least = INFINITY;
        for (const Tangent& p : planes) {
            CHECK(distance(p.foot) < 1e-14);
            CHECK(p.normal.z() == 0.0);
            CHECK(p.foot.z() == 0.0);
            CHECK(std::abs((x - p.foot).norm() - p.normal.dot(x - p.foot)) < 1e-14);
            least = std::min(least, (x - p.foot).norm());
        }
        CHECK(std::abs(least - distance(x)) < 1e-14);
    }
}

TEST_CASE("polyline: over a coplanar seam there is exactly one plane, without any tilt") {
    const auto wall = make_polyline({{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}, false);
    for (double x : {0.5, 0.999999, 1.0 - 1e-15, 1.0, 1.0 + 1e-15, 1.3}) {
        const auto planes = tangents(*wall, {x, 0.1, 0.0}, 0.2);
        REQUIRE(planes.size() == 1);
        CHECK((planes[0].normal - Vec3::UnitY()).norm() < 1e-13);
    }
}

TEST_CASE("polyline: a concave corner gives both faces, a convex one the vertex, a free end its vertex") {
    const auto wall = make_polyline({{0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, false);
    const auto inside = tangents(*wall, {0.1, 0.1, 0.0}, 0.2);
    REQUIRE(inside.size() == 2);
    CHECK(inside[0].normal == Vec3::UnitX());
    CHECK(inside[1].normal == Vec3::UnitY());
    const auto outside = tangents(*wall, {-0.1, -0.1, 0.0}, 0.2);
    REQUIRE(outside.size() == 1);
    CHECK(outside[0].foot == Vec3::Zero());
    CHECK((outside[0].normal - Vec3(-1.0, -1.0, 0.0).normalized()).norm() < 1e-15);
    const auto end = tangents(*wall, {1.1, 0.1, 0.0}, 0.2);
    REQUIRE(end.size() == 1);
    CHECK(end[0].foot == Vec3::UnitX());
}

TEST_CASE("polyline: a sphere in a slot touches both ends") {
    const auto left = make_polyline({{-1.0, 0.0, 0.0}, {-0.1, 0.0, 0.0}}, false);
    const auto slot = make_polyline({{-0.1, 0.0, 0.0},
                                     {-1.0, 0.0, 0.0},
                                     {-1.0, -1.0, 0.0},
                                     {1.0, -1.0, 0.0},
                                     {1.0, 0.0, 0.0},
                                     {0.1, 0.0, 0.0}},
                                    false);
    CHECK(tangents(*left, {0.0, 0.05, 0.0}, 0.2).size() == 1);
    CHECK(tangents(*slot, {0.0, 0.05, 0.0}, 0.2).size() == 2);
}

TEST_CASE("polyline: features keep their ids, whatever the side") {
    const auto wall = make_polyline(kHopper, false);
    const auto a = tangents(*wall, {-0.9, 1.5, 0.0}, 0.2);
    const auto b = tangents(*wall, {-1.1, 1.2, 0.0}, 0.2);
    REQUIRE(a.size() == 1);
    REQUIRE(b.size() == 1);
    CHECK(a[0].feature == b[0].feature);
    CHECK((a[0].normal + b[0].normal).norm() < 1e-15);
}

TEST_CASE("polyline: nothing leaks or overlaps over 10000 random moves") {
    const auto wall = make_polyline(kHopper, false);
    const oracle::FuzzResult result = oracle::fuzz_moves(*wall, closed_form(kHopper), kBox);
    CHECK(result.mean_cuts <= 0.5);
    CHECK(result.most_cuts <= 3);  // one a segment at most, for every segment is convex
}

TEST_CASE("polyline: nothing leaks out of a closed polygon") {
    std::vector<Vec3> corners = {
        {0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {1.0, 0.6, 0.0}, {2.0, 2.0, 0.0}, {0.0, 2.0, 0.0}};
    const auto wall = make_polyline(corners, true);
    corners.push_back(corners.front());
    const auto same = make_polyline(corners, false);  // closed by its points
    const Box box{{-0.5, -0.5, 0.0}, {2.5, 2.5, 0.0}};
    oracle::fuzz_moves(*wall, closed_form(corners), box);
    CHECK(tangents(*same, {-0.1, -0.1, 0.0}, 0.5).size() == 1);
    CHECK(tangents(*wall, {-0.1, -0.1, 0.0}, 0.5).size() == 1);
}

TEST_CASE("polyline: a path through a joint, through an end or along the line is a crossing") {
    const auto wall = make_polyline({{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}, false);
    CHECK(wall->crosses({1.0, 1.0, 0.0}, {1.0, -1.0, 0.0}));
    CHECK(wall->crosses({0.5, 1.0, 0.0}, {1.5, -1.0, 0.0}));
    CHECK(wall->crosses({2.0, 1.0, 0.0}, {2.0, -1.0, 0.0}));
    CHECK(wall->crosses({-1.0, 0.0, 0.0}, {5.0, 0.0, 0.0}));
    CHECK(wall->crosses({0.5, 1.0, 0.0}, {0.5, 0.0, 0.0}));
    CHECK_FALSE(wall->crosses({2.001, 1.0, 0.0}, {2.001, -1.0, 0.0}));
    CHECK_FALSE(wall->crosses({3.0, 0.0, 0.0}, {5.0, 0.0, 0.0}));
    CHECK_FALSE(wall->crosses({0.0, 1.0, 0.0}, {2.0, 0.001, 0.0}));
}

TEST_CASE("polyline: the first of several crossings is the one that is cut") {
    const auto wall =
        make_polyline({{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {1.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}, false);
    const auto cut = wall->violated({-1.0, 0.5, 0.0}, {3.0, 0.5, 0.0}, 0.1, 1e-6);
    REQUIRE(cut.has_value());
    CHECK(cut->normal == Vec3(-1.0, 0.0, 0.0));
    CHECK(cut->foot.x() == 0.0);
}

TEST_CASE("polyline: a centre on the line may stay and gets a unit normal") {
    const auto wall = make_polyline(kHopper, false);
    for (const Vec3& x : {Vec3(-1.0, 1.5, 0.0), Vec3(-1.0, 2.0, 0.0), Vec3(-1.0, 1.0, 0.0)}) {
        const auto cut = wall->violated(x, x, 0.1, 1e-6);
        REQUIRE(cut.has_value());
        CHECK(std::abs(cut->normal.norm() - 1.0) < 1e-15);
        CHECK(std::abs(cut->normal.dot(x - cut->foot)) < 1e-15);
        CHECK(tangents(*wall, x, 0.1).size() >= 1);
    }
}

TEST_CASE("polyline: points that make no line are refused") {
    CHECK_THROWS_AS(make_polyline({}, false), std::invalid_argument);
    CHECK_THROWS_AS(make_polyline({Vec3::Zero()}, false), std::invalid_argument);
    CHECK_THROWS_AS(make_polyline({Vec3::Zero(), Vec3::Zero()}, false), std::invalid_argument);
    CHECK_THROWS_AS(make_polyline({Vec3::Zero(), Vec3::UnitX()}, true), std::invalid_argument);
    CHECK_THROWS_AS(make_polyline({Vec3::Zero(), Vec3::UnitZ()}, false), std::invalid_argument);
    CHECK_THROWS_AS(make_polyline({Vec3::Zero(), {NAN, 0.0, 0.0}}, false), std::invalid_argument);
    CHECK_THROWS_AS(make_polyline({Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::Zero()}, true),
                    std::invalid_argument);
}

TEST_CASE("polyline: drawn as its segments, bounded by its points") {
    const auto wall = make_polyline(kHopper, false);
    CHECK(wall->draw(kBox).lines.size() == 3);
    CHECK(make_polyline(kHopper, true)->draw(kBox).lines.back() == std::array<Index, 2>{3, 0});
    CHECK(wall->bounds().low == Vec3(-1.0, -0.5, 0.0));
    CHECK(wall->bounds().high == Vec3(-0.2, 2.0, 0.0));
    CHECK(wall->planar());
}

}  // namespace polyline_tests
