#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "projection/friction_problems.hpp"
#include "projection/problems.hpp"

// What the solver with friction does from the first guess to the last sweep, and what it refuses.

using namespace talus;
using namespace talus::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// 1/2 sum m |u - v|^2 + J |omega - omega_0|^2 + p . (rate n + w) at impulses p, by plain loops.
double relaxed_objective(const FrictionSystem& system, const std::vector<Vec3>& impulse) {
    std::vector<Vec3> u(system.centre.size(), Vec3::Zero());
    std::vector<Vec3> omega = u;
    double work = 0.0;
    for (std::size_t c = 0; c < system.rows.size(); ++c) {
        const Row& r = system.rows[c];
        const RowFriction& of = system.friction[c];
        const Vec3& p = impulse[c];
        u[r.i] -= system.inverse_mass[r.i] * p;
        omega[r.i] -= system.inverse_inertia[r.i] * of.arm_i * r.normal.cross(p);
        if (r.j >= 0) {
            u[r.j] += system.inverse_mass[r.j] * p;
            omega[r.j] -= system.inverse_inertia[r.j] * of.arm_j * r.normal.cross(p);
        }
        work += p.dot(system.rate[c] * r.normal + contact_velocity(system, c, system.velocity, system.spin));
    }
    return kinetic_energy(system, u, omega) + work;
}

}  // namespace

TEST_CASE("the answer as first guess needs no iteration, a wild one does no harm") {
    const FrictionSystem system = friction_packing(300, 11, 0.3);
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-5);
        const FrictionAnswer cold = solve(system, options);
        REQUIRE(cold.report.status == Status::converged);
        CHECK(cold.report.iterations > 10);
        options.tolerance *= 1.01;  // the guess is the answer but for rounding
        CHECK(solve(system, options, cold.impulse).report.iterations == 0);
        std::vector<Vec3> wild = cold.impulse;
        for (Vec3& p : wild) p = 100.0 * p + Vec3(1, 1, 1);
        wild[0] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
        const FrictionAnswer other = solve(system, options, wild);
        CHECK(other.report.status == Status::converged);
        CHECK(largest_difference(other.velocity, cold.velocity) < 1e-2);
        options.warm_start = false;
        CHECK(same_bits(solve(system, options, wild), solve(system, options)));
    }
}

TEST_CASE("the objective of the relaxation never rises with the iterations") {
    const FrictionSystem system = friction_packing(100, 10, 0.6);
    double last = 0.0;
    // The best iterate by residual is returned, which need not be the last: so the sequence is looked at
    // where the residual falls.
    double residual = kInfinity;
    int seen = 0;
    for (int iterations = 1; iterations <= 120; ++iterations) {
        FrictionOptions options = friction_options(FrictionKind::coulomb_relaxed, 1e-14);
        options.max_iterations = iterations;
        options.overlap_tolerance = kInfinity;  // or normal impulses would be changed at the end
        const FrictionAnswer answer = solve(system, options);
        const double objective = relaxed_objective(system, answer.impulse);
        if (answer.report.residual < residual) {
            CHECK(objective <= last + 1e-13 * std::abs(last));
            last = objective;
            residual = answer.report.residual;
            ++seen;
        }
    }
    CHECK(seen > 20);
}

TEST_CASE("a solve that runs out of iterations returns the best iterate it has measured") {
    const FrictionSystem system =
        friction_packing(300, 13, 2.5);  // so strong that residuals rise now and then
    double best = 1.0;
    // At iterations where longer solves measure too.
    for (int iterations = 1; iterations <= 100; iterations += 1 + std::min(iterations / 8, 9)) {
        FrictionOptions options = friction_options(FrictionKind::coulomb, 1e-12);
        options.max_iterations = iterations;
        options.overlap_tolerance = kInfinity;
        const FrictionReport report = solve(system, options).report;
        CHECK(report.status == Status::max_iterations);
        CHECK(report.iterations == iterations);
        if (best < 1.0) CHECK(report.residual <= best * (1.0 + 1e-9));  // before, all were worse than none
        best = std::min(best, report.residual);
    }
    CHECK(best < 0.5);
}

TEST_CASE("a solve that runs out of iterations leaves no overlap") {
    const FrictionSystem system = friction_packing(300, 13, 0.8);
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-12);
        options.overlap_tolerance = 1e-7;
        options.max_iterations = 3;
        const FrictionAnswer answer = solve(system, options);
        CHECK(answer.report.status == Status::max_iterations);
        CHECK(answer.report.residual > 1e-3);
        CHECK(answer.report.overlap <= 1e-7);
        for (std::size_t c = 0; c < system.rows.size(); ++c) {
            const Vec3& n = system.rows[c].normal;
            const Vec3 w = contact_velocity(system, c, answer.velocity, answer.spin);
            CHECK(system.rate[c] + n.dot(w) >= -1.001e-7 * system.rows[c].radius / system.time_step);
            CHECK(n.dot(answer.impulse[c]) >= -1e-15);
        }
    }
}

TEST_CASE("what 200 sweeps do not solve is solved by following the slip") {
    const FrictionSystem system = friction_packing(3000, 15, 1.5);
    FrictionOptions options = friction_options(FrictionKind::coulomb, 1e-6);
    options.overlap_tolerance = 1e-3;
    options.max_iterations = 2500;
    const FrictionReport report = solve(system, options).report;
    CHECK(report.iterations > 200);
    CHECK(report.residual < 1e-3);  // without, it stays at 8e-3, after 5000 too
}

TEST_CASE("with friction, a row of spheres longer than the room between its walls is proven to be jammed") {
    FrictionSystem system;
    for (Index k = 0; k < 3; ++k) {
        system.add_body({1.0 * k, 0, 0}, 1.0, 0.1, {0.1, -0.2, 0});
        if (k > 0) system.add_pair(k - 1, k, 0.5, 0.5, 0.5);
    }
    system.add_wall(0, {-1, 0, 0}, 0.0, 0.5, 0.5);
    system.add_wall(2, {1, 0, 0}, -1e-2, 0.5, 0.5);
    for (const FrictionKind kind : kBothLaws) {
        const FrictionAnswer answer = solve(system, friction_options(kind, 1e-6));
        CHECK(answer.report.status == Status::infeasible);
        REQUIRE(answer.report.jam.has_value());
        for (const double weight : answer.report.jam->weights) CHECK(weight == doctest::Approx(1.0));
    }
}

TEST_CASE("friction solvers refuse what makes no sense") {
    FrictionOptions options;
    options.tolerance = 0.0;
    CHECK_THROWS_AS(make_friction_solver(options), std::invalid_argument);
    const FrictionOptions good = friction_options(FrictionKind::coulomb, 1e-6);
    FrictionSystem system = on_floor(3.5, {1, 0, -1}, -0.1);
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
    system = on_floor(3.5, {1, 0, -1}, 0.1);
    system.spin[0].x() = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
    system = on_floor(3.5, {1, 0, -1}, 0.1);
    system.drift.resize(2, Vec3::Zero());
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
    system = on_floor(3.5, {1, 0, -1}, 0.1);
    system.inverse_inertia.clear();
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
    system = on_floor(3.5, {1, 0, -1}, 0.1);
    system.friction.clear();
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
}

TEST_CASE("residuals are relative to the least reference where the problem's own is smaller") {
    const FrictionSystem system = friction_packing(60, 5, 0.4);
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-9);
        options.max_iterations = 5;
        const auto solver = make_friction_solver(options);
        solver->prepare(system.view());
        const auto reached = [&](double least_reference) {
            std::vector<Vec3> impulse(system.rows.size(), Vec3::Zero());
            std::vector<Vec3> velocity(system.centre.size()), spin(system.centre.size());
            FrictionInput input{system.rate, system.drift, system.velocity, system.spin, system.time_step};
            input.least_reference = least_reference;
            return solver->solve(input, {impulse, velocity, spin});
        };
        const FrictionReport own = reached(0.0);
        CHECK(own.reference > 0.0);
        CHECK(own.residual > 1e-9);
        const FrictionReport larger = reached(4.0 * own.reference);
        CHECK(larger.reference == 4.0 * own.reference);
        CHECK(larger.residual == 0.25 * own.residual);
        CHECK(larger.map == own.map);
        CHECK(own.map == doctest::Approx(own.residual * own.reference).epsilon(1e-12));
        CHECK(reached(0.5 * own.reference).residual == own.residual);
    }
}

TEST_CASE("a friction solve that runs out of sweeps counts as converged just where its numbers say so") {
    const FrictionSystem system = friction_packing(300, 11, 0.5);
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-2);
        options.overlap_tolerance = 1e-6;  // reached after the residual, so that the end of overlap matters
        int solved_late = 0;
        for (int iterations = 10; iterations <= 150; iterations += 5) {
            options.max_iterations = iterations;
            const FrictionReport report = solve(system, options).report;
            CAPTURE(iterations);
            const bool is_solved =
                report.residual <= options.tolerance && report.overlap <= options.overlap_tolerance;
            CHECK((report.status == Status::converged) == is_solved);
            solved_late += is_solved && report.iterations > iterations;
        }
        CHECK(solved_late > 0);
    }
}
