#include <doctest/doctest.h>

#include <numbers>

#include "talus/geometry/shapes.hpp"
#include "wall_oracle.hpp"

using namespace talus;

namespace revolved_tests {

namespace {

struct Solid {
    Vec3 origin, axis;
    std::vector<ProfilePoint> profile;

    ShapePtr wall() const { return make_revolved(origin, axis, profile); }

    /// Distance to the circles of the profile, by closed form in the half-plane of x.
    oracle::Distance distance() const {
        return [*this](const Vec3& x) {
            const Vec3 a = axis.normalized();
            const double height = a.dot(x - origin);
            const Vec3 y((x - origin).cross(a).norm(), height, 0.0);
            double least = INFINITY;
            for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
                const Vec3 p(profile[k].rho, profile[k].height, 0.0);
                const Vec3 edge = Vec3(profile[k + 1].rho, profile[k + 1].height, 0.0) - p;
                const double s = std::clamp((y - p).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
                least = std::min(least, (p + s * edge - y).norm());
            }
            return least;
        };
    }

    /// Points of the surface.
    Vec3 point(Random& random) const {
        const auto k = static_cast<std::size_t>(random.uniform() * static_cast<double>(profile.size() - 1));
        const double s = random.uniform();
        const double rho = profile[k].rho + s * (profile[k + 1].rho - profile[k].rho);
        const double height = profile[k].height + s * (profile[k + 1].height - profile[k].height);
        const double azimuth = random.uniform(0.0, 2.0 * std::numbers::pi);
        const Vec3 u = axis.unitOrthogonal();
        const Vec3 v = axis.normalized().cross(u);
        return origin + height * axis.normalized() + rho * (std::cos(azimuth) * u + std::sin(azimuth) * v);
    }
};

const Box kBox{Vec3::Constant(-1.5), Vec3::Constant(1.5)};
const Solid kCylinder{Vec3(0.1, 0.2, -0.3), Vec3(0.3, -0.5, 0.8), {{0.5, -0.7}, {0.5, 0.8}}};
const Solid kCone{Vec3::Zero(), Vec3(0.0, 0.1, 1.0), {{0.0, -0.6}, {0.9, 0.7}}};
const Solid kDisc{Vec3::Zero(), Vec3::UnitZ(), {{0.0, 0.0}, {0.8, 0.0}}};
const Solid kOrifice{Vec3::Zero(), Vec3::UnitZ(), {{0.3, 0.0}, {1.0, 0.0}}};
const Solid kHopper{Vec3::Zero(), Vec3::UnitZ(), {{1.0, 1.2}, {1.0, 0.3}, {0.25, -0.6}, {0.25, -1.0}}};
const Solid kFlatHopper{Vec3::Zero(), Vec3::UnitX(), {{0.8, 1.0}, {0.8, -0.5}, {0.2, -0.5}}};
const Solid kRing{Vec3::Zero(), Vec3::UnitZ(), {{0.5, 0.0}, {0.9, 0.2}, {0.7, 0.6}, {0.5, 0.0}}};
const Solid kAll[] = {kCylinder, kCone, kDisc, kOrifice, kHopper, kFlatHopper, kRing};

std::vector<Tangent> tangents(const WallShape& wall, const Vec3& x, const Vec3& expected, double reach) {
    std::vector<Tangent> planes;
    wall.tangents(x, expected, reach, planes);
    return planes;
}

}  // namespace

TEST_CASE("revolved: no point of the surface is nearer than the distance, and one is as near") {
    for (const Solid& solid : kAll) {
        const auto wall = solid.wall();
        std::vector<Vec3> surface;
        Random draw(3, 0);
        for (int k = 0; k < 40000; ++k) surface.push_back(solid.point(draw));
        for (int k = 0; k < 30; ++k) {
            Random random(4, static_cast<std::uint64_t>(k));
            const Vec3 x = oracle::random_point(random, kBox);
            double least = INFINITY;
            for (const Vec3& p : surface) least = std::min(least, (p - x).norm());
            CHECK(wall->distance(x) <= least + 1e-12);
            CHECK(wall->distance(x) >= least - 0.05);  // 40000 points on at most 12 m^2 are 0.02 m apart
            CHECK(std::abs(wall->distance(x) - solid.distance()(x)) < 1e-14);
        }
    }
}

TEST_CASE("revolved: every plane touches the surface, x satisfies it, and the convex side lies behind it") {
    for (const Solid& solid : kAll) {
        const auto wall = solid.wall();
        const auto distance = solid.distance();
        for (int k = 0; k < 3000; ++k) {
            Random random(5, static_cast<std::uint64_t>(k));
            const Vec3 x = oracle::random_point(random, kBox);
            const auto planes = tangents(*wall, x, oracle::random_point(random, kBox), 5.0);
            REQUIRE(!planes.empty());
            for (const Tangent& p : planes) {
                CHECK(distance(p.foot) < 1e-14);
                CHECK(std::abs(p.normal.norm() - 1.0) < 1e-14);
                CHECK(p.normal.dot(x - p.foot) >= distance(x) - 1e-14);
            }
            const Tangent& p = planes.front();
            const Vec3 a = solid.axis.normalized();
            const Vec3 across = (p.foot - solid.origin) - a * a.dot(p.foot - solid.origin);
            const bool curves_around = p.normal.dot(across) < -1e-12;
            if (distance(x) < 1e-3 || solid.profile.size() > 2 || curves_around) continue;
            for (int j = 0; j < 10; ++j) CHECK(p.normal.dot(solid.point(random) - p.foot) < 1e-13);
        }
    }
}

TEST_CASE("revolved: inside a cylinder the plane is the one next to where the centre is expected") {
    const auto wall = make_revolved(Vec3::Zero(), Vec3::UnitZ(), {{1.0, -1.0}, {1.0, 1.0}});
    const Vec3 expected(0.5, 0.7, 0.1);
    const auto inside = tangents(*wall, {0.9, 0.0, 0.0}, expected, 0.5);
    REQUIRE(inside.size() == 1);
    CHECK((inside[0].normal + Vec3(0.5, 0.7, 0.0).normalized()).norm() < 1e-15);
    const auto outside = tangents(*wall, {1.1, 0.0, 0.0}, expected, 0.5);
    REQUIRE(outside.size() == 1);
    CHECK(outside[0].normal == Vec3::UnitX());
    const auto unknown = tangents(*wall, {0.9, 0.0, 0.0}, {0.0, 0.0, 0.3}, 0.5);
    REQUIRE(unknown.size() == 1);
    CHECK(unknown[0].normal == Vec3(-1.0, 0.0, 0.0));
}

TEST_CASE("revolved: a hopper's seams give planes only where they stick out") {
    const auto wall = kHopper.wall();
    const double z = 0.3;  // of the seam between cylinder and cone
    const auto corner = tangents(*wall, {0.9, 0.0, z + 0.02}, {0.9, 0.0, z}, 0.3);
    CHECK(corner.size() == 2);  // concave: both faces, no seam
    const auto around = tangents(*wall, {1.1, 0.0, z - 0.03}, {1.1, 0.0, z}, 0.3);
    CHECK(around.size() == 1);  // convex: the seam
    const auto outlet = tangents(*wall, {0.2, 0.0, -0.59}, {0.2, 0.0, -0.6}, 0.1);
    CHECK(outlet.size() == 1);  // the seam above the outlet tube, seen from inside
    const auto smooth = make_revolved(Vec3::Zero(), Vec3::UnitZ(), {{1.0, 0.0}, {1.0, 0.5}, {1.0, 1.0}});
    for (double height : {0.4, 0.5 - 1e-15, 0.5, 0.5 + 1e-15, 0.6}) {
        CHECK(tangents(*smooth, {0.9, 0.0, height}, {0.9, 0.0, height}, 0.2).size() == 1);
    }
}

TEST_CASE("revolved: nothing leaks or overlaps over 10000 random moves at every kind of surface") {
    for (const Solid& solid : kAll) {
        CAPTURE(solid.profile.size());
        const oracle::FuzzResult result = oracle::fuzz_moves(*solid.wall(), solid.distance(), kBox);
        CHECK(result.most_cuts <= 15);  // every cut divides the overlap by about 4: log4(1e5) and a few faces
        CHECK(result.mean_cuts <= 0.5);  // most moves need none
    }
}

TEST_CASE("revolved: a fast particle never gets through a thin tube, in or out") {
    const auto wall = kCylinder.wall();
    const Vec3 axis = kCylinder.axis.normalized();
    const Vec3 across = axis.unitOrthogonal();
    const Vec3 centre = kCylinder.origin;
    CHECK(wall->crosses(centre - 2.0 * across, centre + 2.0 * across));
    CHECK(wall->crosses(centre, centre + 100.0 * across));
    CHECK(wall->crosses(centre + 2.0 * axis, centre + 100.0 * across - 90.0 * axis) == false);
    CHECK_FALSE(wall->crosses(centre - 5.0 * axis, centre + 5.0 * axis));
    CHECK(
        wall->crosses(centre + axis, centre - 2.0 * axis + 1.0 * across));  // in by the end, out by the wall
    const auto cut = wall->violated(centre - 2.0 * across, centre + 2.0 * across, 0.1, 1e-6);
    REQUIRE(cut.has_value());
    CHECK(cut->normal.dot(across) < -0.999);  // the near side
}

TEST_CASE("revolved: paths through the axis, an apex, a rim or along the surface are crossings") {
    const auto cone = make_revolved(Vec3::Zero(), Vec3::UnitZ(), {{0.0, 0.0}, {1.0, 1.0}});
    CHECK(cone->crosses({0.0, 0.0, 0.5}, {0.0, 0.0, -0.5}));
    CHECK(cone->crosses({0.0, 0.0, -0.5}, {0.0, 0.0, 0.5}));
    CHECK_FALSE(cone->crosses({0.0, 0.0, -0.5}, {0.0, 0.0, -2.0}));
    CHECK_FALSE(cone->crosses({-1.0, 0.0, -0.5}, {1.0, 0.0, -0.5}));  // the other nappe is not there
    const auto disc = kDisc.wall();
    CHECK(disc->crosses({0.0, 0.0, 1.0}, {0.0, 0.0, -1.0}));
    CHECK(disc->crosses({0.8, 0.0, 1.0}, {0.8, 0.0, -1.0}));
    CHECK(disc->crosses({-2.0, 0.1, 0.0}, {2.0, 0.1, 0.0}));
    CHECK_FALSE(disc->crosses({-2.0, 0.9, 0.0}, {2.0, 0.9, 0.0}));
    const auto plate = kOrifice.wall();
    CHECK_FALSE(plate->crosses({0.0, 0.0, 1.0}, {0.29, 0.0, -0.01}));
    CHECK(plate->crosses({0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}));
    const auto tube = make_revolved(Vec3::Zero(), Vec3::UnitZ(), {{0.5, 0.0}, {0.5, 1.0}});
    CHECK(tube->crosses({0.5, 0.0, -1.0}, {0.5, 0.0, 3.0}));
    CHECK(tube->crosses({0.5, 0.0, -0.3},
                        {-0.5, 0.0, 0.7}));  // starts on the prolonged surface, leaves through it
}

TEST_CASE("revolved: a centre on the axis, on the rim or on the surface gets finite unit planes") {
    for (const Solid& solid : kAll) {
        const auto wall = solid.wall();
        Random random(6, 0);
        const Vec3 a = solid.axis.normalized();
        std::vector<Vec3> places;
        for (int k = 0; k < 20; ++k) places.push_back(solid.origin + random.uniform(-1.5, 1.5) * a);
        for (int k = 0; k < 20; ++k) places.push_back(solid.point(random));
        for (const ProfilePoint& p : solid.profile) {
            places.push_back(solid.origin + p.height * a + p.rho * a.unitOrthogonal());
        }
        for (const Vec3& x : places) {
            const auto planes = tangents(*wall, x, x, 5.0);
            REQUIRE(!planes.empty());
            for (const Tangent& p : planes) CHECK(std::abs(p.normal.norm() - 1.0) < 1e-14);
            const auto cut = wall->violated(x, x, 2.0, 1e-6);
            REQUIRE(cut.has_value());
            CHECK(std::abs(cut->normal.norm() - 1.0) < 1e-14);
            CHECK(cut->normal.dot(x - cut->foot) >= wall->distance(x) - 1e-12);
        }
    }
}

TEST_CASE("revolved: cuts inside a cylinder converge, a handful even when a neighbour deflects the sphere") {
    const Solid cylinder{Vec3::Zero(), Vec3::UnitZ(), {{1.0, -5.0}, {1.0, 5.0}}};
    const auto wall = cylinder.wall();
    oracle::MoveTest test;
    test.radius = 0.05;
    for (double tolerance : {1e-4, 1e-8}) {
        test.tolerance = tolerance * test.radius;
        for (double push : {0.02, 0.2, 1.0, 10.0}) {  // in radii, straight at the wall, where it is expected
            const Vec3 from(0.9, 0.0, 0.0);
            const Vec3 to = from + Vec3(0.05 + push * test.radius, 0.0, 0.0);
            const Vec3 aside = Vec3(-1.0, 1.0, 0.0).normalized();  // a neighbour that touches it
            test.obstacles = {{from - test.radius * aside, aside, 0}};
            const int cuts = oracle::check_move(*wall, cylinder.distance(), from, to, test).cuts;
            CHECK(cuts <= 6);
        }
    }
}

TEST_CASE("revolved: an unbounded cylinder about z is a drum whose planes have z = 0") {
    const auto wall = make_revolved({0.3, -0.2, 0.0}, Vec3::UnitZ(), {{0.7, -INFINITY}, {0.7, INFINITY}});
    const auto distance = [](const Vec3& x) { return std::abs(0.7 - (x - Vec3(0.3, -0.2, 0.0)).norm()); };
    for (int k = 0; k < 5000; ++k) {
        Random random(7, static_cast<std::uint64_t>(k));
        const Box box{Vec3(-0.5, -1.0, 0.0), Vec3(1.2, 0.7, 0.0)};
        const Vec3 x = oracle::random_point(random, box);
        for (const Tangent& p : tangents(*wall, x, oracle::random_point(random, box), 5.0)) {
            CHECK(p.normal.z() == 0.0);
            CHECK(p.foot.z() == 0.0);
        }
        CHECK(std::abs(wall->distance(x) - distance(x)) < 1e-15);
    }
    const Box box{Vec3(-0.5, -1.0, 0.0), Vec3(1.2, 0.7, 0.0)};
    oracle::fuzz_moves(*wall, distance, box);
    const DrawnSurface flat = wall->draw(box);
    CHECK(flat.lines.size() == 64);
    CHECK(flat.triangles.empty());
    const DrawnSurface solid = wall->draw({Vec3(-1.0, -1.0, -1.0), Vec3(1.0, 1.0, 2.0)});
    CHECK(solid.triangles.size() == 128);
    CHECK((solid.points[1] - solid.points[0]).norm() == doctest::Approx(3.0));
    CHECK(wall->bounds().high.isApprox(Vec3(1.0, 0.5, 0.0)));
}

TEST_CASE("revolved: drawn with every point on the surface and no triangle without area") {
    for (const Solid& solid : kAll) {
        const DrawnSurface drawn = solid.wall()->draw(kBox);
        for (const Vec3& p : drawn.points) CHECK(solid.distance()(p) < 1e-14);
        const Box bounds = solid.wall()->bounds();
        for (const Vec3& p : drawn.points) {
            CHECK((p.array() >= bounds.low.array() - 1e-12).all());
            CHECK((p.array() <= bounds.high.array() + 1e-12).all());
        }
        for (const auto& t : drawn.triangles) {
            const Vec3 u = drawn.points[t[1]] - drawn.points[t[0]];
            CHECK(u.cross(drawn.points[t[2]] - drawn.points[t[0]]).norm() > 1e-6);
        }
    }
}

TEST_CASE("revolved: a profile that describes no surface is refused") {
    const Vec3 o = Vec3::Zero();
    const Vec3 z = Vec3::UnitZ();
    CHECK_THROWS_AS(make_revolved(o, Vec3::Zero(), {{1.0, 0.0}, {1.0, 1.0}}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved({NAN, 0.0, 0.0}, z, {{1.0, 0.0}, {1.0, 1.0}}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved(o, z, {}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved(o, z, {{1.0, 0.0}}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved(o, z, {{1.0, 0.0}, {1.0, 0.0}}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved(o, z, {{-1.0, 0.0}, {1.0, 0.0}}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved(o, z, {{0.0, 0.0}, {0.0, 1.0}}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved(o, z, {{1.0, 0.0}, {1.0, INFINITY}}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved(o, z, {{1.0, -INFINITY}, {2.0, INFINITY}}), std::invalid_argument);
    CHECK_THROWS_AS(make_revolved(o, z, {{NAN, 0.0}, {1.0, 1.0}}), std::invalid_argument);
}

}  // namespace revolved_tests
