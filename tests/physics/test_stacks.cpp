#include <doctest/doctest.h>

#include "support/builders.hpp"
#include "talus/measure/mechanics.hpp"

using namespace talus;
using namespace talus::test;

namespace {

System stack(int count) {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    const double r = 0.05;
    add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "floor");
    for (int k = 0; k < count; ++k) add_ball(system, Vec3(0, 0, r * (2 * k + 1)), Vec3::Zero(), r);
    return system;
}

}  // namespace

TEST_CASE(
    "in a stack of equal balls the k-th contact from the bottom carries the weight above it, for ten "
    "seconds") {
    for (const int count : {20, 100}) {
        System system = stack(count);
        StepOptions
            options;  // the defaults but for the tolerance on force that the closed form is compared at
        options.time_step = 0.01;
        options.solver.tolerance = 1e-6;
        ContactStepper stepper(options);
        const Worst worst = run_until(stepper, system, count == 20 ? 10.0 : 1.0);
        CHECK(worst.unconverged == 0);
        CHECK(worst.overlap < 1e-4);
        for (const Contact& c : stepper.contacts()) {
            if (c.impulse == 0.0) continue;
            const double above = c.j < 0 ? count : count - 1 - c.i;
            CHECK(c.impulse / 0.01 == doctest::Approx(above * 9.81).epsilon(1e-3));
        }
        for (int k = 0; k < count; ++k) {
            CHECK(std::abs(system.particles.position[static_cast<std::size_t>(k)].z() - 0.05 * (2 * k + 1)) <
                  1e-5);
        }
    }
}

TEST_CASE("a hundred beads that fall on the floor with e = 0.5 all come to rest in finite time") {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    system.law.restitution = 0.5;
    const double r = 0.01;
    add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "floor");
    for (int k = 0; k < 100; ++k) add_ball(system, Vec3(0, 0, r + 0.05 + 2.05 * r * k), Vec3::Zero(), r);
    StepOptions options;
    options.time_step = 1e-3;
    ContactStepper stepper(options);
    const Worst worst = run_until(stepper, system, 2.0);
    CHECK(worst.overlap < 1e-4);
    for (const Vec3& u : system.particles.velocity) {
        CHECK(u.allFinite());
        CHECK(u.norm() < 1e-3);
    }
}

TEST_CASE("a resting ball costs no iterations beyond the first few and stays where it is") {
    System system = stack(1);
    ContactStepper stepper(tight_options(0.01, 1e-8));
    for (int k = 0; k < 100; ++k) {
        const StepReport report = stepper.step(system);
        CHECK(report.solver.iterations <= 5);
    }
    CHECK(system.particles.position[0].z() == doctest::Approx(0.05).epsilon(1e-12));
    CHECK(system.particles.velocity[0].norm() < 1e-12);
}
