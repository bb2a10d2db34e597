#include "talus/measure/walls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/builders.hpp"
#include "talus/measure/mechanics.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr double kG = 9.81, kStep = 1e-3;

Vec3 up_of(int dimension) {
    return dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
}

StepOptions tight_friction(double time_step) {
    StepOptions options = tight_options(time_step);
    options.solver.friction_tolerance = 1e-10;
    options.solver.friction_iterations = 10'000;
    return options;
}

double mass_of(const System& system) {
    return std::accumulate(system.particles.mass.begin(), system.particles.mass.end(), 0.0);
}

Vec3 total(const std::vector<Vec3>& forces) {
    return std::accumulate(forces.begin(), forces.end(), Vec3(Vec3::Zero()));
}

}  // namespace

TEST_CASE("walls that share a name are one wall, in the order of their first pieces") {
    System system = empty_system();
    for (const char* name : {"box", "floor", "box", "hopper.gate", "floor"}) {
        add_plane(system, Vec3::Zero(), Vec3::UnitZ(), name);
    }
    CHECK(wall_names(system.walls) == std::vector<std::string>{"box", "floor", "hopper.gate"});
    CHECK(wall_names({}).empty());
}

TEST_CASE("a wall's force is the sum over its contacts of normal and tangential impulses over the step") {
    System system = empty_system();
    add_plane(system, Vec3::Zero(), Vec3::UnitX(), "box");
    add_plane(system, Vec3::Zero(), Vec3::UnitY(), "floor");
    add_plane(system, Vec3::Zero(), -Vec3::UnitX(), "box");
    add_ball(system, Vec3::Zero(), Vec3::Zero(), 0.1);
    add_ball(system, Vec3(0.2, 0, 0), Vec3::Zero(), 0.1);
    ContactList contacts;
    const auto touch = [&](Index j, std::int32_t wall, const Vec3& normal, double impulse,
                           const Vec3& across) {
        contacts.push_back({.i = 0,
                            .j = j,
                            .wall = wall,
                            .feature = 0,
                            .law = 0,
                            .normal = normal,
                            .gap = 0.0,
                            .gap_before = 0.0,
                            .impulse = impulse,
                            .tangential = across});
    };
    touch(1, -1, Vec3::UnitX(), 7.0, Vec3(0, 7, 0));
    touch(-1, 0, -Vec3::UnitX(), 0.5, Vec3(0, 0.25, 0));
    touch(-1, 1, -Vec3::UnitY(), 2.0, Vec3(0, 0, 1));
    touch(-1, 2, Vec3::UnitX(), 0.25, Vec3::Zero());
    touch(-1, 2, Vec3::UnitX(), 0.0, Vec3(0, 3, 0));  // no normal impulse: a guess
    const std::vector<Vec3> expected = {Vec3(-0.25, 0.25, 0) / 0.125, Vec3(0, -2, 1) / 0.125};
    CHECK(wall_forces(system, contacts, 0.125) == expected);
    CHECK(wall_forces(system, {}, 0.125) == std::vector<Vec3>(2, Vec3::Zero()));
}

TEST_CASE("the floor under a stack of balls carries their weight") {
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        const Vec3 up = up_of(dimension);
        System system = empty_system(dimension, -kG * up);
        add_plane(system, Vec3::Zero(), up, "floor");
        for (int k = 0; k < 5; ++k) add_ball(system, (0.2 * k + 0.1) * up, Vec3::Zero(), 0.1, 1.0 + k);
        ContactStepper stepper(tight_options(kStep));
        for (int k = 0; k < 3; ++k) {
            stepper.step(system);
            const Vec3 force = wall_forces(system, stepper.contacts(), kStep)[0];
            CHECK((force + mass_of(system) * kG * up).norm() < 1e-8 * mass_of(system) * kG);
        }
    }
}

TEST_CASE("a locked ball that slides drags the floor along with mu m g") {
    const double mu = 0.3, mass = 0.7;
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        const Vec3 up = up_of(dimension);
        const Vec3 ahead = dimension == 2 ? Vec3(-1, 0, 0) : Vec3(0.6, -0.8, 0);
        System system = empty_system(dimension, -kG * up);
        system.groups[0].rotates = false;
        system.law.kind = FrictionLaw::coulomb;
        system.law.friction = mu;
        add_plane(system, Vec3::Zero(), up, "floor");
        add_ball(system, 0.1 * up, 2.0 * ahead, 0.1, mass);
        ContactStepper stepper(tight_friction(kStep));
        for (int k = 0; k < 3; ++k) {
            stepper.step(system);
            const Vec3 force = wall_forces(system, stepper.contacts(), kStep)[0];
            const Vec3 expected = mass * kG * (mu * ahead - up);
            CHECK((force - expected).norm() < 1e-8 * mass * kG);
        }
    }
}

TEST_CASE("gravity and the forces on all walls give the change of momentum in every step") {
    for (const int dimension : {2, 3}) {
        for (const double mu : {0.0, 0.4}) {
            CAPTURE(dimension);
            CAPTURE(mu);
            const Vec3 gravity = -kG * up_of(dimension) + Vec3(2, 0, 0);
            System system = empty_system(dimension, gravity);
            add_open_box(system, 0.3, 0.3);
            for (Wall& wall : system.walls) {
                if (wall.name == "left" || wall.name == "right") wall.name = "sides";
            }
            add_loose_lattice(system, 3, 3, dimension == 2 ? 1 : 3, 0.03, 0.2, 5);
            system.law.restitution = 0.5;
            if (mu > 0.0) system.law.kind = FrictionLaw::coulomb;
            system.law.friction = mu;
            ContactStepper stepper(StepOptions{.time_step = kStep});
            double worst = 0.0, largest = 0.0, across = 0.0;
            for (int k = 0; k < 300; ++k) {
                const Vec3 before = linear_momentum(system);
                stepper.step(system);
                const Vec3 change = linear_momentum(system) - before;
                const std::vector<Vec3> forces = wall_forces(system, stepper.contacts(), kStep);
                worst =
                    std::max(worst, (change - kStep * (mass_of(system) * gravity - total(forces))).norm());
                largest = std::max(largest, before.norm());
                for (const Contact& c : stepper.contacts()) across = std::max(across, c.tangential.norm());
            }
            // Whatever the solver's error: the impulses are those that the velocities have got. What is left
            // is the rounding of some hundred terms.
            CHECK(worst < 1e-13 * largest);
            CHECK((across > 0.0) == (mu > 0.0));
        }
    }
}
