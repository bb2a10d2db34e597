#include <doctest/doctest.h>

#include <memory>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/systems/ball_in_moving_box.hpp"
#include "talus/lagrange/systems/bouncing_ball.hpp"
#include "talus/lagrange/systems/oscillator_with_stop.hpp"
#include "talus/lagrange/systems/particle_at_wall.hpp"
#include "talus/lagrange/systems/pendulum_at_wall.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

TEST_CASE("derivatives that systems give are those of what they are derived from") {
    std::vector<std::unique_ptr<MechanicalSystem>> systems;
    systems.push_back(std::make_unique<BouncingBall>());
    systems.push_back(std::make_unique<OscillatorWithStop>(OscillatorParameters{2.0, 3.0, 0.5, -0.2}));
    systems.push_back(std::make_unique<BallInMovingBox>());
    systems.push_back(std::make_unique<ParticleAtWall>());
    systems.push_back(std::make_unique<PendulumAtWall>());
    systems.push_back(std::make_unique<PolarParticle>(0.3));
    systems.push_back(std::make_unique<HyperbolicParticle>(Eigen::Vector2d(0.6, 0.8), 0.1));
    systems.push_back(
        std::make_unique<AroundDiscs>(std::vector<Disc>{{{0, 0}, 0.2, 0.3}, {{2, 1}, 0.1, -0.2}}, 9.81));
    for (std::uint64_t k = 0; k < 5; ++k)
        systems.push_back(std::make_unique<InPolyhedron>(random_problem(k, 0.4)));
    for (std::size_t k = 0; k < systems.size(); ++k) {
        CAPTURE(k);
        Random random(5, k);
        const auto n = systems[k]->coordinate_count();
        const Vector q = Vector::NullaryExpr(n, [&] { return random.uniform(0.5, 1.5); });
        const State state{random.uniform(0, 2), q, random_matrix(random, n, 1)};
        // Central differences are right to about 1e-10, of differences to 1e-6.
        CHECK(check_derivatives(*systems[k], state).worst() < 1e-6);
    }
}

TEST_CASE("energy is the kinetic one and the potential, and is refused without a potential") {
    const State state = start({2.0}, {3.0});
    CHECK(total_energy(BouncingBall({2.0, 10.0}), state) == doctest::Approx(9.0 + 40.0));
    CHECK_THROWS_AS(total_energy(BallInMovingBox(), state), std::logic_error);
}

TEST_CASE("violation is the depth of the worst gap") {
    CHECK(violation(BallInMovingBox({1, 1, 0, 0}), 0.0, Vector::Constant(1, 1.25)) == doctest::Approx(0.25));
    CHECK(violation(BallInMovingBox({1, 1, 0, 0}), 0.0, Vector::Constant(1, 0.5)) == 0.0);
}

TEST_CASE("parameters out of range are refused") {
    CHECK_THROWS_AS(BouncingBall({0.0, 9.81}), std::invalid_argument);
    CHECK_THROWS_AS(OscillatorWithStop({1, 1, -1, 0}), std::invalid_argument);
    CHECK_THROWS_AS(BallInMovingBox({1, 0, 0, 0}), std::invalid_argument);
    CHECK_THROWS_AS(PendulumAtWall({1, 1, 9.81, 1}), std::invalid_argument);
    CHECK_THROWS_AS(ParticleAtWall({-Matrix::Identity(2, 2)}), std::invalid_argument);
}
