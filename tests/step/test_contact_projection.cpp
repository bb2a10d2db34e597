#include <doctest/doctest.h>

#include "support/builders.hpp"
#include "talus/step/restitution_law.hpp"

using namespace talus;
using namespace talus::test;

TEST_CASE("unequal restitution never adds energy to balls squeezed between others") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        System system = empty_system();
        system.groups.push_back(Group{.name = "bouncy"});
        system.groups.push_back(Group{.name = "dull"});
        Random draw(seed, 0);
        system.law.pair_restitution[{"bouncy", "bouncy"}] = draw.uniform();
        system.law.pair_restitution[{"bouncy", "dull"}] = draw.uniform();
        system.law.pair_restitution[{"dull", "dull"}] = draw.uniform();
        double start = 0.0;
        for (int k = 0; k < 6; ++k) {
            const double mass = std::exp(draw.uniform(-3.0, 3.0)), speed = draw.uniform(-1.0, 1.0);
            add_ball(system, Vec3(0.2 * k, 0, 0), Vec3(speed, 0, 0), 0.1, mass);
            system.particles.group.back() = 1 + k % 2;
            start += 0.5 * mass * speed * speed;
        }
        ContactStepper stepper(tight_options(1e-2, 1e-11));
        double energy = start;
        for (int n = 0; n < 30; ++n) {
            const StepReport report = stepper.step(system);
            CHECK(report.kinetic_energy <= energy * (1 + 1e-9));
            energy = report.kinetic_energy;
        }
    }
}

TEST_CASE("a ball in a cage smaller than its bounce stays inside") {
    System system = empty_system();
    system.law.restitution = 1.0;
    add_plane(system, Vec3(-0.1, 0, 0), Vec3::UnitX());
    add_plane(system, Vec3(0.102, 0, 0), -Vec3::UnitX());
    add_ball(system, Vec3::Zero(), Vec3(5.0, 0, 0), 0.1);
    ContactStepper stepper(tight_options(1e-2, 1e-12));
    for (int n = 0; n < 50; ++n) {
        const StepReport report = stepper.step(system);
        CHECK(std::abs(system.particles.position[0].x() - 0.001) <= 0.001 + 1e-10);
        CHECK(report.kinetic_energy <= 12.5 * (1 + 1e-9));
    }
}

TEST_CASE("restitution is looked up by the names of groups and walls in either order") {
    System system = empty_system();
    system.groups.push_back(Group{.name = "grains"});
    add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "floor");
    add_plane(system, Vec3::Zero(), Vec3::UnitX(), "side");
    system.law.restitution = 0.1;
    system.law.pair_restitution[{"floor", "grains"}] = 0.7;
    system.law.pair_restitution[{"default", "grains"}] = 0.4;
    const RestitutionTable table = restitution_table(system);
    CHECK(table.of_group_wall(1, 0) == 0.7);
    CHECK(table.of_group_wall(1, 1) == 0.1);
    CHECK(table.of_group_wall(0, 0) == 0.1);
    CHECK(table.of_groups(0, 1) == 0.4);
    CHECK(table.of_groups(1, 0) == 0.4);
    CHECK(table.of_groups(1, 1) == 0.1);
}
