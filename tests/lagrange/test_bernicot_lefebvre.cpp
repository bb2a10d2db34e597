#include <doctest/doctest.h>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/bernicot_lefebvre.hpp"
#include "talus/lagrange/systems/ball_in_moving_box.hpp"
#include "talus/lagrange/systems/bouncing_ball.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

TEST_CASE(
    "velocity scheme: a bouncing ball with e = 0.8 is right to order one, with the errors in "
    "docs/theory.md") {
    const BouncingBall ball;
    const double expected[] = {6.7e-2, 4.9e-3, 7.6e-4};
    int k = 0;
    for (const double h : {1e-2, 1e-3, 1e-4}) {
        BernicotLefebvre scheme(ball, start({1.0}, {0.0}), h, {{0.8}});
        const double error =
            worst_error(scheme, 4.0, [](double t) { return bouncing_height(t, 1.0, 0.8, 9.81); });
        CHECK(error == doctest::Approx(expected[k++]).epsilon(0.02));
    }
}

TEST_CASE(
    "velocity scheme: a wall that moves at V sweeps a point at rest along, or throws it at 2 V if elastic") {
    // Box of amplitude a and frequency w: close to t = 0 the walls move at V = a w.
    const double a = 100.0, w = 0.01, h = 1e-3;
    const BallInMovingBox box({1.0, 1000.0, a, w});
    for (const double e : {0.0, 1.0}) {
        BernicotLefebvre scheme(box, start({0.25}, {0.0}), h, {{e}});
        double worst = 0.0;
        run(scheme, 0.5,
            [&](const State&, const StepReport& report) { worst = std::max(worst, report.violation); });
        const double when = std::asin(0.25 / a) / w;
        const double wall = a * w * std::cos(w * (e == 0.0 ? 0.5 : when));
        CHECK(scheme.state().v[0] == doctest::Approx((1.0 + e) * wall).epsilon(1e-4));
        CHECK(worst <= 1e-14);
    }
}

TEST_CASE(
    "velocity scheme: a growing disc pushes a point ahead of it, which is never inside (Proposition 2.1)") {
    const AroundDiscs disc({{{0.0, 0.0}, 0.5, 1.0}}, 0.0);  // reaches the point at t = 0.5
    BernicotLefebvre scheme(disc, {0.0, Eigen::Vector2d(0.6, 0.8), Vector::Zero(2)}, 1e-2);
    run(scheme, 1.5, [&](const State&, const StepReport& report) { CHECK(report.violation < 1e-14); });
    CHECK((scheme.state().v - Eigen::Vector2d(0.6, 0.8)).norm() < 1e-12);
    CHECK(scheme.state().q.norm() == doctest::Approx(2.0).epsilon(1e-12));
}

TEST_CASE("velocity scheme: gaps convex in q are never violated, whatever the step and the restitution") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        CAPTURE(seed);
        Random random(seed, 9);
        std::vector<Disc> discs;
        for (int k = 0; k < 6; ++k) {
            discs.push_back(
                {3.0 * Eigen::Vector2d(random.normal(), random.normal()), 0.3, random.uniform(-0.02, 0.05)});
        }
        const AroundDiscs system(discs, 2.0);
        State from{0.0, Eigen::Vector2d(random.normal(), 6.0), random_matrix(random, 2, 1)};
        BernicotLefebvre scheme(system, from, random.uniform(0.01, 0.2), {{random.uniform()}});
        run(scheme, 6.0, [&](const State&, const StepReport& report) {
            REQUIRE(report.status == Status::converged);
            CHECK(report.violation < 1e-12);
        });
    }
}

TEST_CASE("velocity scheme: kinetic energy never grows between walls at rest, with any coefficients") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Random random(seed, 10);
        const Vector offsets = Vector::NullaryExpr(6, [&] { return random.uniform(0.1, 1.0); });
        const InPolyhedron room(walls_alone(random_matrix(random, 6, 3), offsets));
        Restitution e;
        for (int k = 0; k < 6; ++k) e.push_back(random.uniform());
        BernicotLefebvre scheme(room, {0.0, Vector::Zero(3), random_matrix(random, 3, 1)}, 0.02, {e});
        double before = scheme.state().v.squaredNorm();
        run(scheme, 4.0, [&](const State& s, const StepReport&) {
            CHECK(s.v.squaredNorm() <= before * (1.0 + 1e-14));
            before = s.v.squaredNorm();
        });
    }
}

TEST_CASE("velocity scheme: nor does it grow when walls of unequal coefficients are met at once") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Random random(seed, 15);
        const InPolyhedron corner(walls_alone(random_matrix(random, 3, 3), Vector::Constant(3, 1e-9)));
        const Restitution e = {random.uniform(), random.uniform(), random.uniform()};
        BernicotLefebvre scheme(corner, {0.0, Vector::Zero(3), random_matrix(random, 3, 1)}, 0.1, {e});
        const double before = scheme.state().v.squaredNorm();
        scheme.step();
        CHECK(scheme.state().v.squaredNorm() <= before * (1.0 + 1e-13));
    }
}

TEST_CASE("velocity scheme: with unequal coefficients the bounce is scaled to the energy before it") {
    // A narrow wedge, n1.n2 = -0.9, met with impulses (1, 1): stage 2 would give n1 + 0.3 n2, which is longer
    // than u- = -(n1 + n2); it is scaled, and stage 3 takes out what approaches the second wall.
    const Eigen::Vector2d n1(1.0, 0.0), n2(-0.9, std::sqrt(0.19)), before = -(n1 + n2);
    const Matrix walls = (Matrix(2, 2) << n1.transpose(), n2.transpose()).finished();
    const InPolyhedron wedge(walls_alone(walls, Vector::Zero(2)));
    BernicotLefebvre scheme(wedge, {0.0, Vector::Zero(2), before}, 0.1, {{1.0, 0.3}});
    scheme.step();
    const double theta = before.norm() / (n1 + 0.3 * n2).norm();
    CHECK((scheme.state().v - theta * (n1 + 0.9 * n2)).norm() < 1e-12);
}

TEST_CASE("velocity scheme: a bouncing ball comes to exact rest when Zeno's bounces end") {
    const BouncingBall ball;
    const double e = 0.8, end = std::sqrt(2.0 / 9.81) * (1.0 + e) / (1.0 - e);
    BernicotLefebvre scheme(ball, start({1.0}, {0.0}), 1e-2, {{e}});
    run(scheme, end + 2.0, [&](const State& s, const StepReport&) {
        if (s.t > end + 0.2) CHECK(std::abs(s.v[0]) < 1e-13);
    });
}

TEST_CASE("velocity scheme: three touching balls answer together") {
    // Positions x_k on a line, gaps x_{k+1} - x_k of balls that touch; the first one arrives at speed 1.
    const Matrix walls = (Matrix(2, 3) << -1, 1, 0, 0, -1, 1).finished();
    for (const double e : {0.0, 0.5, 1.0}) {
        const InPolyhedron row(walls_alone(walls, Vector::Zero(2)));
        BernicotLefebvre scheme(row, start({0, 0, 0}, {1, 0, 0}), 1e-2, {{e}});
        const StepReport report = scheme.step();
        const Vector expected = e == 0.0   ? Vector::Constant(3, 1.0 / 3.0)
                                : e == 0.5 ? Vector(Eigen::Vector3d(0, 0.5, 0.5))
                                           : Vector(Eigen::Vector3d(-1, 2, 2) / 3.0);
        CHECK((scheme.state().v - expected).norm() < 1e-14);
        CHECK((row.gap_gradients(0, scheme.state().q).transpose() * report.impulses -
               (expected - Eigen::Vector3d(1, 0, 0)))
                  .norm() < 1e-14);
    }
}

TEST_CASE("velocity scheme: an empty set of velocities is reported") {
    const InPolyhedron empty(walls_alone(Eigen::Vector2d(1.0, -1.0), Eigen::Vector2d(-1.0, 0.0)));
    BernicotLefebvre scheme(empty, start({0.5}, {0.0}), 0.1);
    CHECK(scheme.step().status == Status::infeasible);
    CHECK_THROWS_AS(BernicotLefebvre(empty, start({0.5}, {0.0}), 0.0), std::invalid_argument);
    CHECK_THROWS_AS(BernicotLefebvre(empty, start({0.5, 1.0}, {0.0}), 0.1), std::invalid_argument);
    CHECK_THROWS_AS(BernicotLefebvre(empty, start({0.5}, {0.0}), 0.1, {{0.1, 0.2, 0.3}}),
                    std::invalid_argument);
    CHECK_THROWS_AS(BernicotLefebvre(empty, start({0.5}, {0.0}), 0.1, {{1.5}}), std::invalid_argument);
}
