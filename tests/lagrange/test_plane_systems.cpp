#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "motions.hpp"
#include "talus/core/random.hpp"
#include "talus/lagrange/event_driven.hpp"
#include "talus/lagrange/systems/bead_in_parabola.hpp"
#include "talus/lagrange/systems/bead_in_wedge.hpp"
#include "talus/lagrange/systems/linkage.hpp"
#include "talus/lagrange/systems/point_in_ellipse.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

TEST_CASE("plane systems: derivatives are those of what they are derived from") {
    Random random(11, 1);
    const auto any = [&](int n) { return Vector(Vector::NullaryExpr(n, [&] { return random.normal(); })); };
    CHECK(check_derivatives(BeadInParabola({2.0, 9.81, 0.7}), {0.0, any(2), any(2)}).worst() < 1e-8);
    CHECK(check_derivatives(BeadInWedge({2.0, 9.81, 0.4}), {0.0, any(2), any(2)}).worst() < 1e-8);
    CHECK(check_derivatives(PointInEllipse({2.0, 1.0, 2.0, 0.5}), {0.0, any(2), any(2)}).worst() < 1e-8);
    const Linkage pendulum = double_pendulum_at_wall({1.0, 0.5, 0.8, 1.3, 9.81, -0.4});
    CHECK(check_derivatives(pendulum, {0.0, any(2), any(2)}).worst() < 1e-7);
    CHECK(check_derivatives(slider_crank(), {0.0, any(3), any(3)}).worst() < 1e-7);
}

TEST_CASE("a bead that slides in a parabola swings with the square root of gravity times curvature") {
    const double gravity = 9.81, curvature = 2.0, width = 1e-3;
    const BeadInParabola bead({3.0, gravity, curvature});
    const double period = 2.0 * std::numbers::pi / std::sqrt(gravity * curvature);
    EventDriven scheme(bead, start({width, 0.5 * curvature * width * width}, {0.0, 0.0}), period / 4.0);
    scheme.step();
    // Corrections are of the order of (curvature width)^2.
    CHECK(std::abs(scheme.state().q[0]) < 1e-5 * width);
    CHECK(scheme.state().v[0] == doctest::Approx(-width * std::sqrt(gravity * curvature)).epsilon(1e-5));
    scheme.step();
    CHECK(scheme.state().q[0] == doctest::Approx(-width).epsilon(1e-5));
    CHECK(scheme.contacts().size() == 1);
}

TEST_CASE("a right-angled wedge sends an elastic bead back where it came from") {
    const BeadInWedge wedge({1.0, 0.0});
    EventDriven scheme(wedge, start({0.4, 2.0}, {-0.3, -1.0}), 5.0, {{1.0}});
    scheme.step();
    CHECK(scheme.impacts().size() == 2);
    CHECK((scheme.state().v - Eigen::Vector2d(0.3, 1.0)).norm() < 1e-12);
}

TEST_CASE("elastic bounces in an ellipse keep the product of the angular momenta about its foci") {
    const double a = 1.5, b = 1.0, focus = std::sqrt(a * a - b * b);
    const PointInEllipse ellipse({1.0, 0.0, a, b});
    const auto product = [&](const State& s) {
        const auto momentum = [&](double x) { return (s.q[0] - x) * s.v[1] - s.q[1] * s.v[0]; };
        return momentum(-focus) * momentum(focus);
    };
    EventDriven scheme(ellipse, start({0.2, 0.1}, {1.0, 0.7}), 0.5, {{1.0}});
    const double before = product(scheme.state());
    run(scheme, 20.0, [&](const State& s, const StepReport&) {
        CHECK(product(s) == doctest::Approx(before).epsilon(1e-8));
        CHECK(s.v.norm() == doctest::Approx(std::hypot(1.0, 0.7)).epsilon(1e-10));
    });
    CHECK(scheme.impacts().size() > 10);
}

TEST_CASE("a double pendulum swings in its modes and keeps its energy at elastic impacts") {
    const double small = 1e-4, rate = std::sqrt((2.0 - std::sqrt(2.0)) * 9.81);  // slow mode of equal rods
    const Linkage free = double_pendulum_at_wall({1, 1, 1, 1, 9.81, -5.0});
    EventDriven swing(free, start({small, std::sqrt(2.0) * small}, {0.0, 0.0}),
                      2.0 * std::numbers::pi / rate);
    swing.step();
    CHECK((swing.state().q - Eigen::Vector2d(small, std::sqrt(2.0) * small)).norm() < 1e-6 * small);

    const Linkage held = double_pendulum_at_wall();
    EventDriven bounce(held, start({0.6, 0.9}, {0.0, 0.0}), 0.1, {{1.0}});
    const double energy = total_energy(held, bounce.state());
    run(bounce, 3.0, [&](const State& s, const StepReport& report) {
        CHECK(total_energy(held, s) == doctest::Approx(energy).epsilon(1e-8));
        CHECK(report.violation < 1e-9);
    });
    CHECK(bounce.impacts().size() > 3);
}

TEST_CASE("the slider of a slider-crank stays within its clearance, which couples rod and crank") {
    const SliderCrankParameters parameters;
    const Linkage mechanism = slider_crank(parameters);
    const State begin = start({0.0, 0.0, 0.0}, {150.0, -75.0, 0.0});
    EventDriven scheme(mechanism, begin, 1e-3, {{0.4}});
    double energy = total_energy(mechanism, begin);
    run(scheme, 0.02, [&](const State& s, const StepReport&) {
        const double height =
            parameters.crank_length * std::sin(s.q[0]) + parameters.rod_length * std::sin(s.q[1]);
        CHECK(std::abs(height) <= parameters.clearance + 1e-9);
        CHECK(total_energy(mechanism, s) <= energy * (1.0 + 1e-9));
        energy = total_energy(mechanism, s);
    });
    CHECK(scheme.impacts().size() > 2);
}

TEST_CASE("plane systems: parameters out of range are refused") {
    CHECK_THROWS_AS(BeadInParabola({1.0, 1.0, -1.0}), std::invalid_argument);
    CHECK_THROWS_AS(BeadInWedge({1.0, 1.0, 1.6}), std::invalid_argument);
    CHECK_THROWS_AS(PointInEllipse({1.0, 0.0, 0.0, 1.0}), std::invalid_argument);
    CHECK_THROWS_AS(double_pendulum_at_wall({1, 1, 1, 1, 9.81, 2.0}), std::invalid_argument);
    CHECK_THROWS_AS(slider_crank({.clearance = 0.0}), std::invalid_argument);
    CHECK_THROWS_AS(Linkage(LinkageParameters{.inertia = Matrix::Identity(2, 2)}), std::invalid_argument);
}
