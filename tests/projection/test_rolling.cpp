#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "projection/friction_problems.hpp"
#include "support/keep_threads.hpp"
#include "talus/core/parallel.hpp"

using namespace talus;
using namespace talus::test;

// Bodies of mass 2 and radius 1/2; limits of rolling are lengths, mu_r R.

namespace {

constexpr double kUnmovable = std::numeric_limits<double>::infinity();
constexpr double kMass = 2.0, kRadius = 0.5, kInertia = 0.4 * kMass * kRadius * kRadius;

FrictionOptions tight() {
    return friction_options(FrictionKind::coulomb, 1e-12);
}

FrictionSystem on_floor(const Vec3& v, const Vec3& spin, double friction, double rolling) {
    FrictionSystem system;
    system.add_body({0, 0, kRadius}, kMass, kInertia, v, spin);
    system.add_wall(0, {0, 0, -1}, 0.0, kRadius, friction);
    system.friction[0].rolling = rolling;
    return system;
}

/// test::friction_packing whose contacts resist rolling by the part `rolling` of their reduced radius.
FrictionSystem rolling_packing(Index count, std::uint64_t seed, double friction, double rolling) {
    FrictionSystem system = friction_packing(count, seed, friction);
    for (std::size_t c = 0; c < system.rows.size(); ++c) {
        RowFriction& of = system.friction[c];
        of.rolling =
            rolling * (system.rows[c].j < 0 ? of.arm_i : of.arm_i * of.arm_j / (of.arm_i + of.arm_j));
    }
    return system;
}

/// omega_j - omega_i across the normal of a pair, or what is left of it at a wall.
Vec3 rolling_velocity(const FrictionSystem& system, std::size_t c, const std::vector<Vec3>& spin) {
    const Row& r = system.rows[c];
    const Vec3 w = r.j < 0 ? Vec3(-spin[r.i]) : Vec3(spin[r.j] - spin[r.i]);
    return w - r.normal.dot(w) * r.normal;
}

}  // namespace

TEST_CASE("a spin on a smooth floor is braked by mu_r R times the normal impulse, then stopped") {
    const double fall = 0.3, rolling = 0.02;
    const double brake = rolling * kMass * fall / kInertia;
    for (int k = 0; k < 12; ++k) {
        const double angle = 0.1 + k * std::numbers::pi / 6.0;
        const Vec3 along(std::cos(angle), std::sin(angle), 0.0);
        for (const double spin : {2.0 * brake, 0.7 * brake}) {
            // What turns about the normal does not roll.
            const FrictionSystem system = on_floor({0, 0, -fall}, spin * along + Vec3(0, 0, 5), 0.0, rolling);
            const FrictionAnswer answer = solve(system, tight());
            CAPTURE(k);
            CHECK(answer.report.status == Status::converged);
            const Vec3 expected = std::max(0.0, spin - brake) * along + Vec3(0, 0, 5);
            CHECK((answer.spin[0] - expected).norm() < 1e-12);
            CHECK((answer.velocity[0]).norm() < 1e-12);
            // On the wall, so with the spin.
            CHECK((answer.moment[0] - kInertia * std::min(spin, brake) * along).norm() < 1e-13);
        }
    }
}

TEST_CASE("a ball that rolls is slowed down by 5/7 mu_r g h, and one that this would reverse stops") {
    const double kick = 0.1, mu_r = 0.05;  // g h
    for (const double speed : {1.0, 0.9 * 5.0 / 7.0 * mu_r * kick}) {
        const FrictionSystem system =
            on_floor({speed, 0, -kick}, {0, speed / kRadius, 0}, 0.4, mu_r * kRadius);
        const FrictionAnswer answer = solve(system, tight());
        const double expected = std::max(0.0, speed - 5.0 / 7.0 * mu_r * kick);
        CHECK(answer.report.status == Status::converged);
        CHECK(std::abs(answer.velocity[0].x() - expected) < 1e-11);
        CHECK(std::abs(kRadius * answer.spin[0].y() - expected) < 1e-11);
        CHECK(answer.moment[0].norm() <= mu_r * kRadius * kMass * kick * (1.0 + 1e-11));
    }
}

TEST_CASE("a wall that turns takes the ball on it along") {
    const double fall = 0.3, rolling = 0.02;
    const double brake = rolling * kMass * fall / kInertia;
    for (const double spin : {0.5 * brake, 3.0 * brake}) {
        const FrictionSystem system = on_floor({0, 0, -fall}, Vec3::Zero(), 0.0, rolling);
        const std::vector<Vec3> turning = {Vec3(spin, 0, 7)};
        FrictionAnswer answer = solve(system, tight());
        const auto solver = make_friction_solver(tight());
        solver->prepare(system.view());
        solver->solve({system.rate, system.drift, system.velocity, system.spin, system.time_step, turning},
                      {answer.impulse, answer.velocity, answer.spin, answer.moment});
        CHECK((answer.spin[0] - Vec3(std::min(spin, brake), 0, 0)).norm() < 1e-12);
    }
}

TEST_CASE("a wall, and a frozen body on either side of the row, resist rolling alike") {
    const Vec3 v(0.7, -0.2, -0.3), spin(1.0, 0.4, -0.6);
    const FrictionAnswer expected = solve(on_floor(v, spin, 0.3, 0.02), tight());
    for (const bool sphere_first : {true, false}) {
        FrictionSystem system;
        system.add_body({0, 0, -0.5}, kUnmovable, 1.0);
        system.add_body({0, 0, 0.5}, kMass, kInertia, v, spin);
        system.add_pair(sphere_first ? 1 : 0, sphere_first ? 0 : 1, 0.5, 0.5, 0.3);
        system.friction[0].rolling = 0.02;
        const FrictionAnswer answer = solve(system, tight());
        CHECK((answer.velocity[1] - expected.velocity[0]).norm() < 1e-12);
        CHECK((answer.spin[1] - expected.spin[0]).norm() < 1e-12);
        const double sign = sphere_first ? 1.0 : -1.0;
        CHECK((sign * answer.moment[0] - expected.moment[0]).norm() < 1e-12);
        CHECK(answer.spin[0] == Vec3(0, 0, 0));
    }
}

TEST_CASE("bodies that can not be turned resist nothing, and one alone is turned by its own inertia") {
    for (const double inertia : {kUnmovable, kInertia}) {
        FrictionSystem system;
        system.add_body({0, 0, 0}, kMass, kUnmovable, {0.5, 0, 0});
        system.add_body({1, 0, 0}, kMass, inertia, {0, 0, 0}, inertia < 1.0 ? Vec3(0, 3, 0) : Vec3(0, 0, 0));
        system.add_pair(0, 1, 0.5, 0.5, 0.0);
        system.friction[0].rolling = 0.1;
        const FrictionAnswer answer = solve(system, tight());
        const double moment = inertia < 1.0 ? 0.1 * (0.5 * kMass * 0.5) : 0.0;
        CHECK((answer.moment[0] - Vec3(0, -moment, 0)).norm() < 1e-12);
        CHECK(answer.spin[0] == Vec3(0, 0, 0));
        if (inertia < 1.0)
            CHECK(answer.spin[1].y() == doctest::Approx(3.0 - moment / kInertia).epsilon(1e-11));
    }
}

TEST_CASE("in packings every contact satisfies the law of rolling resistance") {
    int stuck = 0, rolls = 0;
    for (const double mu_r : {0.02, 0.6}) {
        const FrictionSystem system = rolling_packing(200, 21, 0.3, mu_r);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, 1e-8));
        REQUIRE(answer.report.status == Status::converged);
        for (std::size_t c = 0; c < system.rows.size(); ++c) {
            const Vec3& n = system.rows[c].normal;
            const double limit = system.friction[c].rolling * n.dot(answer.impulse[c]);
            const Vec3 omega = rolling_velocity(system, c, answer.spin);
            const Vec3& moment = answer.moment[c];
            // Speeds and impulses are of order 0.1, spins of order 0.3.
            CHECK(std::abs(moment.dot(n)) <= 1e-14);
            CHECK(moment.norm() <= limit + 1e-14);
            CHECK((omega.norm() * moment + limit * omega).norm() <= 1e-7);
            stuck += limit > 1e-4 && omega.norm() < 1e-5;
            rolls += limit > 1e-4 && omega.norm() > 1e-3;
        }
    }
    CHECK(stuck >= 50);
    CHECK(rolls >= 50);
}

TEST_CASE("rolling resistance takes energy, and unconverged iterates keep angular momentum to rounding") {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const FrictionSystem system = rolling_packing(60, seed, 0.4, 0.1);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, 1e-4));
        CHECK(kinetic_energy(system, answer.velocity, answer.spin) <=
              kinetic_energy(system, system.velocity, system.spin));
    }
    const FrictionSystem system = without_walls(rolling_packing(1000, 9, 0.5, 0.3));
    FrictionOptions options = tight();
    options.max_iterations = 7;
    const FrictionAnswer answer = solve(system, options);
    CHECK(answer.report.status == Status::max_iterations);
    Vec3 angular = Vec3::Zero();
    double size = 0.0;
    for (std::size_t k = 0; k < system.centre.size(); ++k) {
        const Vec3 change = answer.velocity[k] - system.velocity[k];
        angular += system.mass(static_cast<Index>(k)) * system.centre[k].cross(change) +
                   (answer.spin[k] - system.spin[k]) / system.inverse_inertia[k];
        size += system.mass(static_cast<Index>(k)) * change.norm();
    }
    CHECK(angular.norm() <= 1e-13 * size * 13.0);  // 13: side of the packing
}

TEST_CASE("the answer with its moments as first guess needs no iteration") {
    const FrictionSystem system = rolling_packing(300, 11, 0.3, 0.1);
    FrictionOptions options = friction_options(FrictionKind::coulomb, 1e-5);
    const FrictionAnswer cold = solve(system, options);
    REQUIRE(cold.report.status == Status::converged);
    CHECK(cold.report.iterations > 10);
    options.tolerance *= 1.01;  // the guess is the answer but for rounding
    CHECK(solve(system, options, cold.impulse, cold.moment).report.iterations == 0);
    CHECK(solve(system, options, cold.impulse).report.iterations > 0);
    std::vector<Vec3> wild = cold.moment;
    for (Vec3& moment : wild) moment = 100.0 * moment + Vec3(1, 1, 1);
    wild[0] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    CHECK(solve(system, options, cold.impulse, wild).report.status == Status::converged);
    // Stopped by its moment alone, which is part of the gain that a guess is scaled by.
    const FrictionSystem spinning = on_floor({0, 0, -0.3}, {0.05, 0, 0}, 0.0, 0.02);
    const FrictionAnswer stopped = solve(spinning, options);
    CHECK(stopped.report.iterations > 0);
    CHECK(solve(spinning, options, stopped.impulse, stopped.moment).report.iterations == 0);
}

TEST_CASE("with rolling resistance, 1, 2, 3 and 8 threads give the same bits") {
    const FrictionSystem system = rolling_packing(1500, 6, 0.5, 0.1);
    const KeepThreads keep;
    set_small_loop(1);                        // or a problem this small would stay on one thread
    for (const int iterations : {70, 220}) {  // beyond the first rebuild, beyond the exact sweeps
        FrictionOptions options = tight();
        options.max_iterations = iterations;
        const FrictionAnswer one = solve(system, options);
        for (const int threads : {2, 3, 8}) {
            set_thread_count(threads);
            const FrictionAnswer more = solve(system, options);
            set_thread_count(1);
            CAPTURE(threads);
            CHECK((one.spin == more.spin && one.moment == more.moment && one.velocity == more.velocity));
            CHECK(one.report.residual == more.report.residual);
        }
    }
}

TEST_CASE("rolling resistance of a contact that stays open changes no bit of the others") {
    FrictionSystem system = friction_packing(300, 7, 0.4);
    system.add_body({0, 0, -3}, kMass, kInertia, {0, 0, 1});
    system.add_wall(300, {0, 0, -1}, 1.0, kRadius, 0.4);
    FrictionOptions options = tight();
    options.max_iterations = 60;
    const FrictionAnswer plain = solve(system, options);
    system.friction.back().rolling = 0.1;
    const FrictionAnswer answer = solve(system, options);
    CHECK(answer.report.residual == plain.report.residual);
    CHECK((answer.impulse == plain.impulse && answer.moment == plain.moment));
    CHECK((answer.velocity == plain.velocity && answer.spin == plain.spin));
}

TEST_CASE("rolling resistance that makes no sense is refused") {
    FrictionSystem system = on_floor({0, 0, -1}, Vec3::Zero(), 0.1, -0.1);
    CHECK_THROWS_AS(solve(system, tight()), std::invalid_argument);
    system.friction[0].rolling = 0.1;
    CHECK_THROWS_AS(solve(system, friction_options(FrictionKind::coulomb_relaxed, 1e-6)),
                    std::invalid_argument);
    const auto solver = make_friction_solver(tight());
    solver->prepare(system.view());
    FrictionAnswer answer = solve(system, tight());
    CHECK_THROWS_AS(solver->solve({system.rate, system.drift, system.velocity, system.spin, system.time_step},
                                  {answer.impulse, answer.velocity, answer.spin}),
                    std::invalid_argument);
}
