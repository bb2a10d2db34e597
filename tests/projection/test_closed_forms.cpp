#include <doctest/doctest.h>

#include <cmath>

#include "projection/problems.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr double kTolerance = 1e-10;

}  // namespace

TEST_CASE("two spheres meeting head-on leave together at the mean velocity of their momentum") {
    for (const SolverKind kind : kEverySolver) {
        Problem problem;
        problem.add_body({0, 0, 0}, 2.0, {1, 0, 0});
        problem.add_body({1, 0, 0}, 3.0, {-2, 0, 0});
        problem.add_pair(0, 1, 0.0);
        const Answer answer = solve(problem, options_of(kind, kTolerance));
        const double common = (2.0 * 1.0 - 3.0 * 2.0) / 5.0;
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.velocity[0].x() == doctest::Approx(common).epsilon(1e-9));
        CHECK(answer.velocity[1].x() == doctest::Approx(common).epsilon(1e-9));
        CHECK(answer.impulse[0] == doctest::Approx(2.0 * (1.0 - common)).epsilon(1e-9));
    }
}

TEST_CASE("a sphere at rest on a floor carries its weight and needs no more than five iterations") {
    for (const SolverKind kind : kEverySolver) {
        const double mass = 3.0;
        const double kick = 9.81e-3;
        const Answer answer = solve(column(1, mass, kick), options_of(kind, 1e-8));
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.report.iterations <= 5);
        CHECK(answer.impulse[0] == doctest::Approx(mass * kick).epsilon(1e-12));
        CHECK(answer.velocity[0].norm() < 1e-12 * kick);
    }
}

TEST_CASE("one sphere that strikes a resting row shares its speed with all of them") {
    for (const SolverKind kind : kEverySolver) {
        for (const Index balls : {3, 5}) {
            Problem problem;
            for (Index k = 0; k < balls; ++k) {
                problem.add_body({1.0 * k, 0, 0}, 1.0, {k == 0 ? 2.0 : 0.0, 0, 0});
                if (k > 0) problem.add_pair(k - 1, k, 0.0);
            }
            const Answer answer = solve(problem, options_of(kind, kTolerance));
            for (const Vec3& u : answer.velocity) {
                CHECK(u.x() == doctest::Approx(2.0 / balls).epsilon(1e-8));
            }
        }
    }
}

TEST_CASE("in a column of 20 spheres the k-th contact from below carries the weight of those above it") {
    const double mass = 2.0;
    const double kick = 0.1;
    for (const SolverKind kind : kEverySolver) {
        const Answer answer = solve(column(20, mass, kick), options_of(kind, kTolerance));
        CHECK(answer.report.status == Status::converged);
        for (Index k = 0; k < 20; ++k) {
            // The column multiplies residuals by its smallest eigenvalue, (pi / 40)^2: 1e-10 becomes 2e-8.
            CHECK(answer.impulse[k] == doctest::Approx((20 - k) * mass * kick).epsilon(1e-7));
        }
    }
}

TEST_CASE("rows that hold already get no impulse, and velocities keep their bits") {
    for (const SolverKind kind : kEverySolver) {
        Problem problem;
        problem.add_body({0, 0, 0}, 1.0, {-0.1, 0.3, 0});
        problem.add_body({1, 0, 0}, 1.0, {0.7, 0.1, 0});
        problem.add_pair(0, 1, 0.0);
        const Answer answer = solve(problem, options_of(kind, kTolerance), {5.0});
        CHECK(answer.impulse[0] == 0.0);
        CHECK(answer.report.residual == 0.0);
        CHECK(answer.report.iterations == 0);
        CHECK(answer.velocity[0] == problem.velocity[0]);
        CHECK(answer.velocity[1] == problem.velocity[1]);
    }
}

TEST_CASE("no rows, or no bodies, are solved at once") {
    for (const SolverKind kind : kEverySolver) {
        Problem problem;
        CHECK(solve(problem, options_of(kind, kTolerance)).report.status == Status::converged);
        problem.add_body({0, 0, 0}, 1.0, {1, 2, 3});
        CHECK(solve(problem, options_of(kind, kTolerance)).velocity[0] == Vec3(1, 2, 3));
    }
}
