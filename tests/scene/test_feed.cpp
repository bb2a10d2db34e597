#include "talus/scene/feed.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/builders.hpp"
#include "talus/geometry/shapes.hpp"
#include "talus/step/initial_overlap.hpp"

using namespace talus;
using namespace talus::test;

namespace {

Inlet unit_box_inlet(double radius) {
    Inlet inlet;
    inlet.name = "feed";
    inlet.region.kind = Region::Kind::box;
    inlet.region.low = {0.0, 0.0, 0.0};
    inlet.region.high = {1.0, 1.0, 1.0};
    inlet.radius.kind = RadiusDistribution::Kind::constant;
    inlet.radius.mean = radius;
    inlet.density = 1000.0;
    inlet.seed = 3;
    return inlet;
}

void set_step(System& system, std::int64_t step, double h) {
    system.step = step;
    system.time = static_cast<double>(step) * h;
}

}  // namespace

TEST_CASE(
    "a feed of rate k makes the particle number n at from + n / k, none before from and none from until on") {
    Inlet inlet = unit_box_inlet(0.01);
    inlet.rate = 10.0;
    inlet.from = 0.1;
    inlet.until = 0.6;
    Feed feed(inlet);
    System system = empty_system();
    ParticleId next_id = 5;
    for (int step = 0; step <= 100; ++step) {
        set_step(system, step, 0.01);
        feed.insert(system, next_id);
        const double since = 10.0 * (system.time - 0.1);
        const double expected = std::clamp(std::floor(since + 1e-6) + 1.0, 0.0, 5.0);
        CAPTURE(step);
        CHECK(static_cast<double>(feed.created()) == expected);
    }
    CHECK(system.particles.id == std::vector<ParticleId>{5, 6, 7, 8, 9});
    CHECK(next_id == 10);
}

TEST_CASE("a feed that is due several particles a step makes all of them") {
    Inlet inlet = unit_box_inlet(0.01);
    inlet.rate = 2000.0;
    inlet.count = 55;
    Feed feed(inlet);
    System system = empty_system();
    ParticleId next_id = 0;
    CHECK(feed.insert(system, next_id) == 1);  // at from
    set_step(system, 1, 0.01);
    CHECK(feed.insert(system, next_id) == 20);
    set_step(system, 10, 0.01);
    CHECK(feed.insert(system, next_id) == 34);  // the count stops it
    set_step(system, 11, 0.01);
    CHECK(feed.insert(system, next_id) == 0);
    CHECK(feed.asked() == 55);
}

TEST_CASE("feeding until full never overlaps particles or walls, and blocked particles lapse") {
    Inlet inlet = unit_box_inlet(0.1);
    inlet.radius.kind = RadiusDistribution::Kind::uniform;
    inlet.radius.low = 0.05;
    inlet.radius.high = 0.1;
    inlet.rate = 10000.0;  // 100 due every 0.01 s, as in a refill onto a full bed
    Feed feed(inlet);
    System system = empty_system();
    Wall floor;
    floor.name = "floor";
    floor.shape = make_half_space({0.0, 0.0, 0.3}, Vec3::UnitZ());
    system.walls.push_back(floor);
    ParticleId next_id = 0;
    for (int step = 0; step < 30; ++step) {
        set_step(system, step, 0.01);
        feed.insert(system, next_id);
    }
    CHECK(feed.asked() == 2901);
    CHECK(feed.created() > 20);
    CHECK(feed.created() < 1000);
    CHECK(feed.created() == system.particles.size());
    CHECK(find_overlaps(system, 1e-12).count == 0);
    for (const Vec3& x : system.particles.position) CHECK(x.z() > 0.3);
}

TEST_CASE("the radii of a feed are those of its distribution in order, also when places are rare") {
    Inlet inlet = unit_box_inlet(0.1);
    inlet.radius.kind = RadiusDistribution::Kind::uniform;
    inlet.radius.low = 0.02;
    inlet.radius.high = 0.2;
    inlet.rate = 0.0;
    Feed feed(inlet);
    System system = empty_system();
    ParticleId next_id = 0;
    for (int step = 0; step < 20; ++step) {
        set_step(system, step, 0.01);
        feed.insert(system, next_id);
    }
    REQUIRE(system.particles.size() > 10);
    for (std::size_t k = 0; k < system.particles.id.size(); ++k) {
        CHECK(system.particles.reference_radius[k] == inlet.radius.draw(inlet.seed, k));
    }
}

TEST_CASE("in a plane a feed stays in it, and growing groups get the radius of the time") {
    Inlet inlet = unit_box_inlet(0.05);
    inlet.count = 5;
    inlet.from = 1.0;
    Feed feed(inlet);
    System system = empty_system();
    system.dimension = 2;
    system.groups[0].radius_scale = Schedule::ramp(1.0, 1.0);
    set_step(system, 100, 0.01);
    ParticleId next_id = 0;
    REQUIRE(feed.insert(system, next_id) == 5);
    for (std::size_t k = 0; k < 5; ++k) {
        CHECK(system.particles.position[k].z() == 0.0);
        CHECK(system.particles.radius[k] == doctest::Approx(0.1));
        CHECK(system.particles.reference_mass[k] == doctest::Approx(1000.0 * 3.14159265358979 * 0.0025));
    }
    CHECK(find_overlaps(system, 1e-12).count == 0);
}
