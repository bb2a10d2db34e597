#include <doctest/doctest.h>

#include "talus/geometry/shapes.hpp"
#include "wall_oracle.hpp"

using namespace talus;

TEST_CASE("half-space: the distance is the height over the plane, negative inside") {
    const auto wall = make_half_space({1.0, 2.0, 3.0}, {0.0, 0.0, 5.0});
    CHECK(wall->distance({7.0, -4.0, 3.25}) == doctest::Approx(0.25).epsilon(1e-15));
    CHECK(wall->distance({0.0, 0.0, 1.0}) == doctest::Approx(-2.0).epsilon(1e-15));
}

TEST_CASE("half-space: one plane within reach, none beyond, and a solid is never crossed") {
    const auto wall = make_half_space(Vec3::Zero(), Vec3::UnitY());
    std::vector<Tangent> planes;
    wall->tangents({0.3, 0.5, 0.0}, Vec3::Zero(), 0.4, planes);
    CHECK(planes.empty());
    wall->tangents({0.3, 0.5, 0.0}, Vec3::Zero(), 0.5, planes);
    REQUIRE(planes.size() == 1);
    CHECK(planes[0].foot == Vec3(0.3, 0.0, 0.0));
    CHECK(planes[0].normal == Vec3::UnitY());
    CHECK_FALSE(wall->crosses({0.0, 1.0, 0.0}, {0.0, -1.0, 0.0}));
}

TEST_CASE("half-space: a sphere thrown at it ends on its surface, whatever its speed") {
    const auto wall = make_half_space({0.1, 0.0, 0.2}, {1.0, 2.0, -0.5});
    const Vec3 normal = Vec3(1.0, 2.0, -0.5).normalized();
    const auto distance = [&](const Vec3& x) { return normal.dot(x - Vec3(0.1, 0.0, 0.2)); };
    for (int k = 0; k < 10000; ++k) {
        Random random(5, static_cast<std::uint64_t>(k));
        const Box box{Vec3::Constant(-1.0), Vec3::Constant(1.0)};
        const double radius = random.uniform(0.01, 0.2);
        Vec3 from = oracle::random_point(random, box);
        from += (radius + random.uniform() - distance(from)) * normal;
        const Vec3 to = from + std::exp(random.uniform(-5.0, 10.0)) * oracle::random_point(random, box);
        const auto cut = wall->violated(from, to, radius, 0.0);
        REQUIRE(cut.has_value() == (distance(to) < radius));
        if (!cut) continue;
        const double missing = radius - cut->normal.dot(to - cut->foot);
        // Rounding of heights over paths of up to e^10 m.
        CHECK(std::abs(distance(to + missing * cut->normal) - radius) < 1e-14 * (1.0 + to.norm()) * 10.0);
    }
}

TEST_CASE("half-space: an overlapping start may stay, and nothing is cut within the tolerance") {
    const auto wall = make_half_space(Vec3::Zero(), Vec3::UnitZ());
    const Vec3 sunk(0.0, 0.0, 0.09);
    const auto cut = wall->violated(sunk, sunk, 0.1, 1e-3);
    REQUIRE(cut.has_value());
    CHECK(cut->normal.dot(sunk - cut->foot) == doctest::Approx(0.09));
    CHECK_FALSE(wall->violated(sunk, sunk, 0.1, 0.011).has_value());
}

TEST_CASE("half-space: drawn as its cut with the view, as a line when the view is flat") {
    const auto wall = make_half_space({0.0, 0.5, 0.0}, {1.0, 1.0, 0.0});
    const DrawnSurface solid = wall->draw({Vec3::Zero(), Vec3::Ones()});
    REQUIRE(solid.triangles.size() >= 2);
    double area = 0.0;
    for (const auto& t : solid.triangles) {
        area +=
            0.5 *
            (solid.points[t[1]] - solid.points[t[0]]).cross(solid.points[t[2]] - solid.points[t[0]]).norm();
    }
    CHECK(area == doctest::Approx(std::sqrt(0.5)));  // from (0.5, 0) to (0, 0.5), one high
    const DrawnSurface flat = wall->draw({Vec3::Zero(), Vec3(1.0, 1.0, 0.0)});
    REQUIRE(flat.lines.size() == 1);
    CHECK((flat.points[0] - flat.points[1]).norm() == doctest::Approx(std::sqrt(0.5)));
    CHECK(wall->draw({Vec3::Constant(3.0), Vec3::Constant(4.0)}).points.empty());
}

TEST_CASE("half-space: a zero or infinite normal is refused") {
    CHECK_THROWS_AS(make_half_space(Vec3::Zero(), Vec3::Zero()), std::invalid_argument);
    CHECK_THROWS_AS(make_half_space(Vec3::Zero(), {0.0, INFINITY, 0.0}), std::invalid_argument);
    CHECK_THROWS_AS(make_half_space({NAN, 0.0, 0.0}, Vec3::UnitX()), std::invalid_argument);
}
