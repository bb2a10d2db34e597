#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "projection/problems.hpp"
#include "support/keep_threads.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// `loose` spheres that each press on the floor alone, solved by one sweep, and far from them columns of
/// `height` spheres: a small part of the residual, with overlaps that go on for many sweeps.
Problem columns_beside(Index loose, Index columns, Index height) {
    Problem problem;
    const Vec3 fall(0, 0, -1);
    for (Index k = 0; k < loose; ++k) {
        const Index i = problem.add_body({2.0 * k, 0, 0}, 1.0, fall);
        problem.add_wall(i, {0, 0, -1}, 0.0);
    }
    for (Index k = 0; k < columns; ++k) {
        for (Index level = 0; level < height; ++level) {
            const Index i = problem.add_body({2.0 * k, 100, 1.0 * level}, 1.0, fall);
            level == 0 ? problem.add_wall(i, {0, 0, -1}, 0.0) : problem.add_pair(i - 1, i, 0.0);
        }
    }
    return problem;
}

SolverOptions loose_options(SolverKind kind) {
    SolverOptions options = options_of(kind, 0.1);
    options.overlap_tolerance = 0.05;
    return options;
}

double worst_overlap(const Problem& problem, const std::vector<Vec3>& velocity) {
    double worst = 0.0;
    const std::vector<double> slope = slopes(problem, velocity);
    for (std::size_t c = 0; c < slope.size(); ++c)
        worst = std::max(worst, -problem.time_step * slope[c] / problem.rows[c].radius);
    return worst;
}

}  // namespace

TEST_CASE("a few rows that still overlap do not keep all others iterating") {
    const Problem problem = columns_beside(4000, 1, 3);
    // So many columns are too much to be swept apart from the rest: the same accuracy by iterations of all.
    const Problem many = columns_beside(4000, 400, 3);
    for (const SolverKind kind : {SolverKind::monotone_pgs, SolverKind::clip_cg}) {
        const Answer answer = solve(problem, loose_options(kind));
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.report.iterations <= 2);
        CHECK(answer.report.residual <= 0.1);
        CHECK(answer.report.overlap == doctest::Approx(worst_overlap(problem, answer.velocity)));
        CHECK(answer.report.overlap <= 0.05);
        const Answer of_many = solve(many, loose_options(kind));
        CHECK(of_many.report.status == Status::converged);
        CHECK(of_many.report.iterations > 2);
        CHECK(of_many.report.overlap <= 0.05);
    }
}

TEST_CASE("mending leaves impulses and velocities that belong together, and never a worse objective") {
    const Problem problem = columns_beside(4000, 1, 3);
    const Answer mended = solve(problem, loose_options(SolverKind::monotone_pgs));
    const std::vector<Vec3> expected = velocity_of(problem, mended.impulse);
    for (std::size_t k = 0; k < expected.size(); ++k)
        REQUIRE((mended.velocity[k] - expected[k]).norm() < 1e-12);
    for (Index k = 0; k < 4000; ++k) REQUIRE(mended.impulse[k] == doctest::Approx(1.0).epsilon(1e-12));
    // As many sweeps of all rows as were made before the mending, and no tolerance for it to begin at.
    SolverOptions swept_only = loose_options(SolverKind::monotone_pgs);
    swept_only.tolerance = 1e-12;
    swept_only.max_iterations = std::max(1, mended.report.iterations);
    const Answer swept = solve(problem, swept_only);
    CHECK(dual_objective(problem, mended.impulse) < dual_objective(problem, swept.impulse));
}

TEST_CASE("a mended answer has the same bits for any number of threads") {
    const KeepThreads guard;
    set_small_loop(1);
    const Problem problem = columns_beside(4000, 2, 3);
    std::vector<double> first;
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        const Answer answer = solve(problem, loose_options(SolverKind::monotone_pgs));
        CHECK(answer.report.iterations <= 2);
        if (first.empty()) first = answer.impulse;
        CHECK(answer.impulse == first);
    }
}

TEST_CASE("a solve that is out of iterations is mended all the same") {
    const Problem problem = columns_beside(4000, 1, 3);
    SolverOptions options = loose_options(SolverKind::monotone_pgs);
    options.max_iterations = 1;
    const Answer answer = solve(problem, options);
    CHECK(answer.report.status == Status::converged);
    CHECK(answer.report.overlap <= options.overlap_tolerance);
}

TEST_CASE("columns too high to be mended at once are solved all the same") {
    const Problem problem = columns_beside(4000, 1, 60);
    for (const SolverKind kind : kIterative) {
        if (kind == SolverKind::uzawa) continue;  // a thousand sweeps of rows for a column of 60
        const Answer answer = solve(problem, loose_options(kind));
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.report.overlap <= 0.05);
        CHECK(answer.report.residual <= 0.1);
    }
}
