#include <doctest/doctest.h>

#include <cmath>

#include "support/builders.hpp"
#include "talus/step/contact_law.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Groups "default" (0) and "grains" (1), walls "floor" (0) and "side" (1).
System two_groups_two_walls() {
    System system = empty_system();
    system.groups.push_back(Group{.name = "grains"});
    add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "floor");
    add_plane(system, Vec3::Zero(), Vec3::UnitX(), "side");
    return system;
}

}  // namespace

TEST_CASE("restitution is looked up by the names of groups and walls in either order") {
    System system = two_groups_two_walls();
    system.law.restitution = 0.1;
    system.law.pairs[{"floor", "grains"}].restitution = 0.7;
    system.law.pairs[{"default", "grains"}].restitution = 0.4;
    const LawTable table = law_table(system);
    CHECK(table.of_group_wall(1, 0).restitution == 0.7);
    CHECK(table.of_group_wall(1, 1).restitution == 0.1);
    CHECK(table.of_group_wall(0, 0).restitution == 0.1);
    CHECK(table.of_groups(0, 1).restitution == 0.4);
    CHECK(table.of_groups(1, 0).restitution == 0.4);
    CHECK(table.of_groups(1, 1).restitution == 0.1);
}

TEST_CASE(
    "the friction of a pair is the geometric mean of its surfaces, which have the default or their own") {
    System system = two_groups_two_walls();
    system.law.kind = FrictionLaw::coulomb;
    system.law.friction = 0.3;
    system.law.surface_friction = {{"grains", 0.5}, {"floor", 0.8}, {"side", 0.0}};
    const LawTable table = law_table(system);
    CHECK(table.of_groups(0, 0).friction == 0.3);  // the root of a square is exact
    CHECK(table.of_groups(1, 1).friction == 0.5);
    CHECK(table.of_groups(0, 1).friction == std::sqrt(0.3 * 0.5));
    CHECK(table.of_groups(1, 0).friction == std::sqrt(0.3 * 0.5));
    CHECK(table.of_group_wall(0, 0).friction == std::sqrt(0.3 * 0.8));
    CHECK(table.of_group_wall(1, 0).friction == std::sqrt(0.5 * 0.8));
    CHECK(table.of_group_wall(1, 1).friction == 0.0);  // one frictionless surface is enough
}

TEST_CASE("what a listed pair says counts, and what it does not say follows from the surfaces") {
    System system = two_groups_two_walls();
    system.law.kind = FrictionLaw::coulomb_relaxed;
    system.law.restitution = 0.1;
    system.law.friction = 0.3;
    system.law.surface_friction = {{"side", 0.0}};
    system.law.pairs[{"grains", "side"}].friction = 0.9;
    system.law.pairs[{"floor", "grains"}].restitution = 0.7;
    const LawTable table = law_table(system);
    CHECK(table.of_group_wall(1, 1).friction == 0.9);
    CHECK(table.of_group_wall(1, 1).restitution == 0.1);
    CHECK(table.of_group_wall(0, 1).friction == 0.0);
    CHECK(table.of_groups(0, 1).friction == 0.3);
    CHECK(table.of_group_wall(1, 0).restitution == 0.7);
    CHECK(table.of_group_wall(1, 0).friction == 0.3);
}

TEST_CASE("rolling friction is mixed and overridden as friction is, and apart from it") {
    System system = two_groups_two_walls();
    system.law.kind = FrictionLaw::coulomb;
    system.law.friction = 0.3;
    system.law.rolling_friction = 0.04;
    system.law.surface_rolling_friction = {{"grains", 0.09}, {"side", 0.0}};
    system.law.pairs[{"default", "floor"}].rolling_friction = 0.5;
    const LawTable table = law_table(system);
    CHECK(table.of_groups(0, 0).rolling_friction == doctest::Approx(0.04));
    CHECK(table.of_groups(0, 1).rolling_friction == doctest::Approx(0.06));
    CHECK(table.of_group_wall(1, 0).rolling_friction == doctest::Approx(0.06));
    CHECK(table.of_group_wall(1, 1).rolling_friction == 0.0);
    CHECK(table.of_group_wall(0, 0).rolling_friction == 0.5);
    CHECK(table.of_group_wall(0, 0).friction == 0.3);
    CHECK(table.any_rolling_friction());
}

TEST_CASE("the inelastic law has no friction, whatever the coefficients are") {
    System system = two_groups_two_walls();
    system.law.restitution = 0.1;
    system.law.friction = 0.3;
    system.law.surface_friction = {{"grains", 0.5}};
    system.law.rolling_friction = 0.1;
    system.law.pairs[{"floor", "grains"}] = {.restitution = 0.7, .friction = 0.4, .rolling_friction = 0.2};
    const LawTable table = law_table(system);
    for (const PairLaw& law : {table.of_groups(0, 1), table.of_group_wall(1, 0), table.of_group_wall(0, 1)}) {
        CHECK(law.friction == 0.0);
        CHECK(law.rolling_friction == 0.0);
    }
    CHECK(table.of_group_wall(1, 0).restitution == 0.7);
}
