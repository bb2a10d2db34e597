#include <doctest/doctest.h>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/geodesic.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

TEST_CASE(
    "geodesics of the plane in polar coordinates are straight, with an error of order four in the steps") {
    const PolarParticle plane(-10.0);
    const State s = PolarParticle::from_plane(1.0, 0.2, 0.3, 0.7);
    std::vector<double> errors;
    for (const int steps : {4, 8, 16}) {
        const Vector end = shoot_geodesic(plane, s.q, s.v, steps);
        errors.push_back((PolarParticle::position(end) - Eigen::Vector2d(1.3, 0.9)).norm());
    }
    CHECK(errors[0] < 1e-3);
    CHECK(errors[0] / errors[1] == doctest::Approx(16.0).epsilon(0.3));
    CHECK(errors[1] / errors[2] == doctest::Approx(16.0).epsilon(0.3));
}

TEST_CASE("the geodesic projection in polar coordinates is the orthogonal one of the plane") {
    const PolarParticle plane(1.0);
    for (const double depth : {0.01, 0.05, 0.2}) {
        const State s = PolarParticle::from_plane(1.0 - depth, 0.4, 0, 0);
        GeodesicOptions options;
        options.runge_kutta_steps = 16;
        const Projection found = project_geodesic(plane, 0.0, s.q, options);
        REQUIRE(found.status == Status::converged);
        const Eigen::Vector2d foot = PolarParticle::position(found.point);
        CHECK((foot - Eigen::Vector2d(1.0, 0.4)).norm() < 1e-7 * depth);  // of order depth^5 / 16^4
        CHECK(found.multipliers[0] == doctest::Approx(depth).epsilon(1e-6));
        // The frozen metric misses the foot by the order of depth squared.
        const Projection frozen = project_position(plane, 0.0, plane.mass(s.q), s.q, {});
        const double miss = (PolarParticle::position(frozen.point) - Eigen::Vector2d(1.0, 0.4)).norm();
        CHECK(miss > 0.05 * depth * depth);
        CHECK(miss < depth * depth);
    }
}

TEST_CASE("in the hyperbolic half-plane the foot on a vertical line keeps the distance from its end") {
    // Geodesics orthogonal to x = 0 are circles about the origin; the distance is arsinh(|x| / y).
    const HyperbolicParticle half_plane({1.0, 0.0}, 0.0);
    for (const double x : {-0.02, -0.1, -0.3}) {
        GeodesicOptions options;
        options.runge_kutta_steps = 32;
        const Projection found = project_geodesic(half_plane, 0.0, Eigen::Vector2d(x, 0.8), options);
        REQUIRE(found.status == Status::converged);
        CHECK(std::abs(found.point[0]) < 1e-9);
        CHECK(found.point[1] == doctest::Approx(std::hypot(x, 0.8)).epsilon(1e-7));
        CHECK(found.multipliers[0] * found.point[1] == doctest::Approx(std::asinh(-x / 0.8)).epsilon(1e-6));
    }
}

TEST_CASE("in the hyperbolic half-plane the foot on a horizontal line is straight above") {
    const HyperbolicParticle half_plane({0.0, 1.0}, 1.0);
    const Projection found = project_geodesic(half_plane, 0.0, Eigen::Vector2d(0.3, 0.8), {});
    REQUIRE(found.status == Status::converged);
    CHECK(found.point[0] == doctest::Approx(0.3).epsilon(1e-9));
    CHECK(found.point[1] == doctest::Approx(1.0).epsilon(1e-9));
    CHECK(found.multipliers[0] == doctest::Approx(std::log(1.0 / 0.8)).epsilon(1e-5));
}
