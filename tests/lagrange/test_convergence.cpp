#include <doctest/doctest.h>

#include <cmath>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/convergence.hpp"
#include "talus/lagrange/systems/bouncing_ball.hpp"
#include "talus/lagrange/systems/oscillator_with_stop.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

TEST_CASE("closed forms are the motions that the event-driven integrator finds") {
    const auto check = [](const MechanicalSystem& system, const State& begin, double e) {
        EventDriven scheme(system, begin, 0.05, {{e}});
        run(scheme, 3.0, [&](const State& s, const StepReport&) {
            const auto exact = system.closed_form(begin, e, s.t);
            REQUIRE(exact.has_value());
            CHECK((exact->q - s.q).norm() < 1e-7);
            CHECK((exact->v - s.v).norm() < 1e-6);
        });
    };
    for (const double e : {0.0, 0.5, 1.0}) {
        check(BouncingBall(), start({0.7}, {1.5}, 0.2), e);
        check(OscillatorWithStop({2.0, 30.0, 1.5, 0.0}), start({0.4}, {0.3}, 0.2), e);
        check(OscillatorWithStop({2.0, 30.0, 0.0, 0.0}), start({0.0}, {0.3}), e);
    }
    CHECK_FALSE(BouncingBall({1.0, 0.0}).closed_form(start({1.0}, {0.0}), 0.0, 1.0));
    CHECK_FALSE(OscillatorWithStop({1, 1, 3, 0}).closed_form(start({1.0}, {0.0}), 0.0, 1.0));
}

TEST_CASE("the fit of errors that are a power of the step gives that power, without error") {
    const auto fit = fit_order({0.1, 0.01, 0.001}, {3.0 * 0.01, 3.0 * 0.0001, 3.0 * 0.000001});
    REQUIRE(fit.has_value());
    CHECK(fit->order == doctest::Approx(2.0).epsilon(1e-12));
    CHECK(fit->standard_error < 1e-6);
    CHECK_FALSE(fit_order({0.1, 0.01}, {0.0, 1.0}));
}

TEST_CASE("a comparison has the errors of a run: below 10 h for every scheme at the bouncing ball") {
    const BouncingBall ball;
    const State begin = start({1.0}, {0.0});
    for (const SchemeName& scheme : kSchemeNames) {
        CAPTURE(scheme.name);
        for (const double h : {4e-3, 1e-3}) {
            const Reference reference = make_reference(ball, begin, 1.0, h, {});
            CHECK(reference.closed_form);
            const Comparison row = compare(scheme.kind, ball, begin, h, {}, reference);
            const auto again = make_scheme(scheme.kind, ball, begin, h, {});
            CHECK(row.position_max == doctest::Approx(worst_error(*again, 1.0, [](double t) {
                                          return bouncing_height(t, 1.0, 0.0, 9.81);
                                      })).epsilon(1e-9));
            CHECK(row.position_max < 10.0 * h);
            CHECK(row.unconverged == 0);
        }
    }
}

TEST_CASE("free oscillations: the velocity scheme is of order one, the midpoint rule and Verlet's of two") {
    const OscillatorWithStop oscillator({1.0, 4.0, 0.0, -5.0});
    const State begin = start({1.0}, {0.0});
    const auto order = [&](SchemeKind kind) {
        const std::vector<double> steps = {8e-3, 4e-3, 2e-3};
        std::vector<double> errors;
        for (const double h : steps) {
            const Reference reference = make_reference(oscillator, begin, 2.0, h, {});
            CHECK_FALSE(reference.closed_form);
            errors.push_back(compare(kind, oscillator, begin, h, {}, reference).position_max);
        }
        return fit_order(steps, errors)->order;
    };
    CHECK(order(SchemeKind::bernicot_lefebvre) == doctest::Approx(1.0).epsilon(0.02));
    CHECK(order(SchemeKind::moreau_jean) == doctest::Approx(2.0).epsilon(0.02));
    CHECK(order(SchemeKind::paoli) == doctest::Approx(2.0).epsilon(0.02));
}

TEST_CASE("a run that diverges is a failure that says when, not an error of the study") {
    ConvexProblem problem = walls_alone(Matrix::Zero(0, 1), Vector::Zero(0));
    problem.hessian = Matrix::Constant(1, 1, 1e8);
    const InPolyhedron stiff(problem);
    const State begin = start({1.0}, {0.0});
    Reference reference;
    reference.states.assign(400, begin);
    const Comparison row = compare(SchemeKind::bernicot_lefebvre, stiff, begin, 0.1, {}, reference);
    CHECK(row.failure.find("not finite") != std::string::npos);
    CHECK(compare(SchemeKind::moreau_jean, stiff, begin, 0.1, {}, reference).failure.empty());
}

TEST_CASE("a scheme that does not apply names the hypothesis that is broken") {
    const BouncingBall ball;
    const PolarParticle polar(0.3);
    const SchemeOptions bouncing{.restitution = {0.5}};
    CHECK(broken_hypothesis(SchemeKind::paoli, ball, bouncing)->find("inelastic") != std::string::npos);
    CHECK(broken_hypothesis(SchemeKind::cabot_paoli, polar, {})->find("mass") != std::string::npos);
    CHECK(broken_hypothesis(SchemeKind::paoli_schatzman, ball, {.restitution = {0.5, 0.2}}));
    CHECK_FALSE(broken_hypothesis(SchemeKind::paoli_schatzman, polar, bouncing));
    CHECK_THROWS_AS(make_scheme(SchemeKind::paoli, ball, start({1.0}, {0.0}), 0.1, bouncing),
                    std::invalid_argument);
}
