#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "projection/problems.hpp"
#include "talus/core/random.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Spheres of radius 1/2 in a row between two walls; the row is longer than the room by `excess`.
Problem row_between_walls(Index count, double excess) {
    Problem problem;
    for (Index k = 0; k < count; ++k) {
        problem.add_body({1.0 * k, 0, 0}, 1.0 + k, {0.1, -0.2, 0});
        if (k > 0) problem.add_pair(k - 1, k, 0.0);
    }
    problem.add_wall(0, {-1, 0, 0}, 0.0);
    problem.add_wall(count - 1, {1, 0, 0}, -excess);
    return problem;
}

/// n^3 spheres on a cubic lattice that fill a closed box, every radius grown by `growth`.
Problem full_box(Index side, double growth) {
    Problem problem;
    for (Index k = 0; k < side * side * side; ++k) {
        const Vec3 cell(k % side, (k / side) % side, k / (side * side));
        problem.add_body(cell, 1.0, Vec3::Zero());
        for (Index i = 0; i < k; ++i) {
            const double gap = (cell - problem.centre[i]).norm() - 1.0 - 2.0 * growth;
            if (gap < 0.5) problem.add_pair(i, k, gap);
        }
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 normal = Vec3::Zero();
            normal[axis] = -1.0;
            problem.add_wall(k, normal, cell[axis] - growth);
            problem.add_wall(k, -normal, side - 1 - cell[axis] - growth);
        }
    }
    return problem;
}

void check_proof(const Problem& problem, const SolverReport& report) {
    REQUIRE(report.status == Status::infeasible);
    REQUIRE(report.jam.has_value());
    const std::vector<double>& weights = report.jam->weights;
    REQUIRE(weights.size() == problem.rows.size());
    CHECK(*std::max_element(weights.begin(), weights.end()) == 1.0);
    CHECK(*std::min_element(weights.begin(), weights.end()) >= 0.0);
    Problem still = problem;
    std::fill(still.velocity.begin(), still.velocity.end(), Vec3(0, 0, 0));
    const double push = speed_norm(still, velocity_of(still, weights));  // |G' weights| in the norm of 1/M
    double work = 0.0;
    for (std::size_t c = 0; c < weights.size(); ++c) work += problem.rate[c] * weights[c];
    CHECK(work < 0.0);
    // 0 <= weights . (rate + G u) for every admissible u, so |u| >= -work / push, far beyond what the
    // overlaps, at most `worst`, ask for.
    const double worst = -*std::min_element(problem.rate.begin(), problem.rate.end());
    const double least_speed = std::abs(work) / push;
    CHECK(least_speed >= 1e4 * worst);
    CHECK(least_speed >= 0.5);  // a radius per step, and no body weighs less than 1
    CHECK(report.jam->least_speed >= 0.99 * std::min(least_speed, 1e6));
}

}  // namespace

TEST_CASE("a row of spheres longer than the room between its walls is proven to be jammed by every solver") {
    for (const SolverKind kind : kEverySolver) {
        for (const double excess : {1e-6, 1e-2, 0.5}) {
            const Problem problem = row_between_walls(3, excess);
            SolverOptions options = options_of(kind, 1e-8);
            const Answer answer = solve(problem, options);
            CAPTURE(static_cast<int>(kind));
            CAPTURE(excess);
            check_proof(problem, answer.report);
            CHECK(answer.report.iterations <= 5000);
        }
    }
}

TEST_CASE("a full closed box whose spheres grow is proven to be jammed") {
    for (const SolverKind kind : {SolverKind::monotone_pgs, SolverKind::clip_cg, SolverKind::apgd}) {
        for (const double growth : {1e-4, 1e-2}) {
            const Problem problem = full_box(5, growth);
            const Answer answer = solve(problem, options_of(kind, 1e-6));
            CAPTURE(static_cast<int>(kind));
            check_proof(problem, answer.report);
            CHECK(answer.report.iterations <= 5000);
        }
    }
}

TEST_CASE("a row of spheres that just fits between its walls is not called jammed") {
    for (const SolverKind kind : kEverySolver) {
        for (const double excess : {0.0, 1e-15}) {
            const Problem problem = row_between_walls(3, excess);
            const Answer answer = solve(problem, options_of(kind, 1e-8));
            CAPTURE(static_cast<int>(kind));
            CHECK(answer.report.status == Status::converged);
        }
    }
}

TEST_CASE("a tall column whose spheres all overlap is lifted and not called jammed") {
    Problem problem = column(100, 1.0, 0.01);
    for (double& rate : problem.rate) rate = -1e-3;
    for (const SolverKind kind : {SolverKind::monotone_pgs, SolverKind::clip_cg}) {
        const Answer answer = solve(problem, options_of(kind, 1e-8));
        CHECK(answer.report.status == Status::converged);
        // Each sphere rises by what all overlaps below it ask for.
        CHECK(answer.velocity[99].z() == doctest::Approx(100 * 1e-3).epsilon(1e-5));
    }
}

TEST_CASE("a nearly straight row that must buckle is not called jammed") {
    // Three discs between walls, the middle one off the line by 1e-3: moving it aside by 1/2 1e3 times the
    // overlap makes room.
    Problem problem;
    problem.add_body({0, 0, 0}, 1.0, Vec3::Zero());
    problem.add_body({1, 1e-3, 0}, 1.0, Vec3::Zero());
    problem.add_body({2, 0, 0}, 1.0, Vec3::Zero());
    problem.add_pair(0, 1, -1e-5);
    problem.add_pair(1, 2, -1e-5);
    problem.add_wall(0, {-1, 0, 0}, 0.0);
    problem.add_wall(2, {1, 0, 0}, 0.0);
    for (const SolverKind kind : {SolverKind::exact, SolverKind::monotone_pgs, SolverKind::clip_cg}) {
        SolverOptions options = options_of(kind, 1e-6);
        const Answer answer = solve(problem, options);
        CHECK(answer.report.status != Status::infeasible);
    }
    const Answer exact = solve(problem, options_of(SolverKind::exact, 1e-9));
    CHECK(exact.report.status == Status::converged);
    CHECK(exact.velocity[1].y() > 5e-3);
}
