#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/cabot_paoli.hpp"
#include "talus/lagrange/systems/ball_in_moving_box.hpp"
#include "talus/lagrange/systems/oscillator_with_stop.hpp"
#include "talus/lagrange/systems/pendulum_at_wall.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

TEST_CASE(
    "implicit scheme: without restitution a damped oscillator stops at its first impact (Proposition 4.5)") {
    const double pi = 3.14159265358979323846;
    for (const double gamma : {0.1, 1.0}) {
        for (const double k : {1.0, 9.0}) {
            const double h = 1e-3, omega = 0.5 * std::sqrt(4.0 * k - gamma * gamma);
            const OscillatorWithStop oscillator({1.0, k, gamma, 0.0});
            CabotPaoli scheme(oscillator, start({0.0}, {1.0}), h);
            double stopped = 0.0;
            run(scheme, 2.0 * pi / omega, [&](const State& s, const StepReport& report) {
                REQUIRE(report.status == Status::converged);
                CHECK(report.violation == 0.0);
                if (s.q[0] > 1e-14) stopped = s.t;
            });
            CHECK(std::abs(stopped - pi / omega) < 5.0 * h);
            CHECK(std::abs(scheme.state().v[0]) < 1e-12);
        }
    }
}

TEST_CASE("implicit scheme: |V|^2 + f(U^n) + f(U^{n+1}) never increases, at any step (Proposition 6.3)") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        Random random(seed, 12);
        const InPolyhedron system(random_problem(seed, random.uniform(0.0, 2.0)));
        const auto n = system.coordinate_count();
        const double h =
            std::pow(10.0, random.uniform(-2.0, 0.5));  // far beyond where the fixed point contracts
        CabotPaoli scheme(system, {0.0, Vector::Zero(n), random_matrix(random, n, 1)}, h);
        scheme.step();
        Vector before = Vector::Zero(n);
        double energy = 1e300;
        for (int step = 0; step < 100; ++step) {
            const State& s = scheme.state();
            const double now = s.v.squaredNorm() + *system.potential(before) + *system.potential(s.q);
            CHECK(now <= energy + 1e-11 * (1.0 + std::abs(now)));
            energy = now;
            before = s.q;
            const StepReport report = scheme.step();
            REQUIRE(report.status == Status::converged);
            CHECK(report.violation < 1e-12);
        }
    }
}

TEST_CASE("implicit scheme: motions approach the minimum at the rate of Theorem 3.5") {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        CAPTURE(seed);
        Random random(seed, 13);
        const double gamma = random.uniform(0.5, 2.0), h = 4e-3, end = 15.0;
        ConvexProblem problem = random_problem(seed, gamma);
        const auto n = problem.slope.size();
        problem.hessian += 0.5 * Matrix::Identity(n, n);
        const InPolyhedron system(problem);
        // Strong convexity on K: Phi(x) - Phi(a) >= m/2 |x - a|^2, m the least eigenvalue of H.
        const double m = problem.hessian.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
        const double root = std::sqrt(gamma * gamma + 4.0 * m);
        const double delta = 2.0 * gamma * (root - gamma) / (gamma + 3.0 * root);
        CabotPaoli scheme(system, {0.0, Vector::Zero(n), random_matrix(random, n, 1)}, h);
        std::vector<State> states;
        run(scheme, 3.0 * end, [&](const State& s, const StepReport&) { states.push_back(s); });
        const Vector a = states.back().q;
        const double least = *system.potential(a);
        // Integrals from the end; C = 3 int_0^inf (E + 2 gamma/3 k), k = x'.(x - a) + gamma/2 |x - a|^2.
        std::vector<double> rest(states.size() + 1, 0.0);
        double whole = 0.0;
        for (std::size_t k = states.size(); k-- > 0;) {
            const Vector away = states[k].q - a;
            const double energy = total_energy(system, states[k]) - least;
            rest[k] = rest[k + 1] + h * energy;
            whole +=
                h * (energy + 2.0 * gamma / 3.0 * (states[k].v.dot(away) + 0.5 * gamma * away.squaredNorm()));
        }
        for (std::size_t k = 0; states[k].t < end; k += 100) {
            CHECK(rest[k] <= 3.0 * whole * std::exp(-delta * states[k].t) * (1.0 + 5.0 * h) + 1e-9);
        }
    }
}

TEST_CASE("implicit scheme: what it does not cover is refused or warned of") {
    CHECK_THROWS_AS(CabotPaoli(BallInMovingBox(), start({0.5}, {0.0}), 0.1), std::invalid_argument);
    CHECK_THROWS_AS(CabotPaoli(PolarParticle(0.1), start({1.0, 0.0}, {0.0, 0.0}), 0.1),
                    std::invalid_argument);
    const PendulumAtWall pendulum;
    CabotPaoli scheme(pendulum, start({0.5}, {0.0}), 0.01);
    CHECK(scheme.step().warnings.size() == 2);
    CHECK(scheme.step().warnings.empty());
}
