#include "talus/bodies/particles.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "talus/bodies/memory_order.hpp"
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
               group, group == 1, Quaternion(std::cos(i), std::sin(i), 0.0, 0.0), Vec3(i, 0.0, 2.0)});
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
    Particle particle{30, Vec3::Zero(), Vec3::Zero(), 1.0, 1.0};
    particle.angular_velocity = Vec3(0.0, 0.0, kInf);
    CHECK_THROWS_AS(p.add(particle), std::invalid_argument);
    particle.angular_velocity = Vec3::Zero();
    for (const double w : {0.0, 1.001, kNan}) {
        particle.orientation = Quaternion(w, 0.0, 0.0, 0.0);
        CHECK_THROWS_WITH_AS(p.add(particle), doctest::Contains("unit quaternion"), std::invalid_argument);
    }
    CHECK(p.size() == 2);
    CHECK(p.group.size() == 2);
}

namespace {

/// Whether the k-th of some particles is the i-th of others.
void check_same(const Particles& p, std::size_t k, const Particles& all, std::size_t i) {
    CHECK(p.id[k] == all.id[i]);
    CHECK(p.position[k] == all.position[i]);
    CHECK(p.velocity[k] == all.velocity[i]);
    CHECK(p.radius[k] == all.radius[i]);
    CHECK(p.reference_radius[k] == all.reference_radius[i]);
    CHECK(p.mass[k] == all.mass[i]);
    CHECK(p.inverse_mass[k] == all.inverse_mass[i]);
    CHECK(p.reference_mass[k] == all.reference_mass[i]);
    CHECK(p.group[k] == all.group[i]);
    CHECK(p.orientation[k].coeffs() == all.orientation[i].coeffs());
    CHECK(p.angular_velocity[k] == all.angular_velocity[i]);
    CHECK(p.inverse_inertia[k] == all.inverse_inertia[i]);
}

/// ... of two groups, with masses and inertia of their time.
Particles grown_particles(Index count) {
    Particles p = some_particles(count);
    set_radii(p, std::vector<Group>(2, group_with(Schedule::constant(1.0), false)), 3, 0.0);
    return p;
}

}  // namespace

TEST_CASE("removal keeps the order of the others and every quantity with its particle") {
    Particles p = grown_particles(6);
    const Particles all = p;
    p.remove({1, 0, 0, 1, 0, 1});
    REQUIRE(p.size() == 3);
    const std::size_t left[] = {1, 2, 4};
    for (std::size_t k = 0; k < 3; ++k) check_same(p, k, all, left[k]);
    CHECK_THROWS_AS(p.remove({1, 0}), std::invalid_argument);
    p.remove({1, 1, 1});
    CHECK(p.size() == 0);
}

TEST_CASE("another order in memory keeps every quantity with its particle, and ids are never used again") {
    Particles p = grown_particles(5);
    const Particles all = p;
    const std::vector<Index> order = {3, 0, 4, 2, 1};
    p.arrange(order);
    for (std::size_t k = 0; k < order.size(); ++k) check_same(p, k, all, order[k]);
    CHECK(id_order(p.id) == places_of(order));
    p.arrange(places_of(order));
    CHECK(p.id == all.id);
    CHECK_THROWS_AS(p.arrange({0, 1}), std::invalid_argument);

    p.arrange(order);
    p.remove({0, 0, 1, 0, 0});  // the greatest of the ids
    CHECK_THROWS_AS(p.add({all.id.back(), Vec3::Zero(), Vec3::Zero(), 1.0, 1.0}), std::invalid_argument);
    p.add({all.id.back() + 1, Vec3::Zero(), Vec3::Zero(), 1.0, 1.0});
    CHECK(p.id.back() == all.id.back() + 1);
}

TEST_CASE("a refused radius names the smallest id, whatever the order in memory") {
    Particles p = some_particles(6);
    p.arrange({5, 3, 1, 4, 2, 0});
    const std::vector<Group> vanishing(2, group_with(Schedule::ramp(1.0, -1.0), false));
    CHECK_THROWS_WITH_AS(set_radii(p, vanishing, 3, 2.0),
                         doctest::Contains(("particle " + std::to_string(p.id.back()) + " would").c_str()),
                         StateError);
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

TEST_CASE("the moment of inertia is that of a ball, a disc, a shell and a ring") {
    struct Case {
        int dimension;
        Inertia inertia;
        double factor;  // k in J = k m r^2
    };
    for (const Case& c : {Case{3, Inertia::solid, 2.0 / 5.0}, Case{2, Inertia::solid, 1.0 / 2.0},
                          Case{3, Inertia::hollow, 2.0 / 3.0}, Case{2, Inertia::hollow, 1.0}}) {
        Group group = group_with(Schedule::constant(1.0), false);
        group.inertia = c.inertia;
        Particles p;
        p.add({0, Vec3::Zero(), Vec3::Zero(), 0.3, 7.0});
        set_radii(p, {group}, c.dimension, 0.0);
        CHECK(p.inverse_inertia[0] == doctest::Approx(1.0 / (c.factor * 7.0 * 0.3 * 0.3)).epsilon(1e-15));
    }
}

TEST_CASE("a body whose radius changes keeps its angular momentum, a ball and a disc, heavier or not") {
    const Vec3 spin(0.0, 0.0, 3.0);
    const std::vector<Group> groups = {group_with(Schedule::ramp(1.0, 0.5), true),
                                       group_with(Schedule::ramp(1.0, 0.5), false)};
    for (const int dimension : {2, 3}) {
        Particles p;
        for (const std::int32_t group : {0, 1}) {
            Particle particle{group, Vec3::Zero(), Vec3::Zero(), 0.1, 3.0, group};
            particle.angular_velocity = spin;
            p.add(particle);
        }
        set_radii(p, groups, dimension, 0.0);
        CHECK(p.angular_velocity[0] == spin);
        const std::vector<double> before = p.inverse_inertia;
        for (int n = 1; n <= 200; ++n) set_radii(p, groups, dimension, 0.01 * n);
        // Radius doubled: J grows by 2^2, with the mass by 2^(2 + dimension). 200 roundings.
        CHECK(p.angular_velocity[1].z() == doctest::Approx(3.0 / 4.0).epsilon(1e-13));
        CHECK(p.angular_velocity[0].z() ==
              doctest::Approx(3.0 / (dimension == 2 ? 16.0 : 32.0)).epsilon(1e-13));
        for (std::size_t i = 0; i < 2; ++i) {
            const double momentum = p.angular_velocity[i].z() / p.inverse_inertia[i];
            CHECK(momentum == doctest::Approx(spin.z() / before[i]).epsilon(1e-13));
        }
    }
}

TEST_CASE("where the moment of inertia does not change, the spin keeps its bits, also when particles come") {
    const std::vector<Group> groups = {group_with(Schedule::table({0.0, 1.0, 2.0}, {1.3, 1.3, 1.0}), true)};
    const Vec3 spin(0.1, 0.2, 0.3);
    Particle particle{0, Vec3::Zero(), Vec3::Zero(), 0.1, 3.0};
    particle.angular_velocity = spin;
    Particles p;
    p.add(particle);
    for (const double t : {0.0, 0.3, 1.0}) set_radii(p, groups, 3, t);
    particle.id = 1;
    p.add(particle);
    set_radii(p, groups, 3, 1.0);
    CHECK(p.angular_velocity[0] == spin);
    CHECK(p.angular_velocity[1] == spin);
}

TEST_CASE("a frozen or locked particle has no spin and no inverse moment of inertia") {
    std::vector<Group> groups = {group_with(Schedule::constant(1.0), false),
                                 group_with(Schedule::constant(1.0), false)};
    groups[1].rotates = false;
    Particles p;
    Particle particle{0, Vec3::Zero(), Vec3::Zero(), 0.1, 3.0, 0, true};
    particle.angular_velocity = Vec3::UnitZ();
    p.add(particle);
    CHECK(p.angular_velocity[0] == Vec3::Zero());
    particle.id = 1;
    particle.group = 1;
    particle.frozen = false;
    p.add(particle);
    set_radii(p, groups, 3, 0.0);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(p.angular_velocity[i] == Vec3::Zero());
        CHECK(p.inverse_inertia[i] == 0.0);
    }
    CHECK(p.inverse_mass[1] > 0.0);
}

TEST_CASE("a moment of inertia without inverse is refused, and of no interest where nothing turns") {
    std::vector<Group> groups = {group_with(Schedule::constant(1.0), false)};
    Particles p;
    p.add({3, Vec3::Zero(), Vec3::Zero(), 1e-160, 1.0});
    CHECK_THROWS_WITH_AS(set_radii(p, groups, 3, 0.0), doctest::Contains("moment of inertia"), StateError);
    groups[0].rotates = false;
    CHECK_NOTHROW(set_radii(p, groups, 3, 0.0));
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
