#include <doctest/doctest.h>

#include <limits>

#include "support/builders.hpp"
#include "talus/measure/mechanics.hpp"

using namespace talus;
using namespace talus::test;

namespace {

// A chain of touching balls on the x axis, the first with speed `speed`.
System cradle(int count, double speed, double e, double gap = 0.0) {
    System system = empty_system();
    system.law.restitution = e;
    const double r = 0.05;
    for (int k = 0; k < count; ++k) {
        add_ball(system, Vec3(2 * r * k + gap * k, 0, 0), Vec3(k == 0 ? speed : 0.0, 0, 0), r);
    }
    return system;
}

std::vector<double> speeds_after_one_step(System system, double h = 1e-3) {
    ContactStepper stepper(tight_options(h, 1e-12));
    stepper.step(system);
    std::vector<double> speeds;
    for (const Vec3& u : system.particles.velocity) speeds.push_back(u.x());
    return speeds;
}

}  // namespace

TEST_CASE("two discs meeting head-on stop with e = 0 and exchange their velocities with e = 1") {
    for (const double e : {0.0, 0.25, 1.0}) {
        System system = empty_system(2);
        system.law.restitution = e;
        add_ball(system, Vec3(-0.15, 0, 0), Vec3(1, 0, 0), 0.1);
        add_ball(system, Vec3(0.15, 0, 0), Vec3(-1, 0, 0), 0.1);
        ContactStepper stepper(tight_options(0.01, 1e-12));
        run_until(stepper, system, 0.2);
        CHECK(system.particles.velocity[0].x() == doctest::Approx(-e).epsilon(1e-10));
        CHECK(system.particles.velocity[1].x() == doctest::Approx(e).epsilon(1e-10));
    }
}

TEST_CASE("touching balls in a row share the momentum as the simultaneous law says") {
    // Newton's law with all contacts at once: N = 3 (1 - 2(1+e)/3, (1+e)/3, (1+e)/3); e = 1, any N:
    // (-(N-2)/N, 2/N, ...).
    for (const double e : {0.0, 0.5, 1.0}) {
        const auto u = speeds_after_one_step(cradle(3, 1.0, e));
        CHECK(u[0] == doctest::Approx(1.0 - 2.0 * (1.0 + e) / 3.0).epsilon(1e-9));
        CHECK(u[1] == doctest::Approx((1.0 + e) / 3.0).epsilon(1e-9));
        CHECK(u[2] == doctest::Approx((1.0 + e) / 3.0).epsilon(1e-9));
    }
    const auto five = speeds_after_one_step(cradle(5, 1.0, 1.0));
    CHECK(five[0] == doctest::Approx(-0.6).epsilon(1e-9));
    for (int k = 1; k < 5; ++k)
        CHECK(five[static_cast<std::size_t>(k)] == doctest::Approx(0.4).epsilon(1e-9));
    for (const double u : speeds_after_one_step(cradle(5, 1.0, 0.0)))
        CHECK(u == doctest::Approx(0.2).epsilon(1e-9));
}

TEST_CASE("a gap of rounding size does not change who takes part in an impact") {
    const auto touching = speeds_after_one_step(cradle(3, 1.0, 0.0));
    const auto open = speeds_after_one_step(cradle(3, 1.0, 0.0, 1e-17));
    for (std::size_t k = 0; k < 3; ++k) CHECK(open[k] == doctest::Approx(touching[k]).epsilon(1e-9));
}

TEST_CASE("a gap larger than h v makes the cradle sequential") {
    System system = cradle(3, 2.0, 1.0, 0.01);
    ContactStepper stepper(tight_options(1e-3, 1e-12));
    run_until(stepper, system, 0.05);
    CHECK(system.particles.velocity[0].x() == doctest::Approx(0.0).epsilon(1e-9));
    CHECK(system.particles.velocity[1].x() == doctest::Approx(0.0).epsilon(1e-9));
    CHECK(system.particles.velocity[2].x() == doctest::Approx(2.0).epsilon(1e-9));
}

TEST_CASE("a piston at speed V sends a ball at rest away with 2 V when e = 1") {
    System system = empty_system();
    system.law.restitution = 1.0;
    add_ball(system, Vec3(0.15, 0, 0), Vec3::Zero(), 0.1);
    Wall& piston = add_plane(system, Vec3::Zero(), Vec3::UnitX());
    piston.motion.displacement = Schedule::ramp(0.0, 3.0);
    ContactStepper stepper(tight_options(1e-3, 1e-12));
    run_until(stepper, system, 0.1);
    CHECK(system.particles.velocity[0].x() == doctest::Approx(6.0).epsilon(1e-9));
}

TEST_CASE("a ball that runs into a corner of three planes stops, or comes back the way it came when e = 1") {
    for (const double e : {0.0, 1.0}) {
        System system = empty_system();
        system.law.restitution = e;
        add_ball(system, Vec3::Constant(0.3), Vec3::Constant(-1.0), 0.1);
        for (int k = 0; k < 3; ++k) add_plane(system, Vec3::Zero(), Vec3::Unit(k));
        ContactStepper stepper(tight_options(1e-3, 1e-12));
        run_until(stepper, system, 0.4);
        const Vec3 u = system.particles.velocity[0];
        CHECK((u - Vec3::Constant(e)).norm() < 1e-9);
        if (e == 0.0) CHECK((system.particles.position[0] - Vec3::Constant(0.1)).norm() < 1e-10);
    }
}

TEST_CASE("a fast ball ends exactly on the floor and never below it") {
    System system = empty_system();
    add_ball(system, Vec3(0, 0, 0.03), Vec3(0, 0, -5.0), 0.01);
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    ContactStepper stepper(tight_options(0.01, 1e-12));
    stepper.step(system);
    CHECK(system.particles.position[0].z() == doctest::Approx(0.01).epsilon(1e-10));
    CHECK(system.particles.position[0].z() >= 0.01 * (1 - 1e-12));
}

TEST_CASE(
    "a sphere of 1 mm at 100 m/s does not pass through a wall or a sphere in one step of 10 ms, and is "
    "counted as fast") {
    System system = empty_system();
    add_ball(system, Vec3(0, 0, 0), Vec3(100, 0, 0), 1e-3);
    SUBCASE("half-space") {
        add_plane(system, Vec3(0.5, 0, 0), -Vec3::UnitX());
    }
    SUBCASE("thin disc") {
        add_wall(system, "disc", make_revolved(Vec3(0.5, 0, 0), Vec3::UnitX(), {{0.0, 0.0}, {0.2, 0.0}}));
    }
    SUBCASE("triangle") {
        add_wall(system, "triangle",
                 make_triangle_mesh({Vec3(0.5, -1, -1), Vec3(0.5, 1, -1), Vec3(0.5, 0, 1)}, {{0, 1, 2}}));
    }
    SUBCASE("end of a tube, hit from inside") {
        add_wall(system, "tube", make_revolved(Vec3(0, 0, -1), Vec3::UnitZ(), {{0.5, 0.0}, {0.5, 2.0}}));
    }
    SUBCASE("frozen sphere") {
        add_ball(system, Vec3(0.501, 0, 0), Vec3::Zero(), 1e-3, 1.0, true);
    }
    SUBCASE("heavy sphere at rest") {
        add_ball(system, Vec3(0.501, 0, 0), Vec3::Zero(), 1e-3, 1e9);
    }
    ContactStepper stepper(tight_options(0.01, 1e-10));
    const StepReport report = stepper.step(system);
    CHECK(system.particles.position[0].x() <= 0.499 + 1e-9);
    CHECK(system.particles.position[0].x() == doctest::Approx(0.499).epsilon(1e-3));
    CHECK(report.fast >= 1);
    CHECK(report.solver.status == Status::converged);
}

TEST_CASE("a grain hit by a fast one and thrown beyond its own reach does not pass through its neighbour") {
    // The grain at rest has a reach of a few per cent of its radius until the fast one pushes it.
    System system = empty_system();
    add_ball(system, Vec3(0, 0, 0), Vec3(100, 0, 0), 1e-3);
    add_ball(system, Vec3(0.01, 0, 0), Vec3::Zero(), 1e-3, 1e-3);
    add_ball(system, Vec3(0.05, 0, 0), Vec3::Zero(), 1e-3, 1e9);
    ContactStepper stepper(tight_options(0.01, 1e-10));
    const StepReport report = stepper.step(system);
    CHECK(system.particles.position[1].x() <= 0.048 + 1e-9);
    CHECK(system.particles.position[0].x() <= 0.046 + 1e-9);
    CHECK(report.resolves > 0);
}

TEST_CASE(
    "the two spheres of the SCoPI example meet at t = 0.45359 and leave as momentum along the line of "
    "centres says") {
    // Closed form: contact when |q2 - q1| = 0.2; then the component along the line of centres is lost.
    const auto error_at_end = [](double h) {
        System system = empty_system();
        add_ball(system, Vec3(-0.2, -0.05, 0), Vec3(0.25, 0, 0), 0.1);
        add_ball(system, Vec3(0.2, 0.05, 0), Vec3(-0.25, 0, 0), 0.1);
        ContactStepper stepper(tight_options(h, 1e-12));
        run_until(stepper, system, 0.5);
        CHECK((system.particles.velocity[0] - Vec3(0.0625, -0.108253, 0)).norm() < 2.0 * h);
        CHECK((system.particles.velocity[0] + system.particles.velocity[1]).norm() < 1e-14);
        CHECK(kinetic_energy(system) == doctest::Approx(0.015625).epsilon(0.02));
        return (system.particles.position[0] - Vec3(-0.083702, -0.055024, 0)).norm();
    };
    CHECK(error_at_end(0.005) < 1.3e-3);
    CHECK(error_at_end(0.0005) < 1.3e-4);
    CHECK(error_at_end(0.00005) < 1.4e-5);
}

TEST_CASE("a single particle in free flight has the velocity and the place of semi-implicit Euler") {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    add_ball(system, Vec3(0, 0, 10), Vec3::Zero(), 0.5);
    ContactStepper stepper(tight_options(0.01));
    run_until(stepper, system, 1.0);
    CHECK(system.particles.velocity[0].z() == doctest::Approx(-9.81).epsilon(1e-13));
    CHECK(system.particles.position[0].z() == doctest::Approx(5.04595).epsilon(1e-12));
}
