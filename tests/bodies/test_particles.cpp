#include "talus/bodies/particles.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "talus/core/error.hpp"

using namespace talus;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Particles with ids 10, 20, ...; those of group 1 are frozen.
Particles some_particles(int count) {
    Particles p;
    for (int i = 0; i < count; ++i) {
        const std::int32_t group = i % 2;
        p.add({10 * (i + 1), Vec3(i, 2.0 * i, 0.0), Vec3(1.0, 0.0, -1.0), 0.1 + 0.01 * i, 1.0 / (3.0 + i),
               group, group == 1});
    }
    return p;
}

Group group_with(const Schedule& scale, bool constant_density) {
    Group group;
    group.name = "seeds";
    group.radius_scale = scale;
    group.constant_density = constant_density;
    return group;
}

}  // namespace

TEST_CASE("a frozen particle has no velocity and no inverse mass, a free one has both") {
    const Particles p = some_particles(2);
    CHECK(p.size() == 2);
    CHECK_FALSE(p.frozen(0));
    CHECK(p.velocity[0] == Vec3(1.0, 0.0, -1.0));
    CHECK(p.inverse_mass[0] == 3.0);
    CHECK(p.frozen(1));
    CHECK(p.velocity[1] == Vec3::Zero());
    CHECK(p.mass[1] == 0.25);
    CHECK(p.contact_force[1] == Vec3::Zero());
}

TEST_CASE("particles that can not be are refused and leave the others as they were") {
    Particles p = some_particles(2);
    const auto add = [&](ParticleId id, double x, double radius, double mass) {
        p.add({id, Vec3(x, 0.0, 0.0), Vec3::Zero(), radius, mass});
    };
    CHECK_THROWS_WITH_AS(add(20, 0.0, 1.0, 1.0), doctest::Contains("id 20"), std::invalid_argument);
    for (const double bad : {0.0, -0.1, kInf, kNan}) {
        CHECK_THROWS_WITH_AS(add(30, 0.0, bad, 1.0), doctest::Contains("radius"), std::invalid_argument);
        CHECK_THROWS_WITH_AS(add(30, 0.0, 1.0, bad), doctest::Contains("mass"), std::invalid_argument);
    }
    CHECK_THROWS_AS(add(30, 0.0, 1.0, 1e-320), std::invalid_argument);  // its inverse overflows
    CHECK_THROWS_AS(add(30, kNan, 1.0, 1.0), std::invalid_argument);
    CHECK(p.size() == 2);
    CHECK(p.group.size() == 2);
}

TEST_CASE("removal keeps the order of the others and every quantity with its particle") {
    Particles p = some_particles(6);
    p.remove({1, 0, 0, 1, 0, 1});
    const Particles all = some_particles(6);
    REQUIRE(p.size() == 3);
    const std::size_t left[] = {1, 2, 4};
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = left[k];
        CHECK(p.id[k] == all.id[i]);
        CHECK(p.position[k] == all.position[i]);
        CHECK(p.velocity[k] == all.velocity[i]);
        CHECK(p.radius[k] == all.radius[i]);
        CHECK(p.reference_radius[k] == all.reference_radius[i]);
        CHECK(p.mass[k] == all.mass[i]);
        CHECK(p.inverse_mass[k] == all.inverse_mass[i]);
        CHECK(p.reference_mass[k] == all.reference_mass[i]);
        CHECK(p.group[k] == all.group[i]);
    }
    CHECK(p.contact_force.size() == 3);
    CHECK_THROWS_AS(p.remove({1, 0}), std::invalid_argument);
    p.remove({1, 1, 1});
    CHECK(p.size() == 0);
}

TEST_CASE(
    "a doubled radius multiplies the mass by 4 in the plane and by 8 in space at constant density only") {
    const std::vector<Group> groups = {group_with(Schedule::ramp(1.0, 0.5), true),
                                       group_with(Schedule::ramp(1.0, 0.5), false)};
    for (const int dimension : {2, 3}) {
        Particles p;
        p.add({0, Vec3::Zero(), Vec3::Zero(), 0.1, 3.0});
        p.add({1, Vec3::Zero(), Vec3::Zero(), 0.1, 3.0, 1, false});
        set_radii(p, groups, dimension, 2.0);
        CHECK(p.radius[0] == 0.2);
        CHECK(p.mass[0] == (dimension == 2 ? 12.0 : 24.0));
        CHECK(p.inverse_mass[0] == 1.0 / p.mass[0]);
        CHECK(p.radius[1] == 0.2);
        CHECK(p.mass[1] == 3.0);
    }
}

TEST_CASE("a scale of exactly 1 leaves radius and mass with the same bits, however often it is set") {
    Particles p = some_particles(5);
    const Particles before = p;
    const std::vector<Group> groups = {group_with(Schedule::table({0.0, 1.0, 2.0}, {1.0, 1.3, 1.0}), true),
                                       group_with(Schedule::constant(1.0), true)};
    for (const double t : {0.0, 0.7, 1.0, 1.9, 2.0}) set_radii(p, groups, 3, t);
    CHECK(p.radius == before.radius);
    CHECK(p.mass == before.mass);
    CHECK(p.inverse_mass == before.inverse_mass);
}

TEST_CASE("a frozen particle may grow and stays frozen") {
    Particles p = some_particles(2);
    const std::vector<Group> groups(2, group_with(Schedule::constant(2.0), true));
    set_radii(p, groups, 3, 0.0);
    CHECK(p.radius[1] == 2.0 * p.reference_radius[1]);
    CHECK(p.inverse_mass[1] == 0.0);
    CHECK(p.mass[1] == 8.0 * p.reference_mass[1]);
}

TEST_CASE("a radius that reaches zero is refused with group, id and time, and nothing is changed") {
    // r = 0.1 - 0.05 t: zero at t = 2.
    Particles p;
    p.add({42, Vec3::Zero(), Vec3::Zero(), 0.1, 1.0});
    const std::vector<Group> groups = {group_with(Schedule::ramp(1.0, -0.5), false)};
    set_radii(p, groups, 3, 1.5);
    CHECK(p.radius[0] == doctest::Approx(0.025).epsilon(1e-15));
    for (const double t : {2.0, 2.5}) {
        CHECK_THROWS_WITH_AS(set_radii(p, groups, 3, t), doctest::Contains("seeds"), StateError);
        CHECK_THROWS_WITH_AS(set_radii(p, groups, 3, t), doctest::Contains("particle 42"), StateError);
    }
    CHECK_THROWS_WITH_AS(set_radii(p, groups, 3, 2.5), doctest::Contains("t = 2.5 s"), StateError);
    CHECK(p.radius[0] == doctest::Approx(0.025).epsilon(1e-15));
    const std::vector<Group> bursting = {group_with(Schedule::exponential(1.0, 1.0), false)};
    CHECK_THROWS_AS(set_radii(p, bursting, 3, 1e4), StateError);
}

TEST_CASE("a group without particles may have any scale, and an unknown group is refused") {
    Particles p = some_particles(1);
    std::vector<Group> groups = {group_with(Schedule::constant(1.0), false),
                                 group_with(Schedule::constant(-1.0), false)};
    CHECK_NOTHROW(set_radii(p, groups, 3, 0.0));
    p.group[0] = 2;
    CHECK_THROWS_AS(set_radii(p, groups, 3, 0.0), std::invalid_argument);
    p.group[0] = -1;
    CHECK_THROWS_AS(set_radii(p, groups, 3, 0.0), std::invalid_argument);
    p.group[0] = 0;
    CHECK_THROWS_AS(set_radii(p, groups, 4, 0.0), std::invalid_argument);
}
