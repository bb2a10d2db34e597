#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "projection/friction_problems.hpp"
#include "projection/problems.hpp"
#include "talus/core/parallel.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Expectations from the best to the worst: right at first sight, by chance, all rows, those that press.
enum class Expectation { first_sight, chance, all, pressing };
constexpr Expectation kEvery[] = {Expectation::first_sight, Expectation::chance, Expectation::all,
                                  Expectation::pressing};

std::vector<std::uint8_t> idle_rows(Expectation expectation, const Problem& problem,
                                    const std::vector<double>& impulse) {
    const std::size_t count = problem.rows.size();
    std::vector<std::uint8_t> idle(count, 1);
    std::mt19937 random(7);
    switch (expectation) {
        case Expectation::first_sight:
            expect_idle_rows(problem.rows, problem.rate, problem.velocity, std::vector<double>(count, 0.0),
                             idle);
            break;
        case Expectation::chance:
            for (std::uint8_t& row : idle) row = random() % 2;
            break;
        case Expectation::all:
            break;
        case Expectation::pressing:
            for (std::size_t c = 0; c < count; ++c) idle[c] = impulse[c] > 0.0;
            break;
    }
    return idle;
}

/// Impulses that are wrong, and that no common factor puts right.
template <class Impulse>
std::vector<Impulse> spoilt(std::vector<Impulse> impulse) {
    std::mt19937 random(3);
    for (Impulse& p : impulse) p *= 1e-9 * (random() % 2000000000);
    return impulse;
}

double difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double largest = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, (a[k] - b[k]).norm());
    return largest;
}

/// The same rows without friction.
Problem normal_rows(const FrictionSystem& system) {
    Problem problem;
    problem.centre = system.centre;
    problem.inverse_mass = system.inverse_mass;
    problem.rows = system.rows;
    problem.rate = system.rate;
    problem.velocity = system.velocity;
    return problem;
}

}  // namespace

TEST_CASE("solutions do not depend on which rows are expected idle") {
    Problem problem = packing(2000, 5);
    for (const SolverKind kind : {SolverKind::monotone_pgs, SolverKind::clip_cg, SolverKind::apgd}) {
        const SolverOptions options = options_of(kind, 1e-9);
        problem.idle.clear();
        const Answer expected = solve(problem, options);
        REQUIRE(expected.report.status == Status::converged);
        for (const Expectation expectation : kEvery) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(static_cast<int>(expectation));
            problem.idle = idle_rows(expectation, problem, expected.impulse);
            for (const std::vector<double>& guess : {std::vector<double>{}, spoilt(expected.impulse)}) {
                const Answer answer = solve(problem, options, guess);
                CHECK(answer.report.status == Status::converged);
                CHECK(answer.report.residual <= options.tolerance);
                CHECK(difference(answer.velocity, expected.velocity) < 1e-6);
                const std::vector<Vec3> carried = velocity_of(problem, answer.impulse);
                CHECK(difference(answer.velocity, carried) < 1e-9);
            }
        }
    }
}

TEST_CASE("solutions with friction do not depend on which rows are expected idle") {
    FrictionSystem system = friction_packing(300, 4, 0.3);
    for (const FrictionKind kind : kBothLaws) {
        const FrictionOptions options = friction_options(kind, 1e-8);
        system.idle.clear();
        const FrictionAnswer expected = solve(system, options);
        REQUIRE(expected.report.status == Status::converged);
        const Problem rows = normal_rows(system);
        std::vector<double> normal;
        for (std::size_t c = 0; c < system.rows.size(); ++c) {
            normal.push_back(system.rows[c].normal.dot(expected.impulse[c]));
        }
        for (const Expectation expectation : kEvery) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(static_cast<int>(expectation));
            system.idle = idle_rows(expectation, rows, normal);
            for (const std::vector<Vec3>& guess : {std::vector<Vec3>{}, spoilt(expected.impulse)}) {
                const FrictionAnswer answer = solve(system, options, guess);
                CHECK(answer.report.status == Status::converged);
                CHECK(answer.report.residual <= options.tolerance);
                // The motion of Coulomb's law need not be unique.
                if (kind == FrictionKind::coulomb) continue;
                CHECK(difference(answer.velocity, expected.velocity) < 1e-6);
            }
        }
    }
}

TEST_CASE("a packing that the exact law does not solve has no overlap whatever is expected idle") {
    FrictionSystem system = friction_packing(2000, 9, 1.0);
    FrictionOptions options = friction_options(FrictionKind::coulomb, 1e-9);
    options.max_iterations = 20;
    options.overlap_tolerance = 1e-4;
    system.idle.assign(system.rows.size(), 1);
    const FrictionAnswer answer = solve(system, options);
    CHECK(answer.report.status == Status::max_iterations);
    CHECK(answer.report.overlap <= options.overlap_tolerance);
}

TEST_CASE("idle rows give the same bits on any number of threads") {
    Problem problem = packing(12000, 6);
    expect_idle_rows(problem.rows, problem.rate, problem.velocity,
                     std::vector<double>(problem.rows.size(), 0.0), problem.idle);
    REQUIRE(std::count(problem.idle.begin(), problem.idle.end(), 1) > 1000);
    const int before = thread_count();
    set_thread_count(1);
    const Answer alone = solve(problem, options_of(SolverKind::monotone_pgs, 1e-5));
    for (const int threads : {2, 3, 8}) {
        set_thread_count(threads);
        const Answer together = solve(problem, options_of(SolverKind::monotone_pgs, 1e-5));
        CHECK(together.impulse == alone.impulse);
        CHECK(together.velocity == alone.velocity);
        CHECK(together.report.iterations == alone.report.iterations);
    }
    set_thread_count(before);
}

TEST_CASE("idle rows with friction and rolling friction give the same bits on any number of threads") {
    FrictionSystem system = friction_packing(8000, 6, 0.4);
    for (RowFriction& of : system.friction) of.rolling = 0.02;
    expect_idle_rows(system.rows, system.rate, system.velocity, std::vector<double>(system.rows.size(), 0.0),
                     system.idle);
    REQUIRE(std::count(system.idle.begin(), system.idle.end(), 1) > 1000);
    FrictionOptions options = friction_options(FrictionKind::coulomb, 1e-6);
    options.max_iterations = 40;
    const int before = thread_count();
    set_thread_count(1);
    const FrictionAnswer alone = solve(system, options);
    for (const int threads : {2, 3, 8}) {
        set_thread_count(threads);
        const FrictionAnswer together = solve(system, options);
        CHECK(together.impulse == alone.impulse);
        CHECK(together.moment == alone.moment);
        CHECK(together.velocity == alone.velocity);
        CHECK(together.spin == alone.spin);
    }
    set_thread_count(before);
}

TEST_CASE("rows are expected idle that carry nothing and open by three times the rms of what is missing") {
    Problem problem;
    for (int k = 0; k < 5; ++k) problem.add_body({1.0 * k, 0, 0}, 1.0, {-1.0 * k, 0, 0});
    // Every pair approaches by 1: what is missing is 1, 0.2, 0 and 0, its rms sqrt(1.04) / 2.
    for (const double rate : {0.0, 0.8, 2.4, 2.6}) {
        const auto c = static_cast<Index>(problem.rows.size());
        problem.add_pair(c, c + 1, rate);
    }
    const auto expected = [&](const std::vector<double>& impulse) {
        std::vector<std::uint8_t> idle;
        expect_idle_rows(problem.rows, problem.rate, problem.velocity, impulse, idle);
        return idle;
    };
    CHECK(expected({0, 0, 0, 0}) == std::vector<std::uint8_t>{0, 0, 0, 1});
    CHECK(expected({0, 0, 0, 1e-9}) == std::vector<std::uint8_t>{0, 0, 0, 0});
}

TEST_CASE("it is said of all rows or of none whether they are idle") {
    Problem problem = packing(100, 1);
    problem.idle.assign(problem.rows.size() - 1, 0);
    CHECK_THROWS_AS(solve(problem, options_of(SolverKind::monotone_pgs, 1e-3)), std::invalid_argument);
}
