#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "support/builders.hpp"
#include "support/keep_threads.hpp"
#include "talus/core/parallel.hpp"
#include "talus/measure/mechanics.hpp"

using namespace talus;
using namespace talus::test;

namespace {

// Balls thrown at each other: no walls, no gravity.
System crossing_crowds(int dimension, std::uint64_t seed) {
    System system = empty_system(dimension);
    add_loose_lattice(system, 8, 8, dimension == 2 ? 1 : 4, 0.05, 0.3, seed);
    for (Index i = 0; i < system.particles.size(); ++i) {
        Random draw(seed + 1, static_cast<std::uint64_t>(i));
        Vec3 u;
        for (int k = 0; k < 3; ++k) u[k] = draw.uniform(-3.0, 3.0);
        if (dimension == 2) u.z() = 0.0;
        system.particles.velocity[static_cast<std::size_t>(i)] = u;
    }
    return system;
}

System falling_column(std::uint64_t seed, int nx = 6, int nz = 12) {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    add_loose_lattice(system, nx, nx, nz, 0.01, 0.2, seed);
    const double width = 2.0 * 0.01 * 1.2 * 1.1 * nx;
    add_open_box(system, width, width);
    return system;
}

double worst_true_overlap(const System& system) {
    const Particles& p = system.particles;
    double worst = 0.0;
    for (std::size_t i = 0; i < p.id.size(); ++i) {
        for (std::size_t j = i + 1; j < p.id.size(); ++j) {
            const double gap = (p.position[i] - p.position[j]).norm() - p.radius[i] - p.radius[j];
            worst = std::max(worst, -gap / std::min(p.radius[i], p.radius[j]));
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("crowds thrown at each other never overlap, whatever the step, the restitution and the dimension") {
    for (const int dimension : {2, 3}) {
        for (const double e : {0.0, 0.7}) {
            for (const double h : {1e-3, 1e-2, 1e-1}) {
                System system = crossing_crowds(dimension, 11);
                system.law.restitution = e;
                StepOptions options;
                options.time_step = h;
                ContactStepper stepper(options);
                for (int n = 0; n < 20; ++n) {
                    const StepReport report = stepper.step(system);
                    const double overlap = worst_true_overlap(system);
                    CHECK(overlap <= options.solver.overlap_tolerance);
                    // What the step reports is what is there.
                    CHECK(report.overlap == doctest::Approx(overlap).epsilon(1e-6));
                }
            }
        }
    }
}

TEST_CASE("an isolated crowd keeps its linear and angular momentum to rounding, converged or not") {
    System system = crossing_crowds(3, 5);
    const Vec3 about(0.3, 0.2, 0.1);
    const Vec3 p0 = linear_momentum(system);
    double scale = 0.0;
    for (std::size_t i = 0; i < system.particles.id.size(); ++i) {
        scale += system.particles.mass[i] * system.particles.velocity[i].norm();
    }
    StepOptions options;
    options.time_step = 5e-3;
    options.solver.max_iterations = 3;
    ContactStepper stepper(options);
    Vec3 angular_change = Vec3::Zero();
    for (int n = 0; n < 40; ++n) {
        // q^{n+1} = q^n + h u: the moment of u about the old and the new places is the same.
        const Vec3 before = angular_momentum(system, about);
        stepper.step(system);
        angular_change += angular_momentum(system, about) - before;
    }
    CHECK((linear_momentum(system) - p0).norm() < 1e-12 * scale);
    CHECK(angular_change.norm() < 1e-11 * scale);
}

TEST_CASE("contacts never add kinetic energy with walls and radii at rest, with any restitution") {
    for (const double e : {0.0, 0.5, 1.0}) {
        System system = crossing_crowds(3, 3);
        system.law.restitution = e;
        ContactStepper stepper(tight_options(2e-3, 1e-9));
        double energy = kinetic_energy(system);
        const double start = energy;
        for (int n = 0; n < 100; ++n) {
            const StepReport report = stepper.step(system);
            CHECK(report.kinetic_energy <= energy * (1.0 + 1e-9));
            CHECK(report.energy_defect < 1e-7);
            energy = report.kinetic_energy;
        }
        CHECK(energy < (e == 1.0 ? 1.0 + 1e-9 : 0.999) * start);
    }
}

TEST_CASE("1, 2, 3 and 8 threads give the same bits") {
    const KeepThreads keep;
    set_small_loop(1);  // or a system this small would stay on one thread
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        System system = falling_column(7, 10, 12);
        system.law.restitution = 0.3;
        StepOptions options;
        options.time_step = 2e-3;
        ContactStepper stepper(options);
        for (int n = 0; n < 60; ++n) stepper.step(system);
        hashes.push_back(state_hash(system));
    }
    for (const std::uint64_t hash : hashes) CHECK(hash == hashes.front());
}

TEST_CASE("the broad phase, the skin and the margin change neither contacts nor motion") {
    std::vector<System> ends;
    for (const BroadPhaseKind kind : {BroadPhaseKind::brute_force, BroadPhaseKind::cell_grid,
                                      BroadPhaseKind::kd_tree, BroadPhaseKind::r_tree}) {
        for (const double skin : {0.0, 0.5}) {
            System system = falling_column(3, 4, 6);
            StepOptions options = tight_options(2e-3, 1e-10);
            options.broad_phase = kind;
            options.skin = skin;
            ContactStepper stepper(options);
            for (int n = 0; n < 50; ++n) stepper.step(system);
            ends.push_back(system);
        }
    }
    for (const System& end : ends) CHECK(state_hash(end) == state_hash(ends.front()));

    System system = falling_column(3, 4, 6);
    StepOptions options = tight_options(2e-3, 1e-10);
    options.margin = 0.3;  // more contacts, the same answer up to the solver's tolerance
    ContactStepper stepper(options);
    for (int n = 0; n < 50; ++n) stepper.step(system);
    for (std::size_t i = 0; i < system.particles.id.size(); ++i) {
        CHECK((system.particles.position[i] - ends.front().particles.position[i]).norm() < 1e-6);
    }
}

TEST_CASE("the order of the bodies does not matter, to the tolerance of the solver") {
    System system = falling_column(9, 4, 6);
    System reversed = system;
    Particles& p = reversed.particles;
    std::reverse(p.position.begin(), p.position.end());
    std::reverse(p.radius.begin(), p.radius.end());
    std::reverse(p.reference_radius.begin(), p.reference_radius.end());
    std::reverse(p.mass.begin(), p.mass.end());
    std::reverse(p.reference_mass.begin(), p.reference_mass.end());
    std::reverse(p.inverse_mass.begin(), p.inverse_mass.end());
    ContactStepper one(tight_options(2e-3, 1e-11)), other(tight_options(2e-3, 1e-11));
    for (int n = 0; n < 50; ++n) {
        one.step(system);
        other.step(reversed);
    }
    const std::size_t count = system.particles.id.size();
    for (std::size_t i = 0; i < count; ++i) {
        CHECK((system.particles.position[i] - p.position[count - 1 - i]).norm() < 1e-7);
    }
}

TEST_CASE("discs move like spheres whose centres lie in one plane, bit for bit") {
    System flat = crossing_crowds(2, 21);
    System solid = flat;
    solid.dimension = 3;
    StepOptions options;
    options.time_step = 2e-3;
    ContactStepper a(options), b(options);
    for (int n = 0; n < 50; ++n) {
        a.step(flat);
        b.step(solid);
    }
    CHECK(state_hash(flat) == state_hash(solid));
    for (const Vec3& q : flat.particles.position) CHECK(q.z() == 0.0);
}

TEST_CASE("every solver moves a column the same way") {
    std::vector<System> ends;
    for (const SolverKind kind :
         {SolverKind::monotone_pgs, SolverKind::clip_cg, SolverKind::apgd, SolverKind::uzawa}) {
        System system = falling_column(4, 3, 5);
        StepOptions options = tight_options(2e-3, 1e-9);
        options.solver.kind = kind;
        options.solver.max_iterations = 200000;
        ContactStepper stepper(options);
        for (int n = 0; n < 40; ++n) CHECK(stepper.step(system).solver.status == Status::converged);
        ends.push_back(system);
    }
    for (const System& end : ends) {
        for (std::size_t i = 0; i < end.particles.id.size(); ++i) {
            CHECK((end.particles.position[i] - ends.front().particles.position[i]).norm() < 1e-6);
        }
    }
}

TEST_CASE("halving the step halves the difference to a fine solution of a falling column") {
    const auto centre_height = [](double h) {
        System system = falling_column(2, 3, 4);
        ContactStepper stepper(tight_options(h, 1e-10));
        run_until(stepper, system, 0.064);
        double sum = 0.0;
        for (const Vec3& q : system.particles.position) sum += q.z();
        return sum / system.particles.size();
    };
    const double fine = centre_height(2.5e-4);
    const double coarse = std::abs(centre_height(8e-3) - fine), half = std::abs(centre_height(4e-3) - fine),
                 quarter = std::abs(centre_height(2e-3) - fine);
    CHECK(half / coarse == doctest::Approx(0.5).epsilon(0.35));
    CHECK(quarter / half == doctest::Approx(0.5).epsilon(0.35));
}

TEST_CASE("a settled box keeps still and its floor carries the whole weight") {
    System system = falling_column(1, 6, 8);
    const double h = 5e-3;
    StepOptions coarse;
    coarse.time_step = h;
    ContactStepper settling(coarse);
    run_until(settling, system, 4.0);
    ContactStepper stepper(tight_options(h, 1e-6));
    run_until(stepper, system, 5.0);
    const std::vector<Vec3> settled = system.particles.position;
    const Worst worst = run_until(stepper, system, 6.0);
    double squares = 0.0, floor = 0.0, weight = 0.0;
    std::size_t moved = 0;
    for (std::size_t i = 0; i < settled.size(); ++i) {
        squares += system.particles.velocity[i].squaredNorm();
        weight += 9.81 * system.particles.mass[i];
        const double drift = (system.particles.position[i] - settled[i]).norm();
        if (drift > 1e-3 * system.particles.radius[i]) ++moved;
    }
    for (const Contact& c : stepper.contacts()) {
        if (c.j < 0 && system.walls[static_cast<std::size_t>(c.wall)].name == "floor") floor += c.impulse / h;
    }
    CHECK(std::sqrt(squares / static_cast<double>(settled.size())) < 1e-4);
    CHECK(floor == doctest::Approx(weight).epsilon(1e-3));
    // Rattlers, 1 to 3 % of the grains, slide on: nothing takes their speed.
    CHECK(moved <= settled.size() * 3 / 100);
    CHECK(worst.unconverged == 0);
}
