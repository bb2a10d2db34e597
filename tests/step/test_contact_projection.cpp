#include <doctest/doctest.h>

#include <limits>

#include "support/builders.hpp"
#include "talus/step/contact_law.hpp"

using namespace talus;
using namespace talus::test;

TEST_CASE("unequal restitution never adds energy to balls squeezed between others") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        System system = empty_system();
        system.groups.push_back(Group{.name = "bouncy"});
        system.groups.push_back(Group{.name = "dull"});
        Random draw(seed, 0);
        system.law.pairs[{"bouncy", "bouncy"}].restitution = draw.uniform();
        system.law.pairs[{"bouncy", "dull"}].restitution = draw.uniform();
        system.law.pairs[{"dull", "dull"}].restitution = draw.uniform();
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

TEST_CASE(
    "two elastic balls in a cage smaller than their bounce go on, with the loose tolerances of the "
    "defaults") {
    // The third stage answers to the tolerance only; the fourth must not take what that leaves for a jam.
    System system = empty_system();
    system.law.restitution = 1.0;
    const double r = 5e-3;
    add_plane(system, Vec3::Zero(), Vec3::UnitX());
    add_ball(system, Vec3(r + 1e-4, 0, 0), Vec3(-1, 0, 0), r);
    add_ball(system, Vec3(3 * r + 4e-4, 0, 0), Vec3::Zero(), r);
    add_plane(system, Vec3(4 * r + 7e-4, 0, 0), -Vec3::UnitX());
    StepOptions options;
    options.time_step = 1e-3;
    ContactStepper stepper(options);
    for (int n = 0; n < 20; ++n) CHECK(stepper.step(system).overlap <= 1e-4);
}

TEST_CASE("a piston that closes on two balls faster than they can answer within the step is no jam") {
    // In lengths of h = 1: the piston comes 10 mm; gaps 6, 5, 5 mm; the second ball flies 6 mm at the wall.
    // Moves of 4 and 5 mm are admissible, but no impact law alone is: the first ball would have to overtake
    // the second.
    System system = empty_system();
    system.law.restitution = 0.5;
    const double r = 0.05;
    Wall& piston = add_plane(system, Vec3::Zero(), Vec3::UnitX());
    piston.motion.displacement = Schedule::ramp(0.0, 0.010);
    add_ball(system, Vec3(0.006 + r, 0, 0), Vec3::Zero(), r);
    add_ball(system, Vec3(0.011 + 3 * r, 0, 0), Vec3(0.006, 0, 0), r);
    add_plane(system, Vec3(0.016 + 4 * r, 0, 0), -Vec3::UnitX());
    ContactStepper stepper(tight_options(1.0, 1e-9));
    const StepReport report = stepper.step(system);
    CHECK(report.overlap <= 1e-8);
    CHECK(report.solver.status == Status::converged);
}

TEST_CASE("a drum that turns under a resting disc does not kick it, with restitution") {
    System system = empty_system(2, Vec3(0, -9.81, 0));
    system.law.restitution = 0.5;
    const double far = std::numeric_limits<double>::infinity();
    Wall& drum =
        add_wall(system, "drum", make_revolved(Vec3::Zero(), Vec3::UnitZ(), {{0.1, -far}, {0.1, far}}));
    drum.motion.angle = Schedule::ramp(0.0, 30.0);
    add_ball(system, Vec3(0, -0.095, 0), Vec3::Zero(), 5e-3);
    ContactStepper stepper(tight_options(1e-3, 1e-10));
    run_until(stepper, system, 0.1);
    CHECK((system.particles.position[0] - Vec3(0, -0.095, 0)).norm() < 1e-9);
}
