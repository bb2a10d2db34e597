#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <tuple>

#include "projection/problems.hpp"
#include "support/keep_threads.hpp"
#include "talus/core/parallel.hpp"
#include "talus/projection/optimality.hpp"

using namespace talus;
using namespace talus::test;

namespace {

bool same_bits(const Answer& a, const Answer& b) {
    return a.impulse == b.impulse && a.velocity == b.velocity && a.report.iterations == b.report.iterations &&
           a.report.residual == b.report.residual;
}

Problem in_other_units(const Problem& problem, double length, double mass, double time) {
    Problem other = problem;
    for (Vec3& x : other.centre) x *= length;
    for (double& m : other.inverse_mass) m /= mass;
    for (Vec3& v : other.velocity) v *= length / time;
    for (double& r : other.rate) r *= length / time;
    for (Row& row : other.rows) row.radius *= length;
    other.time_step *= time;
    return other;
}

}  // namespace

TEST_CASE("every solver reaches its tolerance on a packing, by residuals formed independently of it") {
    const Problem problem = packing(2000, 5);
    const std::vector<double> b = slopes(problem, problem.velocity);
    for (const SolverKind kind : kIterative) {
        SolverOptions options = options_of(kind, kind == SolverKind::uzawa ? 1e-3 : 1e-6);
        options.overlap_tolerance = 1e-4;
        const Answer answer = solve(problem, options);
        CAPTURE(static_cast<int>(kind));
        CHECK(answer.report.status == Status::converged);
        const std::vector<double> g = slopes(problem, velocity_of(problem, answer.impulse));
        double reached = 0.0;
        double start = 0.0;
        double overlap = 0.0;
        for (std::size_t c = 0; c < g.size(); ++c) {
            const Row& r = problem.rows[c];
            const double s =
                1.0 / std::sqrt(problem.inverse_mass[r.i] + (r.j < 0 ? 0.0 : problem.inverse_mass[r.j]));
            CHECK(answer.impulse[c] >= 0.0);
            reached += std::pow(std::min(answer.impulse[c] / s, s * g[c]), 2);
            start += std::pow(std::min(0.0, s * b[c]), 2);
            overlap = std::max(overlap, -g[c] * problem.time_step / r.radius);
        }
        CHECK(answer.report.residual == doctest::Approx(std::sqrt(reached / start)).epsilon(1e-6));
        CHECK(answer.report.map == doctest::Approx(std::sqrt(reached)).epsilon(1e-6));
        CHECK(answer.report.overlap == doctest::Approx(overlap).epsilon(1e-6));
        CHECK(answer.report.residual <= options.tolerance);
        CHECK(answer.report.overlap <= options.overlap_tolerance);
    }
}

TEST_CASE("1, 2, 3 and 8 threads give the same bits") {
    const Problem problem = packing(2000, 6);
    const KeepThreads keep;
    set_small_loop(1);  // or a problem this small would stay on one thread
    for (const SolverKind kind : kIterative) {
        SolverOptions options = options_of(kind, 1e-5);
        options.max_iterations = 40;
        const Answer one = solve(problem, options);
        for (const int threads : {2, 3, 8}) {
            set_thread_count(threads);
            const Answer more = solve(problem, options);
            set_thread_count(1);
            CAPTURE(threads);
            CHECK(same_bits(one, more));
        }
    }
}

TEST_CASE("units of length, mass and time that differ by powers of two give the same iterations and bits") {
    const Problem problem = packing(300, 7);
    for (const SolverKind kind : kIterative) {
        SolverOptions options = options_of(kind, 1e-5);
        options.max_iterations = 200;
        const Answer answer = solve(problem, options);
        for (const auto& [length, mass, time] :
             {std::tuple(0x1p-10, 0x1p-28, 0x1p-8), std::tuple(0x1p20, 1.0, 1.0),
              std::tuple(1.0, 0x1p14, 0x1p6)}) {
            const Answer other = solve(in_other_units(problem, length, mass, time), options);
            CHECK(other.report.iterations == answer.report.iterations);
            CHECK(other.report.residual == answer.report.residual);
            bool equal = true;
            for (std::size_t c = 0; c < answer.impulse.size(); ++c) {
                equal = equal && other.impulse[c] == answer.impulse[c] * (mass * length / time);
            }
            CHECK(equal);
        }
    }
}

TEST_CASE("the order of rows and bodies does not matter beyond the tolerance") {
    const Problem problem = packing(400, 8);
    Problem other = problem;
    const std::size_t bodies = problem.centre.size();
    for (std::size_t k = 0; k < bodies; ++k) {
        other.centre[k] = problem.centre[bodies - 1 - k];
        other.velocity[k] = problem.velocity[bodies - 1 - k];
        other.inverse_mass[k] = problem.inverse_mass[bodies - 1 - k];
    }
    const auto flip = [&](Index k) { return k < 0 ? k : static_cast<Index>(bodies) - 1 - k; };
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        const Row& r = problem.rows[problem.rows.size() - 1 - c];
        other.rows[c] =
            r.j < 0 ? Row{flip(r.i), -1, r.normal, r.radius} : Row{flip(r.j), flip(r.i), -r.normal, r.radius};
        other.rate[c] = problem.rate[problem.rows.size() - 1 - c];
    }
    const SolverOptions options = options_of(SolverKind::monotone_pgs, 1e-9);
    const Answer a = solve(problem, options);
    const Answer b = solve(other, options);
    for (std::size_t k = 0; k < bodies; ++k) {
        CHECK((a.velocity[k] - b.velocity[bodies - 1 - k]).norm() < 1e-6);  // speeds are of order 0.3
    }
}

TEST_CASE("an iterate that has not converged keeps momentum and angular momentum to rounding") {
    Problem problem = packing(2000, 9);
    std::size_t kept = 0;
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        if (problem.rows[c].j < 0) continue;  // walls take momentum
        problem.rows[kept] = problem.rows[c];
        problem.rate[kept++] = problem.rate[c];
    }
    problem.rows.resize(kept);
    problem.rate.resize(kept);
    for (const SolverKind kind : kIterative) {
        SolverOptions options = options_of(kind, 1e-9);
        options.max_iterations = 3;
        const Answer answer = solve(problem, options);
        CHECK(answer.report.status == Status::max_iterations);
        Vec3 before = Vec3::Zero(), after = Vec3::Zero(), spin = Vec3::Zero();
        double size = 0.0;
        for (std::size_t k = 0; k < problem.centre.size(); ++k) {
            const double m = 1.0 / problem.inverse_mass[k];
            before += m * problem.velocity[k];
            after += m * answer.velocity[k];
            spin += m * problem.centre[k].cross(answer.velocity[k] - problem.velocity[k]);
            size += m * answer.velocity[k].norm();
        }
        CHECK((after - before).norm() <= 1e-14 * size);
        CHECK(spin.norm() <= 1e-13 * size * 13.0);  // 13: side of the packing
    }
}

TEST_CASE("the objective of the monotone solvers never rises with the iterations") {
    // The random ones have masses over six decades: there clipped conjugate gradients would rise unguarded.
    std::vector<Problem> problems = {packing(300, 10)};
    for (const std::uint64_t seed : {6, 26, 35, 66}) problems.push_back(random_problem(2, seed));
    for (const SolverKind kind : {SolverKind::monotone_pgs, SolverKind::clip_cg}) {
        for (const Problem& problem : problems) {
            double last = 0.0;
            for (int iterations = 1; iterations <= 120; ++iterations) {
                SolverOptions options = options_of(kind, 1e-14);
                options.max_iterations = iterations;
                const double objective = dual_objective(problem, solve(problem, options).impulse);
                CHECK(objective <= last + 1e-13 * std::abs(last));
                last = objective;
            }
        }
    }
}

TEST_CASE("conjugate gradients solve a column of N spheres in about N iterations") {
    for (const Index count : {50, 200}) {
        // N steps in exact arithmetic; ten more for rounding and ten until the residual is looked at.
        CHECK(solve(column(count, 1.0, 0.01), options_of(SolverKind::clip_cg, 1e-10)).report.iterations <=
              count + 20);
    }
}

TEST_CASE(
    "a first guess never starts above the objective of none, and the answer itself needs no iteration") {
    const Problem problem = packing(300, 11);
    for (const SolverKind kind : {SolverKind::monotone_pgs, SolverKind::clip_cg}) {
        SolverOptions options = options_of(kind, 1e-6);
        const Answer cold = solve(problem, options);
        CHECK(solve(problem, options, cold.impulse).report.iterations == 0);
        options.max_iterations = 1;
        std::vector<double> wild = cold.impulse;
        for (std::size_t c = 0; c < wild.size(); ++c) wild[c] = 100.0 * wild[c] + 1.0;
        CHECK(dual_objective(problem, solve(problem, options, wild).impulse) <= 0.0);
        options.warm_start = false;
        CHECK(same_bits(solve(problem, options, wild), solve(problem, options)));
    }
}
