#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "fill_checks.hpp"
#include "talus/core/random.hpp"
#include "talus/scene/free_places.hpp"

using namespace talus;
using namespace talus::test;

namespace {

struct Ball {
    Vec3 centre;
    double radius;
};

bool overlaps_any(const std::vector<Ball>& balls, const Vec3& x, double radius) {
    for (const Ball& ball : balls) {
        if ((ball.centre - x).norm() < ball.radius + radius) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("a ball is free exactly when no ball is nearer than the two radii, for any mixture of sizes") {
    for (const double spread : {1.0, 3.0, 1000.0}) {
        for (const int dimension : {2, 3}) {
            CAPTURE(spread);
            Random random(4, static_cast<std::uint64_t>(dimension));
            FreePlaces places;
            std::vector<Ball> balls;
            int taken = 0;
            for (int k = 0; k < 3000; ++k) {
                Vec3 x(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
                if (dimension == 2) x[2] = 0.0;
                const double radius = 0.1 * std::pow(spread, -random.uniform());
                const bool taken_here = overlaps_any(balls, x, radius);
                taken += taken_here;
                REQUIRE(places.is_free(x, radius) == !taken_here);
                // Balls that overlap others are remembered as well.
                if (k % 3 != 0) continue;
                places.add(x, radius);
                balls.push_back({x, radius});
            }
            CHECK(taken > 50);
            CHECK(places.ball_count() == balls.size());
        }
    }
}

TEST_CASE("balls that touch exactly are free of each other and a millionth of a radius nearer they are not") {
    FreePlaces places;
    const double r = 0.1;
    places.add(Vec3(100.0, 0.0, -7.0), r);
    const Vec3 touching(100.0 + 2.0 * r, 0.0, -7.0);
    CHECK(places.is_free(touching, r));
    CHECK_FALSE(places.is_free(touching - 1e-6 * r * Vec3::UnitX(), r));
}

TEST_CASE("balls in negative places, on borders of cells and very far away are found") {
    for (const double at : {0.0, -0.5, 0.5, 1.0, -4.0, 1e7, -1e7, 1e300}) {
        CAPTURE(at);
        FreePlaces places;
        places.add(Vec3(at, -at, 0.0), 0.125);
        CHECK_FALSE(places.is_free(Vec3(at, -at, 0.0), 0.125));
        CHECK_FALSE(places.is_free(Vec3(at, -at, 0.0), 40.0));
        CHECK(places.is_free(Vec3(at, -at, 1.0), 0.125));
    }
}

TEST_CASE("walls count while they are present and where they are at the time") {
    System system = empty_system();
    Wall& wall = add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    wall.motion.direction = Vec3::UnitZ();
    wall.motion.displacement = Schedule::ramp(0.0, 1.0);
    wall.until = 5.0;
    const Vec3 x(0.0, 0.0, 1.0);
    CHECK(FreePlaces(system, 0.0).is_free(x, 1.0));
    CHECK_FALSE(FreePlaces(system, 0.5).is_free(x, 1.0));
    CHECK(FreePlaces(system, 0.5).is_free(x, 0.5));
    CHECK_FALSE(FreePlaces(system, 4.0).is_free(x, 0.1));
    CHECK(FreePlaces(system, 5.0).is_free(x, 0.1));
}

TEST_CASE("the particles of the system are taken with their radii of the moment") {
    System system = empty_system();
    add_ball(system, Vec3(1.0, 0.0, 0.0), Vec3::Zero(), 0.5);
    system.particles.radius[0] = 0.25;
    const FreePlaces places(system, 0.0);
    CHECK(places.is_free(Vec3::Zero(), 0.75));
    CHECK_FALSE(places.is_free(Vec3::Zero(), 0.76));
}
