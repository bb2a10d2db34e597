#include <doctest/doctest.h>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/moreau_jean.hpp"
#include "talus/lagrange/systems/bouncing_ball.hpp"
#include "talus/lagrange/systems/oscillator_with_stop.hpp"
#include "talus/lagrange/systems/particle_at_wall.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

TEST_CASE("theta scheme: the error of a bouncing ball is of order one") {
    const BouncingBall ball;
    for (const double e : {0.0, 0.5, 0.8}) {
        for (const double h : {1e-2, 1e-3, 1e-4}) {
            MoreauJean scheme(ball, start({1.0}, {0.0}), h, {{e}});
            const double error =
                worst_error(scheme, 3.0, [e](double t) { return bouncing_height(t, 1.0, e, 9.81); });
            CHECK(error < 10.0 * h);
            CHECK(scheme.state().t == doctest::Approx(3.0));
        }
    }
}

TEST_CASE(
    "theta scheme: free oscillations keep their energy with theta = 1/2 and lose it with 1, however stiff") {
    for (const double stiffness : {1.0, 1e8}) {
        const OscillatorWithStop oscillator({1.0, stiffness, 0.0, -1e6});
        for (const double theta : {0.5, 1.0}) {
            MoreauJeanOptions options;
            options.theta = theta;
            MoreauJean scheme(oscillator, start({1.0}, {0.0}), 0.01, options);
            run(scheme, 1.0,
                [](const State&, const StepReport& report) { CHECK(report.status == Status::converged); });
            const double left = total_energy(oscillator, scheme.state()) / (0.5 * stiffness);
            if (theta == 0.5) CHECK(left == doctest::Approx(1.0).epsilon(1e-9));
            if (theta == 1.0) CHECK(left < 0.995);
        }
    }
}

TEST_CASE("theta scheme: an impact reverses the rate of the gap by e and keeps the other momentum") {
    const ParticleAtWall particle;
    MoreauJean scheme(particle, start({0.0, 0.5}, {0.3, -1.0}), 0.01, {{0.6}});
    const Matrix mass = particle.mass({});
    const double along = (mass * scheme.state().v)[0];  // the wall is y = 0: it carries no momentum along x
    double impulse = 0.0;
    run(scheme, 1.0, [&](const State&, const StepReport& report) { impulse += report.impulses[0]; });
    CHECK(scheme.state().v[1] == doctest::Approx(0.6).epsilon(1e-12));
    CHECK((mass * scheme.state().v)[0] == doctest::Approx(along).epsilon(1e-12));
    CHECK(impulse == doctest::Approx((mass * scheme.state().v - mass * Eigen::Vector2d(0.3, -1.0))[1]));
}

TEST_CASE("theta scheme: a resting ball carries its weight and stays") {
    const BouncingBall ball({2.0, 9.81});
    MoreauJean scheme(ball, start({0.0}, {0.0}), 1e-2, {{0.5}});
    run(scheme, 1.0, [](const State&, const StepReport& report) {
        CHECK(report.impulses[0] == doctest::Approx(2.0 * 9.81 * 1e-2));
    });
    CHECK(std::abs(scheme.state().q[0]) < 1e-15);
}

TEST_CASE("theta scheme: theta and restitution out of range are refused") {
    const BouncingBall ball;
    CHECK_THROWS_AS(MoreauJean(ball, start({1.0}, {0.0}), 0.1, {{0.5}, 0.4}), std::invalid_argument);
    CHECK_THROWS_AS(MoreauJean(ball, start({1.0}, {0.0}), 0.1, {{-0.5}}), std::invalid_argument);
}
