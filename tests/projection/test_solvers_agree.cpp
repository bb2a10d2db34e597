#include <doctest/doctest.h>

#include <cmath>

#include "projection/problems.hpp"

using namespace talus;
using namespace talus::test;

namespace {

double distance(const Problem& problem, const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    std::vector<Vec3> difference(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) difference[k] = a[k] - b[k];
    return speed_norm(problem, difference);
}

}  // namespace

TEST_CASE("the exact solver satisfies the optimality conditions of the projection to rounding") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Problem problem = random_problem(seed % 2 == 0 ? 2 : 3, seed);
        const Answer answer = solve(problem, options_of(SolverKind::exact, 1e-9));
        CAPTURE(seed);
        REQUIRE(answer.report.status == Status::converged);
        const std::vector<Vec3> u = velocity_of(problem, answer.impulse);
        CHECK(distance(problem, u, answer.velocity) <= 1e-12 * (1.0 + speed_norm(problem, u)));
        const std::vector<double> slope = slopes(problem, u);
        for (std::size_t c = 0; c < slope.size(); ++c) {
            CHECK(answer.impulse[c] >= 0.0);
            CHECK(slope[c] >= -1e-8);  // speeds are of order one; row scales differ by masses up to 1e3
        }
        CHECK(answer.report.complementarity <= 1e-9);
    }
}

TEST_CASE("a solve that runs out of iterations counts as converged just where its residual says so") {
    const Problem problem = packing(400, 8);
    constexpr double kTolerance = 1e-6;
    for (const SolverKind kind : {SolverKind::monotone_pgs, SolverKind::clip_cg, SolverKind::apgd}) {
        SolverOptions options = options_of(kind, kTolerance);
        const int enough = solve(problem, options).report.iterations;
        REQUIRE(enough > 12);
        int solved = 0;
        for (int iterations = enough - 12; iterations <= enough; ++iterations) {
            options.max_iterations = iterations;
            const SolverReport report = solve(problem, options).report;
            CAPTURE(iterations);
            const bool is_solved = report.residual <= kTolerance && report.overlap <= kTolerance;
            CHECK((report.status == Status::converged) == is_solved);
            solved += is_solved;
        }
        CHECK(solved >= 1);
    }
}

TEST_CASE("every iterative solver gives the velocities of the exact one on random problems") {
    for (const SolverKind kind : kIterative) {
        int converged = 0;
        for (std::uint64_t seed = 1; seed <= 120; ++seed) {
            const Problem problem = random_problem(seed % 2 == 0 ? 2 : 3, seed);
            const Answer exact = solve(problem, options_of(SolverKind::exact, 1e-9));
            SolverOptions options = options_of(kind, 1e-9);
            if (kind == SolverKind::uzawa) options.max_iterations = 20000;
            const Answer answer = solve(problem, options);
            CAPTURE(seed);
            CAPTURE(static_cast<int>(kind));
            CHECK(answer.report.status != Status::infeasible);
            // The projection is strongly convex: |u - u*|_M^2 / 2 is at most the gap of the dual objective.
            const double gap =
                dual_objective(problem, answer.impulse) - dual_objective(problem, exact.impulse);
            const double size = 1.0 + speed_norm(problem, exact.velocity);
            CHECK(gap >= -1e-12 * size * size);
            CHECK(distance(problem, answer.velocity, exact.velocity) <=
                  std::sqrt(2.0 * std::abs(gap)) + 1e-6 * size);
            if (answer.report.status != Status::converged) continue;
            ++converged;
            CHECK(distance(problem, answer.velocity, exact.velocity) <= 1e-4 * size);
        }
        CHECK(converged >= 100);
    }
}
