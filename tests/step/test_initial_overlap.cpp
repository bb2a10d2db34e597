#include <doctest/doctest.h>

#include "support/builders.hpp"
#include "talus/core/error.hpp"
#include "talus/measure/mechanics.hpp"
#include "talus/step/initial_overlap.hpp"

using namespace talus;
using namespace talus::test;

TEST_CASE(
    "an overlap at the start is reported with its size and ids and resolved by position, never by speed") {
    System system = empty_system();
    add_ball(system, Vec3::Zero(), Vec3::Zero(), 0.1);
    add_ball(system, Vec3(0.15, 0, 0), Vec3::Zero(), 0.1);
    const OverlapReport report = find_overlaps(system, 1e-12);
    CHECK(report.count == 1);
    CHECK(report.worst == doctest::Approx(0.5));
    CHECK(report.worst_length == doctest::Approx(0.05));
    CHECK(report.first == 0);
    CHECK(report.second == 1);
    CHECK(report.describe(system).find("1 overlapping pair") != std::string::npos);

    resolve_overlaps(system, SolverOptions{}, 1e-12);
    const Particles& p = system.particles;
    CHECK((p.position[1] - p.position[0]).norm() >= 0.2 * (1 - 1e-12));
    CHECK(0.5 * (p.position[0] + p.position[1]).x() == doctest::Approx(0.075).epsilon(1e-13));
    CHECK(p.velocity[0].norm() + p.velocity[1].norm() == 0.0);
}

TEST_CASE("touching up to rounding is no overlap") {
    for (const double distance : {0.2, 0.2 - 1e-15, 0.1 + 0.1}) {
        System system = empty_system();
        add_ball(system, Vec3::Zero(), Vec3::Zero(), 0.1);
        add_ball(system, Vec3(distance, 0, 0), Vec3::Zero(), 0.1);
        CHECK(find_overlaps(system, 1e-12).count == 0);
        ContactStepper stepper(tight_options(0.01));
        run_until(stepper, system, 0.1);
        CHECK(system.particles.velocity[0].norm() < 1e-12);
    }
}

TEST_CASE(
    "coincident centres are resolved the same way every time, or run without a value that is not finite") {
    for (const double distance : {0.0, 1e-300, 1e-12}) {
        System system = empty_system();
        add_ball(system, Vec3(0, 0, 1), Vec3::Zero(), 0.1);
        add_ball(system, Vec3(distance, 0, 1), Vec3::Zero(), 0.1);
        CHECK(find_overlaps(system, 1e-12).coincident == (distance < 1e-200));
        resolve_overlaps(system, SolverOptions{}, 1e-12);
        const Particles& p = system.particles;
        CHECK((p.position[1] - p.position[0]).norm() >= 0.2 * (1 - 1e-12));
        CHECK((p.position[1] - p.position[0]).x() > 0.0);
    }
}

TEST_CASE("a crowd thrown at random into a box, walls included, is taken apart") {
    System system = empty_system();
    add_open_box(system, 1.0, 1.0);
    for (std::uint64_t k = 0; k < 200; ++k) {
        Random draw(9, k);
        add_ball(system, Vec3(draw.uniform(), draw.uniform(), draw.uniform()), Vec3::Zero(),
                 draw.uniform(0.03, 0.06));
    }
    REQUIRE(find_overlaps(system, 1e-12).count > 50);
    resolve_overlaps(system, SolverOptions{}, 1e-10);
    CHECK(find_overlaps(system, 1e-10).count == 0);
    CHECK(kinetic_energy(system) == 0.0);
}

TEST_CASE("particles that do not fit are refused with a reason, not after endless rounds") {
    System system = empty_system();
    add_plane(system, Vec3::Zero(), Vec3::UnitX());
    add_plane(system, Vec3(0.15, 0, 0), -Vec3::UnitX());
    add_ball(system, Vec3(0.07, 0, 0), Vec3::Zero(), 0.1);
    CHECK_THROWS_AS(resolve_overlaps(system, SolverOptions{}, 1e-10), StateError);
}
