#include <doctest/doctest.h>

#include <numbers>
#include <vector>

#include "support/builders.hpp"
#include "talus/contact/contact_forces.hpp"
#include "talus/core/error.hpp"

using namespace talus;
using namespace talus::test;

TEST_CASE("a growing ball on a floor rises with its radius and carries its weight") {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    system.groups[0].radius_scale = Schedule::ramp(1.0, 0.5);
    add_ball(system, Vec3(0, 0, 0.1), Vec3::Zero(), 0.1);
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    ContactStepper stepper(tight_options(1e-3, 1e-12));
    run_until(stepper, system, 1.0);
    CHECK(system.particles.radius[0] == doctest::Approx(0.15).epsilon(1e-12));
    CHECK(system.particles.position[0].z() == doctest::Approx(0.15).epsilon(1e-10));
    CHECK(system.particles.velocity[0].z() == doctest::Approx(0.05).epsilon(1e-9));
    std::vector<Vec3> force;
    contact_forces(stepper.contacts(), 1e-3, system.particles, force);
    CHECK(force[0].z() == doctest::Approx(9.81).epsilon(1e-6));
}

TEST_CASE(
    "constant density multiplies the mass by the scale to the power of the dimension, constant mass does "
    "not") {
    for (const int dimension : {2, 3}) {
        for (const bool constant_density : {false, true}) {
            System system = empty_system(dimension);
            system.groups[0].radius_scale = Schedule::ramp(1.0, 1.0, 0.0, 1.0);
            system.groups[0].constant_density = constant_density;
            add_ball(system, Vec3::Zero(), Vec3::Zero(), 0.1);
            ContactStepper stepper(tight_options(0.1));
            run_until(stepper, system, 1.5);
            CHECK(system.particles.radius[0] == doctest::Approx(0.2).epsilon(1e-14));
            CHECK(system.particles.mass[0] ==
                  doctest::Approx(constant_density ? std::pow(2.0, dimension) : 1.0).epsilon(1e-14));
        }
    }
}

TEST_CASE("a scale that is exactly one leaves the bits of a run as they are") {
    System plain = empty_system(3, Vec3(0, 0, -9.81));
    add_loose_lattice(plain, 3, 3, 3, 0.01, 0.2, 1);
    add_open_box(plain, 0.0792, 0.0792);
    System scaled = plain;
    scaled.groups[0].radius_scale = Schedule::sine(1.0, 0.0, 3.0);
    scaled.groups[0].constant_density = true;
    StepOptions options;
    ContactStepper a(options), b(options);
    for (int n = 0; n < 100; ++n) {
        a.step(plain);
        b.step(scaled);
    }
    CHECK(state_hash(plain) == state_hash(scaled));
}

TEST_CASE("a radius that shrinks through zero stops the run with the time, not with a negative radius") {
    System system = empty_system();
    system.groups[0].radius_scale = Schedule::ramp(1.0, -0.5);
    add_ball(system, Vec3::Zero(), Vec3::Zero(), 0.1);
    ContactStepper stepper(tight_options(0.01));
    CHECK_THROWS_AS(run_until(stepper, system, 3.0), StateError);
    CHECK(system.time == doctest::Approx(2.0).epsilon(0.01));
    CHECK(system.particles.radius[0] > 0.0);
}

TEST_CASE(
    "a ball that grows between two walls until it does not fit is reported as jammed with its walls, exactly "
    "when it happens") {
    System system = empty_system();
    system.groups[0].radius_scale = Schedule::ramp(1.0, 0.1);
    add_ball(system, Vec3(0.12, 0, 0), Vec3::Zero(), 0.1);
    add_plane(system, Vec3::Zero(), Vec3::UnitX(), "left");
    add_plane(system, Vec3(0.25, 0, 0), -Vec3::UnitX(), "right");
    ContactStepper stepper(tight_options(0.01, 1e-9));
    std::string message;
    try {
        run_until(stepper, system, 10.0);
    } catch (const StateError& error) {
        message = error.what();
    }
    CHECK(message.find("jammed") != std::string::npos);
    CHECK(message.find("0-left") != std::string::npos);
    CHECK(message.find("0-right") != std::string::npos);
    // r = 0.125 at t = 2.5 s; the state is left where it was last admissible.
    CHECK(system.time == doctest::Approx(2.5).epsilon(0.005));
    CHECK(system.particles.radius[0] <= 0.125 * (1 + 1e-6));
}

TEST_CASE("spheres that grow in a closed box jam: a proof is given and the last state has no overlap") {
    System system = empty_system();
    const double width = 0.1;
    add_open_box(system, width, width);
    add_plane(system, Vec3(0, 0, width), -Vec3::UnitZ(), "lid");
    add_loose_lattice(system, 4, 4, 4, width / 4 / 2.2 / 1.3, 0.3, 5);
    system.groups[0].radius_scale = Schedule::exponential(1.0, 0.5);
    StepOptions options;
    options.time_step = 0.01;
    ContactStepper stepper(options);
    std::string message;
    double fraction = 0.0;
    try {
        while (system.time < 10.0) {
            const StepReport report = stepper.step(system);
            CHECK(report.overlap < 1e-3);
            fraction = 0.0;
            for (const double r : system.particles.radius) {
                fraction += 4.0 / 3.0 * std::numbers::pi * r * r * r / (width * width * width);
            }
        }
    } catch (const StateError& error) {
        message = error.what();
    }
    CHECK(message.find("jammed") != std::string::npos);
    CHECK(fraction > 0.45);  // 64 spheres between walls jam well below random close packing
    CHECK(fraction < 0.70);
}

TEST_CASE("radii that grow tenfold during a run never let a pair be forgotten") {
    System system = empty_system(2);
    add_loose_lattice(system, 12, 12, 1, 0.002, 0.5, 8);
    system.groups[0].radius_scale = Schedule::ramp(1.0, 9.0, 0.0, 1.0);
    StepOptions options;
    options.time_step = 0.01;
    ContactStepper stepper(options);
    const Particles& p = system.particles;
    while (system.time < 0.995) {
        stepper.step(system);
        for (std::size_t i = 0; i < p.id.size(); ++i) {
            for (std::size_t j = i + 1; j < p.id.size(); ++j) {
                const double gap = (p.position[i] - p.position[j]).norm() - p.radius[i] - p.radius[j];
                REQUIRE(gap > -1.01e-4 * std::min(p.radius[i], p.radius[j]));
            }
        }
    }
}

TEST_CASE("grains with friction that grow until nothing can move end with the proof, not in endless sweeps") {
    for (const double restitution : {0.0, 0.5}) {
        CAPTURE(restitution);
        System system = empty_system(2);
        system.law.kind = FrictionLaw::coulomb;
        system.law.friction = 0.5;
        system.law.restitution = restitution;
        system.groups[0].radius_scale = Schedule::ramp(1.0, 0.5);
        for (int row = 0; row < 5; ++row) {
            for (int k = 0; k < 6; ++k) {
                add_ball(system, Vec3(0.1 + 0.15 * k + 0.02 * row, 0.12 + 0.17 * row, 0), Vec3::Zero(),
                         0.05 + 0.002 * ((k + 2 * row) % 5));
            }
        }
        add_plane(system, Vec3::Zero(), Vec3::UnitX(), "left");
        add_plane(system, Vec3(1, 0, 0), -Vec3::UnitX(), "right");
        add_plane(system, Vec3::Zero(), Vec3::UnitY(), "low");
        add_plane(system, Vec3(0, 1, 0), -Vec3::UnitY(), "high");
        StepOptions options;
        options.time_step = 2e-3;
        ContactStepper stepper(options);
        std::string message;
        double overlap = 0.0;
        int most = 0;
        for (int n = 0; n < 1000 && message.empty(); ++n) {
            try {
                const StepReport report = stepper.step(system);
                overlap = std::max(overlap, report.overlap);
                most = std::max(most, report.solver.iterations);
            } catch (const StateError& error) {
                message = error.what();
            }
        }
        CHECK(message.find("jammed: no admissible motion exists") != std::string::npos);
        CHECK(overlap <= options.solver.overlap_tolerance);
        CHECK(most < 100000);
    }
}
