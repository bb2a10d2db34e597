#include <doctest/doctest.h>

#include <cmath>

#include "support/builders.hpp"
#include "talus/core/error.hpp"
#include "talus/geometry/shapes.hpp"
#include "talus/projection/sweep_bytes.hpp"

using namespace talus;
using namespace talus::test;

TEST_CASE("a system without particles, with one, and with none in contact steps freely") {
    for (const int count : {0, 1, 5}) {
        System system = empty_system(3, Vec3(0, 0, -9.81));
        for (int k = 0; k < count; ++k) add_ball(system, Vec3(100.0 * k, 0, 0), Vec3(1, 2, 3), 0.1);
        ContactStepper stepper(tight_options(0.1));
        const Worst worst = run_until(stepper, system, 1.0);
        CHECK(worst.iterations == 0);
        CHECK(system.step == 10);
        for (int k = 0; k < count; ++k) {
            const Vec3 expected = Vec3(100.0 * k + 1.0, 2.0, 3.0 - 9.81 * 0.1 * 0.1 * 55);
            CHECK((system.particles.position[static_cast<std::size_t>(k)] - expected).norm() < 1e-12);
        }
    }
}

TEST_CASE("time does not drift: a thousand steps of a millisecond end at one second") {
    System system = empty_system();
    ContactStepper stepper(tight_options(0.001));
    for (int n = 0; n < 1000; ++n) stepper.step(system);
    CHECK(system.time == 1.0);
}

TEST_CASE("a solver that is stopped early is reported as not converged, with its residual") {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    for (int k = 0; k < 20; ++k) add_ball(system, Vec3(0, 0, 0.05 * (2 * k + 1)), Vec3::Zero(), 0.05);
    StepOptions options;
    options.time_step = 0.01;
    options.solver.max_iterations = 3;
    ContactStepper stepper(options);
    const StepReport report = stepper.step(system);
    CHECK(report.solver.status == Status::max_iterations);
    CHECK(report.solver.residual > options.solver.tolerance);
    // Relative to the lowest of twenty equal balls, which alone would move into the floor, with speed g h.
    double mass = 0.0;  // 1 kg against the floor, half of it between two balls
    for (const Contact& c : stepper.contacts()) mass += c.impulse > 0.0 ? (c.j < 0 ? 1.0 : 0.5) : 0.0;
    const double missing = 9.81 * options.time_step / std::sqrt(mass);
    CHECK(report.residual_speed == doctest::Approx(report.solver.residual * missing).epsilon(1e-9));
    CHECK(report.solver.iterations <= 3);
}

TEST_CASE("a step that can not be made leaves the system where it was") {
    System system = empty_system();
    system.groups[0].radius_scale = Schedule::ramp(1.0, 1.0);
    add_ball(system, Vec3(0.1, 0, 0), Vec3::Zero(), 0.1);
    add_plane(system, Vec3::Zero(), Vec3::UnitX(), "left");
    add_plane(system, Vec3(0.2, 0, 0), -Vec3::UnitX(), "right");
    const System before = system;
    ContactStepper stepper(tight_options(0.1));
    CHECK_THROWS_AS(stepper.step(system), StateError);
    CHECK(system.time == before.time);
    CHECK(system.particles.radius == before.particles.radius);
    CHECK(system.particles.position == before.particles.position);
}

TEST_CASE("a frozen particle holds others up and never moves") {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    add_ball(system, Vec3::Zero(), Vec3::Zero(), 0.1, 1.0, true);
    add_ball(system, Vec3(0.05, 0, 0.1), Vec3::Zero(), 0.1, 1.0, true);  // frozen ones may overlap each other
    add_ball(system, Vec3(0, 0, 0.4), Vec3::Zero(), 0.1);
    ContactStepper stepper(tight_options(1e-3));
    const Worst worst = run_until(stepper, system, 0.3);
    CHECK(system.particles.position[0] == Vec3(Vec3::Zero()));
    CHECK(system.particles.velocity[1] == Vec3(Vec3::Zero()));
    CHECK(worst.overlap < 1e-9);
    CHECK(system.particles.position[2].z() > 0.19);
}

TEST_CASE("particles far away cost neither candidates nor accuracy") {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    add_ball(system, Vec3(0, 0, 0.1), Vec3::Zero(), 0.1);
    add_ball(system, Vec3(1e7, -1e7, 1e7), Vec3(1e3, 0, 0), 0.1);
    ContactStepper stepper(tight_options(1e-3));
    const Worst worst = run_until(stepper, system, 0.1);
    CHECK(system.particles.position[0].z() == doctest::Approx(0.1).epsilon(1e-9));
    CHECK(worst.unconverged == 0);
}

TEST_CASE("removing particles between steps keeps the rest of a stack at rest") {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    for (int k = 0; k < 10; ++k) add_ball(system, Vec3(0, 0, 0.05 * (2 * k + 1)), Vec3::Zero(), 0.05);
    ContactStepper stepper(tight_options(0.01, 1e-8));
    run_until(stepper, system, 0.1);
    std::vector<std::uint8_t> remove(10, 0);
    remove[9] = remove[8] = 1;
    system.particles.remove(remove);
    stepper.particles_removed(remove);
    run_until(stepper, system, 0.2);
    double floor = 0.0;
    for (const Contact& c : stepper.contacts()) floor += c.j < 0 ? c.impulse / 0.01 : 0.0;
    CHECK(floor == doctest::Approx(8 * 9.81).epsilon(1e-4));
}

TEST_CASE(
    "a wall that appears on top of a particle stops the run with both names; in a free place it is just "
    "there") {
    for (const double height : {0.05, 0.2}) {
        System system = empty_system();
        add_ball(system, Vec3(0, 0, height), Vec3::Zero(), 0.1);
        Wall& shelf = add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "shelf");
        shelf.from = 0.05;
        ContactStepper stepper(tight_options(0.01));
        std::string message;
        try {
            run_until(stepper, system, 0.1);
        } catch (const StateError& error) {
            message = error.what();
        }
        CHECK(message.empty() == (height > 0.1));
        if (height < 0.1) CHECK(message.find("wall shelf appears") != std::string::npos);
        CHECK(system.particles.velocity[0].norm() == 0.0);
    }
}

TEST_CASE("a speed beyond any number is refused by name, not by a crash further down") {
    System system = empty_system();
    add_ball(system, Vec3::Zero(), Vec3(1e160, 0, 0), 0.1);
    add_ball(system, Vec3(1, 0, 0), Vec3::Zero(), 0.1);
    ContactStepper stepper(tight_options(0.01));
    CHECK_THROWS_AS(stepper.step(system), StateError);
}

TEST_CASE(
    "a step reports how often each stage was entered, and the bytes that the sweeps of the default solver "
    "move") {
    for (const SolverKind kind : {SolverKind::monotone_pgs, SolverKind::uzawa}) {
        System system = empty_system(3, Vec3(0, 0, -9.81));
        add_plane(system, Vec3::Zero(), Vec3::UnitZ());
        for (int k = 0; k < 5; ++k) add_ball(system, Vec3(0, 0, 0.05 * (2 * k + 1)), Vec3::Zero(), 0.05);
        StepOptions options = tight_options(0.01);
        options.solver.kind = kind;
        ContactStepper stepper(options);
        const StepReport report = stepper.step(system);
        REQUIRE(report.resolves == 0);
        REQUIRE(report.solver.iterations > 0);
        CHECK(report.times[Stage::broad_phase].calls == 1);
        CHECK(report.times[Stage::prepare].calls == 1);
        CHECK(report.times[Stage::solve].calls == 1);
        CHECK(report.times[Stage::solve].seconds > 0.0);
        CHECK(report.times[Stage::write].calls == 0);
        // An iteration whose sweep with momentum gains too little makes a second one.
        const double sweeps = report.times[Stage::solve].bytes / sweep_bytes(5, 5);
        if (kind == SolverKind::monotone_pgs) {
            CHECK(sweeps == std::round(sweeps));
            CHECK(sweeps >= report.solver.iterations);
            CHECK(sweeps <= 2 * report.solver.iterations);
        } else {
            CHECK(sweeps == 0.0);
        }
    }
}

TEST_CASE(
    "a ball that is pushed beyond its reach meets what lies there, and costs a second solve only then") {
    for (const bool in_the_way : {false, true}) {
        CAPTURE(in_the_way);
        System system = empty_system();
        add_ball(system, Vec3(0, 0, 0), Vec3(10, 0, 0), 1.0);
        add_ball(system, Vec3(2.05, 0, 0), Vec3::Zero(), 1.0);  // at rest: its own reach is a few per cent
        add_ball(system, Vec3(in_the_way ? 4.4 : 40.0, 0, 0), Vec3::Zero(), 1.0);
        system.particles.inverse_mass[0] = 1e-3 * system.particles.inverse_mass[1];  // hardly slowed down
        system.particles.mass[0] = 1e3 * system.particles.mass[1];
        ContactStepper stepper(tight_options(0.1));
        const StepReport report = stepper.step(system);
        const std::vector<Vec3>& x = system.particles.position;
        CHECK(x[1].x() - x[0].x() >= 2.0 - 1e-9);
        CHECK(x[2].x() - x[1].x() >= 2.0 - 1e-9);
        CHECK(x[1].x() > 2.4);  // far beyond its reach
        CHECK((report.resolves > 0) == in_the_way);
        CHECK(report.contacts == (in_the_way ? 2 : 1));
    }
}

namespace {

/// Far from everything else a heavy ball throws a light one at another, beyond its reach: a second solve.
void add_throw(System& system) {
    add_ball(system, Vec3(50, 0, 5), Vec3(10, 0, 0), 0.05, 100.0);
    add_ball(system, Vec3(50.1001, 0, 5), Vec3::Zero(), 0.05, 0.1);
    add_ball(system, Vec3(50.2101, 0, 5), Vec3::Zero(), 0.05, 0.1);
}

}  // namespace

TEST_CASE("a column that is not solved hides nothing that happens elsewhere") {
    for (const int iterations : {10, 20, 40}) {
        CAPTURE(iterations);
        System system = empty_system(3, Vec3(0, 0, -9.81));
        add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "floor");
        for (int k = 0; k < 40; ++k) add_ball(system, Vec3(0, 0, 0.05 * (2 * k + 1)), Vec3::Zero(), 0.05);
        add_ball(system, Vec3(5, 0, 5), Vec3(10, 0, 0), 0.05, 100.0);
        add_ball(system, Vec3(5.1001, 0, 5), Vec3::Zero(), 0.05, 0.1);
        const std::vector<ProfilePoint> disc = {{0.0, 0.0}, {2.0, 0.0}};
        add_wall(system, "plate", make_revolved(Vec3(5.2, 0, 5), Vec3::UnitX(), disc));
        StepOptions options;
        options.time_step = 0.02;
        options.solver.max_iterations = iterations;
        ContactStepper stepper(options);
        for (int n = 0; n < 3; ++n) {
            const StepReport report = stepper.step(system);
            CHECK(report.solver.status == Status::max_iterations);
            CHECK(report.resolves <= 4);
            CHECK(system.particles.position.back().x() < 5.2);  // on its side of the plate
        }
    }
}

TEST_CASE("solving a step again for what happens elsewhere changes no bounce") {
    for (const bool far : {false, true}) {
        System system = empty_system(3, Vec3(0, 0, -9.81));
        system.law.restitution = 1.0;
        add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "floor");
        add_plane(system, Vec3::Zero(), Vec3::UnitX(), "side");
        add_ball(system, Vec3(0.05 + 5e-6, 0, 0.05 + 5e-4), Vec3(-0.01, 0, -1), 0.05);
        if (far) add_throw(system);
        ContactStepper stepper(tight_options(1e-3));
        const StepReport report = stepper.step(system);
        CHECK((report.resolves > 0) == far);
        CHECK(system.particles.velocity[0].x() == doctest::Approx(0.01).epsilon(1e-9));
        CHECK(system.particles.velocity[0].z() == doctest::Approx(1.0).epsilon(1e-9));
    }
}

TEST_CASE("what the solver leaves of heavy bodies far away takes no bounce from a light one in flight") {
    for (const double h : {1e-5, 1e-4, 1e-3}) {
        CAPTURE(h);
        System system = empty_system();
        system.law.restitution = 0.8;
        add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "floor");
        add_ball(system, Vec3(0, 0, 0.05 + 1.5 * h * 0.2), Vec3(0, 0, -0.2), 0.05, 1e-3);
        for (int k = 0; k < 40; ++k) {
            add_ball(system, Vec3(50 + 0.1 * k, 0, 5), Vec3(k == 0 ? 10.0 : 0.0, 0, 0), 0.05, 1000.0);
        }
        StepOptions options;
        options.time_step = h;
        ContactStepper stepper(options);
        for (int n = 0; n < 3; ++n) stepper.step(system);
        CHECK(system.particles.velocity[0].z() == doctest::Approx(0.16).epsilon(1e-6));
    }
}
