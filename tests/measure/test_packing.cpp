#include "talus/measure/packing.hpp"

#include <doctest/doctest.h>

#include "support/builders.hpp"
#include "talus/step/contact_law.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Balls whose places do not matter: contacts are made by hand.
System balls(int dimension, int count, double mu = 0.0) {
    System system = empty_system(dimension);
    for (int k = 0; k < count; ++k) add_ball(system, Vec3(k, 0, 0), Vec3::Zero(), 0.1);
    if (mu > 0.0) system.law.kind = FrictionLaw::coulomb;
    system.law.friction = mu;
    return system;
}

void freeze(System& system, std::size_t i) {
    system.particles.inverse_mass[i] = 0.0;
}

constexpr Index kWall = -1;

Contact touch(Index i, Index j, double impulse = 1.0) {
    return {.i = i,
            .j = j,
            .wall = j < 0 ? 0 : -1,
            .feature = 0,
            .law = 0,
            .normal = Vec3::UnitX(),
            .gap = 0.0,
            .gap_before = 0.0,
            .impulse = impulse};
}

/// Every two of `count` balls touch.
ContactList all_pairs(Index count) {
    ContactList contacts;
    for (Index i = 0; i < count; ++i) {
        for (Index j = i + 1; j < count; ++j) contacts.push_back(touch(i, j));
    }
    return contacts;
}

}  // namespace

TEST_CASE("without friction a particle is held by dimension + 1 contacts, not by fewer") {
    // Each of n balls that all touch has n - 1 contacts.
    CHECK(coordination_no_rattlers(balls(2, 3), all_pairs(3)) == 0.0);
    CHECK(coordination_no_rattlers(balls(2, 4), all_pairs(4)) == 3.0);
    CHECK(coordination_no_rattlers(balls(3, 4), all_pairs(4)) == 0.0);
    CHECK(coordination_no_rattlers(balls(3, 5), all_pairs(5)) == 4.0);
}

TEST_CASE("with friction a particle is held by two contacts, not by one") {
    CHECK(coordination_no_rattlers(balls(3, 2, 0.5), all_pairs(2)) == 0.0);
    CHECK(coordination_no_rattlers(balls(3, 3, 0.5), all_pairs(3)) == 2.0);
    // The law alone is no friction: no surface has any.
    System smooth = balls(3, 3, 0.5);
    smooth.law.friction = 0.0;
    CHECK(coordination_no_rattlers(smooth, all_pairs(3)) == 0.0);
}

TEST_CASE("a rattler takes its contacts along, and with them the particles that it seemed to hold") {
    // Four balls that all touch, and a tail 3-4-5-6 whose end has one contact.
    System system = balls(3, 7, 0.5);
    ContactList contacts = all_pairs(4);
    for (const Index k : {5, 3, 4}) contacts.push_back(touch(k, k + 1));
    CHECK(mean_coordination(system, contacts) == doctest::Approx(18.0 / 7.0));
    CHECK(coordination_no_rattlers(system, contacts) == 3.0);
    // Held at its end by a wall, nothing of the tail is a rattler.
    contacts.push_back(touch(6, kWall));
    CHECK(coordination_no_rattlers(system, contacts) == doctest::Approx(19.0 / 7.0));
    // A contact without an impulse holds nothing.
    contacts.back().impulse = 0.0;
    CHECK(coordination_no_rattlers(system, contacts) == 3.0);
}

TEST_CASE("a chain without a held end vanishes from both ends, however long") {
    const Index count = 1000;
    ContactList contacts;
    for (Index i = 0; i + 1 < count; ++i) contacts.push_back(touch(i, i + 1));
    CHECK(coordination_no_rattlers(balls(2, count, 0.5), contacts) == 0.0);
    contacts.push_back(touch(0, count - 1));
    CHECK(coordination_no_rattlers(balls(2, count, 0.5), contacts) == 2.0);
}

TEST_CASE("walls and frozen particles hold others, and frozen ones are not in the mean") {
    // Ball 0 on a wall and two frozen balls, one of which touches nothing else; ball 3 touches nothing.
    System system = balls(2, 4);
    freeze(system, 1);
    freeze(system, 2);
    const ContactList contacts = {touch(0, kWall), touch(0, 1), touch(0, 2), touch(1, 2)};
    CHECK(coordination_no_rattlers(system, contacts) == 3.0);
    freeze(system, 0);
    CHECK(coordination_no_rattlers(system, contacts) == 0.0);
    CHECK(coordination_no_rattlers(balls(2, 0), {}) == 0.0);
}

TEST_CASE("the share that slides is that of the loaded contacts between surfaces with friction") {
    System system = balls(3, 3, 0.5);
    system.groups.push_back(Group{.name = "smooth"});
    system.law.surface_friction["smooth"] = 0.0;
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    const LawTable law = law_table(system);
    ContactList contacts(4, touch(0, 1));
    for (Contact& c : contacts) c.law = law.number_of_groups(0, 0);
    contacts[0].sliding = true;
    CHECK(sliding_fraction(system, contacts) == 0.25);
    contacts.push_back(touch(2, kWall));  // counts
    contacts.back().law = law.number_of_group_wall(0, 0);
    CHECK(sliding_fraction(system, contacts) == 0.2);
    contacts.push_back(touch(1, 2));  // has no friction
    contacts.back().law = law.number_of_groups(1, 0);
    contacts.back().sliding = true;
    contacts.push_back(touch(0, 2, 0.0));  // carries nothing
    contacts.back().law = law.number_of_groups(0, 0);
    contacts.back().sliding = true;
    CHECK(sliding_fraction(system, contacts) == 0.2);
    CHECK(sliding_fraction(system, {}) == 0.0);
}
