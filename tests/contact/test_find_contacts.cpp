#include <doctest/doctest.h>

#include "support/builders.hpp"
#include "talus/broadphase/broad_phase.hpp"
#include "talus/contact/find_contacts.hpp"

using namespace talus;
using namespace talus::test;

namespace {

std::vector<Pair> all_pairs(Index count) {
    std::vector<Pair> pairs;
    for (Index i = 0; i < count; ++i) {
        for (Index j = i + 1; j < count; ++j) pairs.push_back({i, j});
    }
    return pairs;
}

}  // namespace

TEST_CASE("contacts are exactly the candidates whose gap is within the sum of the two reaches") {
    System system = empty_system();
    for (std::uint64_t k = 0; k < 60; ++k) {
        Random draw(4, k);
        add_ball(system, Vec3(draw.uniform(), draw.uniform(), draw.uniform()), Vec3::Zero(),
                 draw.uniform(0.01, 0.05));
    }
    const Particles& p = system.particles;
    std::vector<double> reach(60);
    for (std::uint64_t k = 0; k < 60; ++k) reach[k] = Random(5, k).uniform(0.0, 0.1);
    std::vector<double> before = p.radius;
    for (double& r : before) r *= 0.9;
    const LawTable law(1, 0, {.restitution = 0.25, .friction = 0.5});
    const std::vector<Pair> candidates = all_pairs(60);
    ContactFinder finder;
    ContactList contacts;
    finder.pairs({p, before, reach, law}, candidates, contacts);

    std::size_t expected = 0;
    for (const Pair& pair : candidates) {
        const auto i = static_cast<std::size_t>(pair.i), j = static_cast<std::size_t>(pair.j);
        const Vec3 line = p.position[j] - p.position[i];
        const double gap = line.norm() - p.radius[i] - p.radius[j];
        if (gap > reach[i] + reach[j]) continue;
        REQUIRE(expected < contacts.size());
        const Contact& c = contacts[expected++];
        CHECK(c.i == pair.i);
        CHECK(c.j == pair.j);
        CHECK(c.gap == doctest::Approx(gap).epsilon(1e-14));
        CHECK(c.gap_before == doctest::Approx(gap + 0.1 * (p.radius[i] + p.radius[j])).epsilon(1e-12));
        CHECK((c.normal - line.normalized()).norm() < 1e-14);
        CHECK(law[c.law].restitution == 0.25);
        CHECK(law[c.law].friction == 0.5);
        CHECK(c.tangential == Vec3::Zero());
        CHECK_FALSE(c.sliding);
    }
    CHECK(expected == contacts.size());
    CHECK(expected > 10);
}

TEST_CASE(
    "two centres in the same place get the same finite normal every time, in the plane of a plane scene") {
    System system = empty_system(2);
    add_ball(system, Vec3(1, 2, 0), Vec3::Zero(), 0.1);
    add_ball(system, Vec3(1, 2, 0), Vec3::Zero(), 0.1);
    const LawTable law(1, 0, {});
    const std::vector<double> reach(2, 0.0);
    ContactFinder finder;
    ContactList contacts;
    finder.pairs({system.particles, system.particles.radius, reach, law}, all_pairs(2), contacts);
    REQUIRE(contacts.size() == 1);
    CHECK(contacts[0].normal == Vec3(Vec3::UnitX()));
    CHECK(contacts[0].gap == doctest::Approx(-0.2));
}

TEST_CASE("a wall contact has its gap at the end of the step and its earlier gap where the wall was") {
    System system = empty_system();
    add_ball(system, Vec3(0, 0, 0.15), Vec3::Zero(), 0.1);
    Wall& floor = add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    floor.motion.direction = Vec3::UnitZ();
    floor.motion.displacement = Schedule::ramp(0.0, 1.0);
    const std::vector<PlacedWall> placed = place_walls(system.walls, 0.0, 0.02);
    const LawTable law(1, 1, {.restitution = 0.25, .friction = 0.5});
    const std::vector<double> reach(1, 0.1);
    ContactFinder finder;
    ContactList contacts;
    finder.walls({system.particles, system.particles.radius, reach, law}, placed, {Vec3::Zero()}, contacts);
    REQUIRE(contacts.size() == 1);
    CHECK(contacts[0].j == -1);
    CHECK(contacts[0].gap == doctest::Approx(0.03).epsilon(1e-12));
    CHECK(contacts[0].gap_before == doctest::Approx(0.05).epsilon(1e-12));
    CHECK((contacts[0].normal + Vec3::UnitZ()).norm() < 1e-15);
    CHECK(law[contacts[0].law].restitution == 0.25);
    CHECK(law[contacts[0].law].friction == 0.5);
    REQUIRE(finder.near_walls().size() == 1);
}

TEST_CASE("a thin plate that sweeps over a centre within one step keeps the sphere in front of it") {
    System system = empty_system();
    add_ball(system, Vec3(0, 0, 0.3), Vec3::Zero(), 0.1);
    Wall& plate =
        add_wall(system, "plate", make_revolved(Vec3::Zero(), Vec3::UnitZ(), {{0.0, 0.0}, {5.0, 0.0}}));
    plate.motion.direction = Vec3::UnitZ();
    plate.motion.displacement = Schedule::ramp(0.0, 100.0);
    const std::vector<PlacedWall> placed = place_walls(system.walls, 0.0, 0.01);  // from z = 0 to z = 1
    const LawTable law(1, 1, {});
    const std::vector<double> reach(1, 0.01);
    ContactFinder finder;
    ContactList contacts;
    finder.walls({system.particles, system.particles.radius, reach, law}, placed, {Vec3::Zero()}, contacts);
    REQUIRE(contacts.size() == 1);
    CHECK(contacts[0].gap == doctest::Approx(0.3 - 1.0 - 0.1).epsilon(1e-12));
    CHECK((contacts[0].normal + Vec3::UnitZ()).norm() < 1e-15);
}

TEST_CASE("a wall is placed only while it is present") {
    System system = empty_system();
    Wall& gate = add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    gate.from = 1.0;
    gate.until = 2.0;
    CHECK(place_walls(system.walls, 0.8, 0.9).empty());
    CHECK(place_walls(system.walls, 0.9, 1.0).size() == 1);
    CHECK(place_walls(system.walls, 1.9, 2.0).empty());
}
