#include <doctest/doctest.h>

#include "support/builders.hpp"
#include "talus/measure/mechanics.hpp"
#include "talus/measure/packing.hpp"

using namespace talus;
using namespace talus::test;

TEST_CASE("energies and momenta are those of point masses, frozen particles left out") {
    System system = empty_system(3, Vec3(0, 0, -10));
    add_ball(system, Vec3(1, 0, 2), Vec3(0, 3, 0), 0.1, 2.0);
    add_ball(system, Vec3(0, 1, 0), Vec3(0, 0, 4), 0.1, 1.0);
    add_ball(system, Vec3(5, 5, 5), Vec3::Zero(), 0.1, 7.0, true);
    CHECK(kinetic_energy(system) == doctest::Approx(9.0 + 8.0));
    CHECK(potential_energy(system) == doctest::Approx(40.0));
    CHECK((linear_momentum(system) - Vec3(0, 6, 4)).norm() < 1e-15);
    // 2 (1,0,2) x (0,3,0) + (0,1,0) x (0,0,4)
    CHECK((angular_momentum(system, Vec3::Zero()) - Vec3(-12 + 4, 0, 6)).norm() < 1e-14);
}

TEST_CASE("a ball that spins has the energy and the angular momentum of its own rotation too") {
    System system = empty_system();
    add_ball(system, Vec3(1, 0, 0), Vec3(0, 2, 0), 0.1, 3.0);
    system.particles.angular_velocity[0] = Vec3(5, 0, -7);
    set_radii(system.particles, system.groups, 3, 0.0);
    const double inertia = 0.4 * 3.0 * 0.01;
    CHECK(kinetic_energy(system) == doctest::Approx(0.5 * (3.0 * 4.0 + inertia * 74.0)));
    const Vec3 expected = Vec3(0, 0, 6) + inertia * Vec3(5, 0, -7);
    CHECK((angular_momentum(system, Vec3::Zero()) - expected).norm() < 1e-14);
}

TEST_CASE("gravity that changes in time is taken at the time of the state") {
    System system = empty_system();
    system.gravity[1] = Schedule::sine(0.0, 2.0, 0.25);
    system.time = 1.0;
    CHECK((gravity_now(system) - Vec3(0, 2, 0)).norm() < 1e-14);
}

TEST_CASE("coordination counts loaded contacts and pressure is the mean of the force moments") {
    System system = empty_system(3);
    add_ball(system, Vec3::Zero(), Vec3::Zero(), 0.1);
    add_ball(system, Vec3(0.2, 0, 0), Vec3::Zero(), 0.1);
    ContactList contacts;
    const auto touch = [&](Index i, Index j, const Vec3& normal, double impulse) {
        contacts.push_back({.i = i,
                            .j = j,
                            .wall = j < 0 ? 0 : -1,
                            .feature = 0,
                            .law = 0,
                            .normal = normal,
                            .gap = 0.0,
                            .gap_before = 0.0,
                            .impulse = impulse});
    };
    touch(0, 1, Vec3::UnitX(), 0.5);
    touch(0, -1, -Vec3::UnitX(), 0.25);
    touch(1, -1, Vec3::UnitX(), 0.0);
    CHECK(coordination(system, contacts) == std::vector<Index>{2, 1});
    CHECK(mean_coordination(system, contacts) == doctest::Approx(1.5));
    const double volume = 4.0 / 3.0 * std::numbers::pi * 1e-3;
    const std::vector<double> pressure = particle_pressure(system, contacts, 0.1);
    CHECK(pressure[0] == doctest::Approx(0.1 * (5.0 + 2.5) / (3 * volume)));
    CHECK(pressure[1] == doctest::Approx(0.1 * 5.0 / (3 * volume)));
    CHECK(solid_volume(system) == doctest::Approx(2 * volume));
    system.dimension = 2;
    CHECK(solid_volume(system) == doctest::Approx(2 * std::numbers::pi * 0.01));
}
