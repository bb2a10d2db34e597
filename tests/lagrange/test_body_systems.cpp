#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "motions.hpp"
#include "talus/core/random.hpp"
#include "talus/lagrange/event_driven.hpp"
#include "talus/lagrange/systems/bead_chain.hpp"
#include "talus/lagrange/systems/beam_between_stops.hpp"
#include "talus/lagrange/systems/body_on_floor.hpp"
#include "talus/lagrange/systems/sphere_assembly.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

TEST_CASE("bodies: derivatives are those of what they are derived from") {
    Random random(12, 1);
    const auto any = [&](int n) { return Vector(Vector::NullaryExpr(n, [&] { return random.normal(); })); };
    CHECK(check_derivatives(rocking_block(2.0, 0.3, 0.7, 9.81), {0.0, any(3), any(3)}).worst() < 1e-7);
    CHECK(check_derivatives(BeadChain({{1, 2, 3}, 0.1, 9.81, true}), {0.0, any(3), any(3)}).worst() < 1e-8);
    const SphereAssembly spheres({{1, 2, 3}, {0.1, 0.2, 0.3}, {{}, {Vec3::UnitX(), -1.0}}});
    CHECK(spheres.constraint_count() == 9);
    CHECK(check_derivatives(spheres, {0.0, any(9), any(9)}).worst() < 1e-7);
    const BeamBetweenStops beam({.elements = 3, .load = 0.5, .damping = 0.2});
    CHECK(check_derivatives(beam, {0.0, any(6), any(6)}).worst() < 1e-6);
}

TEST_CASE("a rod that falls on its corner turns by the impulse's moment") {
    const double m = 2.0, length = 1.2, e = 0.5, angle = 0.4, w = 3.0;
    const BodyOnFloor rod = falling_rod(m, length, 0.0);
    const double arm = 0.5 * length * std::cos(angle), inertia = m * length * length / 12.0;
    const double height = 0.5 * length * std::sin(angle);
    EventDriven scheme(rod, start({0.0, height + 0.3, angle}, {0.7, -w, 0.0}), 0.101, {{e}});
    scheme.step();
    REQUIRE(scheme.impacts().size() == 1);
    const double impulse = (1.0 + e) * w / (1.0 / m + arm * arm / inertia);
    const Vec3 expected(0.7, -w + impulse / m, -arm * impulse / inertia);
    CHECK((scheme.impacts()[0].after - expected).norm() < 1e-9);
}

TEST_CASE("a block rocks on when it is slender and stops when it is wide") {
    // Turns about its left corner; the right one hits: w+/w- = (I - m b^2)/(I + m b^2), or both corners hold.
    const auto after = [](double width, double height) {
        const BodyOnFloor block = rocking_block(1.0, width, height, 9.81);
        EventDriven scheme(block, start({0.0, 0.5 * height, 0.0}, {0.0, -0.5 * width, -1.0}), 1e-9);
        scheme.step();
        return scheme.impacts().at(0).after[2];
    };
    const double inertia = (0.2 * 0.2 + 0.6 * 0.6) / 12.0;
    CHECK(after(0.2, 0.6) == doctest::Approx(-(inertia - 0.01) / (inertia + 0.01)).epsilon(1e-9));
    CHECK(std::abs(after(0.6, 0.2)) < 1e-12);
}

TEST_CASE("three beads collapse below the restitution 7 - 4 sqrt 3 and separate above") {
    // McNamara and Young 1992.
    const BeadChain chain({{1, 1, 1}, 0.0});
    std::size_t impacts = 0;
    const auto spread = [&](double e) {
        EventDriven scheme(chain, start({0.0, 0.5, 0.9}, {1.0, 0.0, -1.0}), 3.0, {{e}});
        scheme.step();
        CHECK(std::abs(scheme.state().v.sum()) < 1e-9);
        impacts = scheme.impacts().size();
        return scheme.state().v.maxCoeff() - scheme.state().v.minCoeff();
    };
    // Gaps below the tolerance of the reference close together, which ends the series: velocities are small,
    // not zero.
    CHECK(spread(0.01) < 1e-3);
    CHECK(impacts > 5);
    CHECK(spread(0.2) > 0.05);
    CHECK(impacts < 5);
}

TEST_CASE("a cradle hands the speed of its first bead to its last") {
    const BeadChain cradle({{1, 1, 1, 1}, 0.1});
    EventDriven scheme(cradle, start({-1.0, 0.0, 0.11, 0.22}, {2.0, 0.0, 0.0, 0.0}), 1.0, {{1.0}});
    scheme.step();
    CHECK((scheme.state().v - Eigen::Vector4d(0, 0, 0, 2.0)).norm() < 1e-12);
}

TEST_CASE("a beam of finite elements bends by P L^3/(3 E I) and has the frequency of a cantilever") {
    const BeamParameters parameters{
        .elements = 10, .length = 2.0, .bending_stiffness = 3.0, .line_mass = 0.5};
    const BeamBetweenStops beam(parameters);
    const Matrix stiffness = beam.potential_hessian({});
    const Vector bent = stiffness.ldlt().solve(Vector::Unit(20, 18));
    CHECK(bent[18] == doctest::Approx(8.0 / (3.0 * 3.0)).epsilon(1e-9));
    Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(stiffness, beam.mass({}));
    const double expected = std::pow(1.875104068711961, 4) * 3.0 / (0.5 * 16.0);
    CHECK(modes.eigenvalues()[0] == doctest::Approx(expected).epsilon(1e-5));
    CHECK(modes.eigenvalues()[19] > 1e5 * expected);  // stiff
}

TEST_CASE("bodies: parameters out of range are refused") {
    CHECK_THROWS_AS(falling_rod(1.0, 0.0, 9.81), std::invalid_argument);
    CHECK_THROWS_AS(rocking_block(0.0, 1.0, 1.0, 9.81), std::invalid_argument);
    CHECK_THROWS_AS(BeadChain({{1.0}}), std::invalid_argument);
    CHECK_THROWS_AS(SphereAssembly({{1.0}, {0.1}, {{Vec3(0, 0, 2), 0.0}}}), std::invalid_argument);
    CHECK_THROWS_AS(BeamBetweenStops({.lower = 1.0, .upper = 0.0}), std::invalid_argument);
}
