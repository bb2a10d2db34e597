#include <doctest/doctest.h>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/event_driven.hpp"
#include "talus/lagrange/systems/ball_in_moving_box.hpp"
#include "talus/lagrange/systems/bouncing_ball.hpp"
#include "talus/lagrange/systems/oscillator_with_stop.hpp"
#include "talus/lagrange/systems/pendulum_at_wall.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

namespace {

constexpr double kPi = 3.14159265358979323846;

EventDrivenOptions with_restitution(double e) {
    EventDrivenOptions options;
    options.restitution = {e};
    return options;
}

void run_to(Scheme& scheme, double t_end) {
    run(scheme, t_end, [](const State&, const StepReport&) {});
}

}  // namespace

TEST_CASE("event-driven: a bouncing ball is exact through all its bounces, which end when they accumulate") {
    const BouncingBall ball;
    for (const double e : {0.0, 0.5, 0.8}) {
        EventDriven scheme(ball, start({1.0}, {0.0}), 0.01, with_restitution(e));
        const double error =
            worst_error(scheme, 5.0, [e](double t) { return bouncing_height(t, 1.0, e, 9.81); });
        CHECK(error < 1e-11);
        CHECK(scheme.contacts() == std::vector<int>{0});
        const double end = std::sqrt(2.0 / 9.81) * (1.0 + e) / (1.0 - e);
        CHECK(std::abs(scheme.impacts().back().t - end) < 1.1e-7);  // accumulation_time
        CHECK(scheme.impacts().back().closed == std::vector<int>{0});
    }
}

TEST_CASE("event-driven: impacts of a damped oscillator are those of Cabot and Paoli, Proposition 4.5") {
    for (const double gamma : {0.1, 0.5, 1.5}) {
        for (const double k : {1.0, 4.0}) {
            for (const double r : {0.0, 0.3, 1.0}) {
                const double omega = 0.5 * std::sqrt(4.0 * k - gamma * gamma);
                const OscillatorWithStop oscillator({1.0, k, gamma, 0.0});
                EventDriven scheme(oscillator, start({1.0}, {0.5}), 0.1, with_restitution(r));
                run_to(scheme, 5.5 * kPi / omega);
                const std::vector<Impact>& impacts = scheme.impacts();
                if (r == 0.0) {
                    REQUIRE(impacts.size() == 1);
                    CHECK(impacts[0].t <= kPi / omega);
                    CHECK(std::abs(scheme.state().q[0]) < 1e-12);
                    continue;
                }
                REQUIRE(impacts.size() >= 5);
                for (std::size_t n = 1; n < 5; ++n) {
                    const double count = static_cast<double>(n);
                    // Speeds fall by up to 1e9 here; positions are right to about 1e-11.
                    const double late = impacts[n].t - impacts[0].t - count * kPi / omega;
                    CHECK(std::abs(late) < 1e-9 + 2e-11 / impacts[n].after[0]);
                    const double ratio = std::pow(r * std::exp(-0.5 * kPi * gamma / omega), count);
                    CHECK(impacts[n].after[0] == doctest::Approx(ratio * impacts[0].after[0]).epsilon(1e-8));
                }
            }
        }
    }
}

// f = 1/2 (x + 1)^2 on x >= 0: the minimum on K is not that of f, |grad g . grad f| = 1 at the limit x = 0.
TEST_CASE("event-driven: Theorem 4.3 (i), (ii): impacts accumulate, flights in the ratio r") {
    for (const double r : {0.0, 0.4, 0.7}) {
        ConvexProblem problem = walls_alone(Matrix::Identity(1, 1), Vector::Zero(1));
        problem.hessian = Matrix::Identity(1, 1);
        problem.slope = Vector::Ones(1);
        problem.gamma = 0.8;
        const InPolyhedron system(problem);
        EventDrivenOptions options = with_restitution(r);
        EventDriven scheme(system, start({1.0}, {0.0}), 0.1, options);
        run_to(scheme, 12.0);
        const std::vector<Impact>& impacts = scheme.impacts();
        CHECK(scheme.contacts() == std::vector<int>{0});
        CHECK(scheme.state().q[0] == 0.0);
        if (r == 0.0) {
            CHECK(impacts.size() == 1);
            continue;
        }
        REQUIRE(impacts.size() > 10);
        const std::size_t n = impacts.size() / 2;  // flights are still longer than their rounding
        const double ratio = (impacts[n + 2].t - impacts[n + 1].t) / (impacts[n + 1].t - impacts[n].t);
        CHECK(ratio == doctest::Approx(r).epsilon(0.01));
    }
}

TEST_CASE("event-driven: Theorem 4.3 (iii): elastic impacts t_n ~ (3/gamma) ln n, rebounds ~ 3/(2 gamma n)") {
    ConvexProblem problem = walls_alone(Matrix::Identity(1, 1), Vector::Zero(1));
    problem.hessian = Matrix::Identity(1, 1);
    problem.slope = Vector::Ones(1);
    problem.gamma = 0.8;
    const InPolyhedron system(problem);
    EventDriven scheme(system, start({1.0}, {0.0}), 0.5, with_restitution(1.0));
    while (scheme.impacts().size() < 1602) scheme.step();
    const std::vector<Impact>& impacts = scheme.impacts();
    const std::size_t n = 800;
    CHECK(n * (impacts[n + 1].t - impacts[n].t) == doctest::Approx(3.0 / 0.8).epsilon(0.02));
    CHECK(0.8 * (impacts[2 * n].t - impacts[n].t) / std::log(2.0) == doctest::Approx(3.0).epsilon(0.02));
    CHECK(n * impacts[n].after[0] == doctest::Approx(1.5 / 0.8).epsilon(0.02));
}

TEST_CASE("event-driven: a point slides down a disc and leaves it at two thirds of the height") {
    // Released at rest at the angle a from the top: leaves where the cosine is 2/3 cos(a).
    const double g = 9.81, a = 0.3;
    const AroundDiscs disc({{{0.0, 0.0}, 1.0, 0.0}}, g);
    EventDriven scheme(disc, {0.0, Eigen::Vector2d(std::sin(a), std::cos(a)), Vector::Zero(2)}, 1e-3);
    CHECK(scheme.contacts() == std::vector<int>{0});
    double energy_error = 0.0;
    while (!scheme.contacts().empty()) {
        scheme.step();
        const State& s = scheme.state();
        energy_error = std::max(energy_error, std::abs(0.5 * s.v.squaredNorm() + g * (s.q[1] - std::cos(a))));
    }
    CHECK(energy_error < 1e-9);
    const double speed = scheme.state().v.norm();  // up to one step of output after the release
    const double at_release = std::sqrt(g * 2.0 / 3.0 * std::cos(a));
    CHECK(speed >= at_release - 1e-9);
    CHECK(speed <= at_release + g * 1e-3);
    // Free flight keeps the velocity along x, which dates from the release to rounding.
    CHECK(scheme.state().v[0] == doctest::Approx(at_release * 2.0 / 3.0 * std::cos(a)).epsilon(1e-9));
}

TEST_CASE("event-driven: a wall pushes a point while it speeds up and lets it go at its greatest speed") {
    const double a = 0.1, w = 2.0;
    const BallInMovingBox box({1.0, 5.0, a, w});
    EventDriven scheme(box, start({-a}, {0.0}, -0.5 * kPi / w), 0.01);
    run_to(scheme, 1.0);
    CHECK(scheme.contacts().empty());
    CHECK(scheme.state().v[0] == doctest::Approx(a * w).epsilon(1e-9));
    CHECK(scheme.state().q[0] == doctest::Approx(a * w * scheme.state().t).epsilon(1e-7));
}

TEST_CASE("event-driven: three touching balls answer together, with the law of Moreau") {
    const Matrix walls = (Matrix(2, 3) << -1, 1, 0, 0, -1, 1).finished();
    for (const double e : {0.0, 0.5, 1.0}) {
        const InPolyhedron row(walls_alone(walls, Vector::Zero(2)));
        EventDriven scheme(row, start({-0.5, 0, 0}, {1, 0, 0}), 0.1, with_restitution(e));
        run_to(scheme, 1.0);
        REQUIRE(scheme.impacts().size() == 1);
        const Vector expected = e == 0.0   ? Vector::Constant(3, 1.0 / 3.0)
                                : e == 0.5 ? Vector(Eigen::Vector3d(0, 0.5, 0.5))
                                           : Vector(Eigen::Vector3d(-1, 2, 2) / 3.0);
        CHECK(scheme.impacts()[0].t == doctest::Approx(0.5).epsilon(1e-13));
        CHECK((scheme.state().v - expected).norm() < 1e-12);
    }
}

TEST_CASE(
    "event-driven: a pendulum hits the wall with the speed of its fall, and energy is kept if elastic") {
    const PendulumAtWall pendulum({1.0, 2.0, 9.81, 0.0});
    EventDriven scheme(pendulum, start({1.0}, {0.0}), 0.05, with_restitution(1.0));
    run_to(scheme, 10.0);
    REQUIRE(scheme.impacts().size() > 4);
    const double speed = std::sqrt(2.0 * 9.81 / 2.0 * (1.0 - std::cos(1.0)));
    for (const Impact& impact : scheme.impacts()) {
        CHECK(impact.before[0] == doctest::Approx(-speed).epsilon(1e-9));
        CHECK(impact.after[0] == doctest::Approx(speed).epsilon(1e-9));
        CHECK(impact.impulses[0] ==
              doctest::Approx(2.0 * 4.0 * speed / 2.0).epsilon(1e-9));  // 2 M v / grad g
    }
}

TEST_CASE("event-driven: energy falls by the work of damping at least, on random convex problems (2.4)") {
    std::size_t impacts_of_all = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        Random random(seed, 14);
        const double gamma = random.uniform(0.1, 1.0), h = 2e-3;
        const InPolyhedron system(random_problem(seed, gamma));
        const auto n = system.coordinate_count();
        const double r = seed % 3 == 0 ? 0.0 : random.uniform();
        EventDriven scheme(system, {0.0, Vector::Zero(n), 2.0 * random_matrix(random, n, 1)}, h,
                           with_restitution(r));
        double energy = total_energy(system, scheme.state()), power = gamma * scheme.state().v.squaredNorm();
        std::size_t impacts = 0;
        run(scheme, 4.0, [&](const State& s, const StepReport& report) {
            CHECK(report.violation < 1e-10);
            const double now = total_energy(system, s), power_now = gamma * s.v.squaredNorm();
            if (scheme.impacts().size() == impacts) {
                // Trapezoidal rule: wrong by h^3/12 times the second derivative of the power.
                CHECK(now - energy <= -0.5 * h * (power + power_now) + 1e3 * h * h * h);
            } else {
                CHECK(now <= energy + 1e-10);
            }
            impacts = scheme.impacts().size();
            energy = now;
            power = power_now;
        });
        impacts_of_all += impacts;
    }
    CHECK(impacts_of_all > 30);
}

TEST_CASE("event-driven: a start inside a constraint is refused") {
    const BouncingBall ball;
    CHECK_THROWS_AS(EventDriven(ball, start({-0.1}, {0.0}), 0.1), std::invalid_argument);
    EventDrivenOptions options;
    options.max_step = 0.0;
    CHECK_THROWS_AS(EventDriven(ball, start({0.1}, {0.0}), 0.1, options), std::invalid_argument);
}
