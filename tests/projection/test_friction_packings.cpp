#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "projection/friction_problems.hpp"
#include "projection/problems.hpp"

// Many contacts with friction: the laws hold in each, energy and momentum.

using namespace talus;
using namespace talus::test;

namespace {

/// Impulse and motion at a contact, along its normal and across.
struct Parts {
    double p_n;   ///< [kg m/s]
    double open;  ///< D/h + w_N [m/s]
    Vec3 p_t, w_t;
};

Parts parts_of(const FrictionSystem& system, const FrictionAnswer& answer, std::size_t c) {
    const Vec3& n = system.rows[c].normal;
    const Vec3 w = contact_velocity(system, c, answer.velocity, answer.spin);
    const double p_n = n.dot(answer.impulse[c]);
    return {p_n, system.rate[c] + n.dot(w), answer.impulse[c] - p_n * n, w - n.dot(w) * n};
}

}  // namespace

TEST_CASE("in packings every contact satisfies Coulomb's law") {
    int stuck = 0;
    int slipping = 0;
    for (const double friction : {0.1, 0.3, 0.8}) {
        const FrictionSystem system = friction_packing(200, 21, friction);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, 1e-8));
        REQUIRE(answer.report.status == Status::converged);
        for (std::size_t c = 0; c < system.rows.size(); ++c) {
            const auto [p_n, open, p_t, w_t] = parts_of(system, answer, c);
            // Speeds and impulses are of order 0.1.
            CHECK(p_n >= -1e-16);
            CHECK(open >= -1e-6);
            CHECK(p_n * open <= 1e-7);
            CHECK(p_t.norm() <= friction * p_n + 1e-14);
            CHECK((w_t.norm() * p_t + friction * p_n * w_t).norm() <= 1e-7);
            stuck += p_n > 1e-3 && answer.sliding[c] == 0 ? 1 : 0;
            slipping += p_n > 1e-3 && answer.sliding[c] == 1 ? 1 : 0;
            if (answer.sliding[c] == 1) CHECK(p_t.norm() >= friction * p_n - 1e-6);
            if (p_n > 1e-3 && answer.sliding[c] == 0) CHECK(w_t.norm() <= 1e-6);
        }
    }
    CHECK(stuck >= 50);
    CHECK(slipping >= 50);
}

TEST_CASE("in packings every contact satisfies the relaxed law") {
    for (const double friction : {0.1, 0.5, 1.5}) {
        const FrictionSystem system = friction_packing(200, 22, friction);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb_relaxed, 1e-7));
        REQUIRE(answer.report.status == Status::converged);
        for (std::size_t c = 0; c < system.rows.size(); ++c) {
            const auto [p_n, open, p_t, w_t] = parts_of(system, answer, c);
            CHECK(p_t.norm() <= friction * p_n + 1e-14);
            CHECK(open >= friction * w_t.norm() - 1e-5);
            // Speeds are of order 0.1, impulses too but where friction wedges grains.
            CHECK(std::abs(p_n * open + p_t.dot(w_t)) <= 1e-5 * std::max(0.1, answer.impulse[c].norm()));
        }
    }
}

TEST_CASE("neither law ever adds kinetic energy where gaps are open and walls at rest") {
    // |u|^2 - |v|^2 = 2 p.w - |u - v|^2, and p.w = -p_N rate + p_T.w_T <= 0 (Coulomb), = -p_N rate (relaxed).
    for (const FrictionKind kind : kBothLaws) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const FrictionSystem system = friction_packing(60, seed, 0.4);
            const FrictionAnswer answer = solve(system, friction_options(kind, 1e-4));
            const double before = kinetic_energy(system, system.velocity, system.spin);
            CHECK(kinetic_energy(system, answer.velocity, answer.spin) <= before);
        }
    }
}

TEST_CASE("with friction too, unconverged iterates keep momentum and angular momentum to rounding") {
    const FrictionSystem system = without_walls(friction_packing(2000, 9, 0.5));
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-9);
        options.max_iterations = 7;
        const FrictionAnswer answer = solve(system, options);
        CHECK(answer.report.status == Status::max_iterations);
        Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
        double size = 0.0;
        for (std::size_t k = 0; k < system.centre.size(); ++k) {
            const double m = 1.0 / system.inverse_mass[k];
            const Vec3 change = answer.velocity[k] - system.velocity[k];
            momentum += m * change;
            angular += m * system.centre[k].cross(change) +
                       (answer.spin[k] - system.spin[k]) / system.inverse_inertia[k];
            size += m * change.norm();
        }
        CHECK(size > 10.0);
        CHECK(momentum.norm() <= 1e-14 * size);
        CHECK(angular.norm() <= 1e-13 * size * 13.0);  // 13: side of the packing
    }
}

TEST_CASE("without friction both laws give the velocities of the exact frictionless solver") {
    for (const FrictionKind kind : kBothLaws) {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const Problem plain = random_problem(seed % 2 == 0 ? 2 : 3, seed);
            FrictionSystem system;
            system.centre = plain.centre;
            system.inverse_mass = plain.inverse_mass;
            system.inverse_inertia = plain.inverse_mass;
            system.rate = plain.rate;
            system.velocity = plain.velocity;
            system.spin.assign(plain.centre.size(), Vec3(1, 2, 3));
            system.rows = plain.rows;
            system.friction.assign(plain.rows.size(), {0.5, 0.5, 0.0});
            system.drift.assign(system.rows.size(), Vec3(1, 1, 1));
            const Answer exact = solve(plain, options_of(SolverKind::exact, 1e-9));
            const FrictionAnswer answer = solve(system, friction_options(kind, 1e-9));
            if (answer.report.status != Status::converged) continue;  // masses over six decades
            std::vector<Vec3> difference = answer.velocity;
            for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= exact.velocity[k];
            CAPTURE(seed);
            CHECK(speed_norm(plain, difference) <= 1e-4 * (1.0 + speed_norm(plain, exact.velocity)));
            CHECK(largest_difference(answer.spin, system.spin) == 0.0);
        }
    }
}

TEST_CASE("a plane scene stays plane") {
    FrictionSystem system;
    for (Index k = 0; k < 20; ++k) {
        const Vec3 at(0.97 * (k % 5) + 0.2 * ((k / 5) % 2), 0.98 * (k / 5), 0);
        system.add_body(at, 1.0, 0.125, {0.1 * (k % 3), -0.3, 0}, {0, 0, 0.1 * (k % 4)});
        for (Index i = 0; i < k; ++i) {
            if ((at - system.centre[i]).norm() < 1.2) system.add_pair(i, k, 0.47, 0.47, 0.5);
        }
        if (k < 5) system.add_wall(k, {0, -1, 0}, 0.0, 0.47, 0.5);
    }
    for (const FrictionKind kind : kBothLaws) {
        const FrictionAnswer answer = solve(system, friction_options(kind, 1e-6));
        CHECK(kinetic_energy(system, answer.velocity, answer.spin) > 0.0);
        for (std::size_t k = 0; k < system.centre.size(); ++k) {
            CHECK(answer.velocity[k].z() == 0.0);
            CHECK(answer.spin[k].x() == 0.0);
            CHECK(answer.spin[k].y() == 0.0);
        }
    }
}
