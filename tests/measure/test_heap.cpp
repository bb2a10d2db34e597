#include "talus/measure/heap.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "support/builders.hpp"
#include "talus/core/random.hpp"

using namespace talus;
using namespace talus::test;

namespace heap_tests {

namespace {

constexpr double kPi = std::numbers::pi;

/// Five balls along x: edges at 1.1, 2.1, 3.2, 4.1 and, light, at 9.1; a frozen one beyond.
System row(int dimension) {
    System system = empty_system(dimension);
    add_ball(system, Vec3(3.0, 0, 0), Vec3::Zero(), 0.2, 1.0);
    add_ball(system, Vec3(1.0, 0, 0), Vec3::Zero(), 0.1, 1.0);
    add_ball(system, Vec3(4.0, 0, 0), Vec3::Zero(), 0.1, 1.0);
    add_ball(system, Vec3(9.0, 0, 0), Vec3::Zero(), 0.1, 0.01);
    add_ball(system, Vec3(2.0, 0, 0), Vec3::Zero(), 0.1, 1.0);
    add_ball(system, Vec3(20.0, 0, 0), Vec3::Zero(), 0.1, 1.0, true);
    return system;
}

/// Balls whose tops lie on a cone (2-D: a wedge) of this height and slope about the axis through (2, 1), and
/// smaller ones within.
System cone(int dimension, double height, double degrees) {
    System system = empty_system(dimension);
    const double fall = std::tan(degrees * kPi / 180.0), radius = 0.05;
    for (int k = 0; k < 4000; ++k) {
        Random random(11, static_cast<std::uint64_t>(k));
        const double out = random.uniform(0.0, height / fall), turn = random.uniform(0.0, 2.0 * kPi);
        const double top = (height - out * fall) * (k % 2 == 0 ? 1.0 : random.uniform(0.2, 0.9));
        const Vec3 centre = dimension == 2
                                ? Vec3(2.0 + (turn < kPi ? out : -out), 1.0 + top - radius, 0.0)
                                : Vec3(2.0 + out * std::cos(turn), out * std::sin(turn), 1.0 + top - radius);
        add_ball(system, centre, Vec3::Zero(), radius);
    }
    return system;
}

Repose about_axis(int dimension) {
    Repose repose;
    repose.up = dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
    repose.outward = {true, dimension == 2 ? Vec3(2, 1, 0) : Vec3(2, 0, 1), repose.up};
    return repose;
}

}  // namespace

TEST_CASE("the front is the edge within which the fraction of the mass is, frozen balls left out") {
    for (const int dimension : {2, 3}) {
        const System system = row(dimension);
        Front front;
        front.outward.axis = Vec3::UnitX();
        front.fraction = 0.5;  // 2 of 4.01 are not enough
        CHECK(front_distance(system, front) == doctest::Approx(3.2));
        front.fraction = 2.0 / 4.01;
        CHECK(front_distance(system, front) == doctest::Approx(2.1));
        front.fraction = 0.99;  // 4 of 4.01 are
        CHECK(front_distance(system, front) == doctest::Approx(4.1));
        front.fraction = 1.0;
        CHECK(front_distance(system, front) == doctest::Approx(9.1));
        front.outward.point = Vec3(0.5, 7.0, 0.0);
        CHECK(front_distance(system, front) == doctest::Approx(8.6));
        front.outward.axis = -Vec3::UnitX();
        CHECK(front_distance(system, front) == doctest::Approx(-0.4));
        CHECK_FALSE(front_distance(empty_system(dimension), front));
    }
}

TEST_CASE("a radial front is measured from its axis, on every side of it") {
    System system = empty_system();
    add_ball(system, Vec3(1 + 3.0, 2 + 4.0, 77.0), Vec3::Zero(), 0.5);
    add_ball(system, Vec3(1 - 1.0, 2, -5.0), Vec3::Zero(), 0.25);
    Front front = {{true, Vec3(1, 2, 3), Vec3::UnitZ()}, 1.0};
    CHECK(front_distance(system, front) == doctest::Approx(5.5));
    front.fraction = 0.5;
    CHECK(front_distance(system, front) == doctest::Approx(1.25));
}

TEST_CASE("the height is that of the highest top within the radius, or of a fraction of the mass there") {
    System system = empty_system();
    for (int k = 0; k < 10; ++k) add_ball(system, Vec3(0.1, 0, k + 1.0), Vec3::Zero(), 0.25);
    add_ball(system, Vec3(3, 0, 50), Vec3::Zero(), 0.25);
    add_ball(system, Vec3(0, 0, 60), Vec3::Zero(), 0.25, 1.0, true);
    HeapHeight height;
    CHECK(heap_height(system, height) == doctest::Approx(50.25));
    height.radius = 1.0;
    CHECK(heap_height(system, height) == doctest::Approx(10.25));
    height.point = Vec3(0, 0, 0.5);
    CHECK(heap_height(system, height) == doctest::Approx(9.75));
    height.fraction = 0.9;
    CHECK(heap_height(system, height) == doctest::Approx(8.75));
    height.radius = 0.05;
    CHECK_FALSE(heap_height(system, height));
}

TEST_CASE("tops on a cone or wedge have its slope as angle of repose") {
    for (const int dimension : {2, 3}) {
        for (const double degrees : {12.0, 25.0, 40.0}) {
            const System system = cone(dimension, 2.0, degrees);
            const std::optional<double> angle = repose_angle(system, about_axis(dimension));
            REQUIRE(angle);
            // In each bin the highest top is on the cone, at its own place.
            CHECK(*angle == doctest::Approx(degrees).epsilon(1e-10));
        }
    }
}

TEST_CASE("along a direction only one flank has the slope, and outwards it falls") {
    const System system = cone(2, 2.0, 30.0);
    Repose right = about_axis(2);
    right.outward = {false, Vec3(2, 1, 0), Vec3::UnitX()};
    // Both flanks are in the profile: they cancel.
    CHECK(std::abs(*repose_angle(system, right)) < 3.0);
    System flank = empty_system(2);
    for (Index i = 0; i < system.particles.size(); ++i) {
        if (system.particles.position[i].x() < 2.0) continue;
        add_ball(flank, system.particles.position[i], Vec3::Zero(), system.particles.radius[i]);
    }
    CHECK(*repose_angle(flank, right) == doctest::Approx(30.0).epsilon(1e-10));
    right.outward.axis = -Vec3::UnitX();
    CHECK(*repose_angle(flank, right) == doctest::Approx(-30.0).epsilon(1e-10));
}

TEST_CASE("a cone cut out of a lattice has its slope within what a bin of a diameter can hide") {
    System system = empty_system();
    const double radius = 0.05, height = 2.0, degrees = 25.0, fall = std::tan(degrees * kPi / 180.0);
    for (int a = -45; a <= 45; ++a) {
        for (int b = -45; b <= 45; ++b) {
            for (int c = 0; c < 20; ++c) {
                const Vec3 centre = 2.0 * radius * Vec3(a, b, c + 0.5);
                if (centre.z() + radius > height - fall * std::hypot(centre.x(), centre.y())) continue;
                add_ball(system, centre, Vec3::Zero(), radius);
            }
        }
    }
    const std::optional<double> angle = repose_angle(system, Repose{.outward = {true}});
    REQUIRE(angle);
    // Tops are up to a diameter below the cone at either end of the slope, which is 0.6 of the height.
    const double error = std::atan(2.0 * radius / (0.6 * height / fall)) * 180.0 / kPi;
    CHECK(std::abs(*angle - degrees) < error);
}

TEST_CASE("the surface is the highest top of each bin, and what is below or above the limits bends no line") {
    System system = empty_system(2);
    for (const auto& [x, top] : std::vector<std::pair<double, double>>{
             {0.5, 10.0}, {1.5, 7.0}, {1.6, 7.5}, {2.5, 5.0}, {3.5, 3.0}, {4.5, 1.0}, {9.5, 1.9}}) {
        add_ball(system, Vec3(x, top - 0.25, 0), Vec3::Zero(), 0.25);
    }
    Repose repose;
    repose.up = Vec3::UnitY();
    repose.outward.axis = Vec3::UnitX();
    repose.bin = 1.0;
    const std::vector<SurfacePoint> surface = free_surface(system, repose);
    REQUIRE(surface.size() == 6);
    CHECK(surface[1].outward == 1.6);
    CHECK(surface[1].height == 7.5);
    // (1.6, 7.5), (2.5, 5), (3.5, 3): slope of the least squares
    const double mean_x = 7.6 / 3.0, mean_y = 15.5 / 3.0;
    double spread = 0.0, common = 0.0;
    for (const auto& [x, y] : std::vector<std::pair<double, double>>{{1.6, 7.5}, {2.5, 5.0}, {3.5, 3.0}}) {
        spread += (x - mean_x) * (x - mean_x);
        common += (x - mean_x) * (y - mean_y);
    }
    CHECK(*repose_angle(system, repose) ==
          doctest::Approx(std::atan(-common / spread) * 180.0 / kPi).epsilon(1e-12));
    repose.low = 0.4;  // two places are left
    CHECK_FALSE(repose_angle(system, repose));
}

TEST_CASE("a flat layer and an empty scene have no angle of repose") {
    System system = empty_system();
    CHECK_FALSE(repose_angle(system, Repose{.outward = {true}}));
    for (int k = 0; k < 50; ++k) add_ball(system, Vec3(0.2 * k, 0, 0.1), Vec3::Zero(), 0.1);
    CHECK_FALSE(repose_angle(system, Repose{.outward = {true}}));
}

}  // namespace heap_tests
