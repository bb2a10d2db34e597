#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "projection/friction_problems.hpp"
#include "talus/core/random.hpp"

// One contact with friction: closed forms.

using namespace talus;
using namespace talus::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTight = 1e-10;

}  // namespace

TEST_CASE("a body that touches a floor sticks and rolls at once where Coulomb's bound allows it") {
    const double fall = 0.3;
    const double friction = 0.4;
    for (const double factor : {3.5, 3.0, 1.0}) {
        // The impulse that stops the contact is m v / factor, of at most mu m fall.
        const double v = 0.9 * friction * fall * factor;
        const FrictionSystem system = on_floor(factor, {v, 0, -fall}, friction);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, kTight));
        CAPTURE(factor);
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.velocity[0].x() == doctest::Approx(v * (1.0 - 1.0 / factor)).epsilon(1e-9));
        CHECK(std::abs(answer.velocity[0].z()) < 1e-9);
        CHECK(contact_velocity(system, 0, answer.velocity, answer.spin).norm() < 1e-9);
        // Rolls forward: the spin is along +y for a motion along +x.
        CHECK(answer.spin[0].y() == doctest::Approx(factor > 1.0 ? answer.velocity[0].x() / 0.5 : 0.0));
        CHECK(answer.impulse[0].x() == doctest::Approx(2.0 * v / factor).epsilon(1e-9));  // on the wall
        CHECK(answer.impulse[0].z() == doctest::Approx(-2.0 * fall).epsilon(1e-9));
        CHECK(answer.sliding[0] == 0);
    }
}

TEST_CASE("a faster one slides under mu times the normal impulse, and does not leave the floor") {
    const double fall = 0.3;
    const double friction = 0.4;
    for (const double factor : {3.5, 3.0, 1.0}) {
        const double v = 1.1 * friction * fall * factor;
        const FrictionSystem system = on_floor(factor, {0, v, -fall}, friction);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, kTight));
        CAPTURE(factor);
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.velocity[0].y() == doctest::Approx(v - friction * fall).epsilon(1e-9));
        CHECK(std::abs(answer.velocity[0].z()) < 1e-9);
        // J omega = r mu m fall with J = m r^2 / (factor - 1)
        CHECK(answer.spin[0].x() == doctest::Approx(-(factor - 1.0) * friction * fall / 0.5).epsilon(1e-9));
        CHECK(answer.impulse[0].y() == doctest::Approx(friction * 2.0 * fall).epsilon(1e-9));
        CHECK(answer.sliding[0] == 1);
    }
}

TEST_CASE("friction opposes sliding in every direction alike") {
    const double fall = 0.1;
    for (int k = 0; k < 12; ++k) {
        const double angle = 0.1 + k * std::numbers::pi / 6.0;
        const Vec3 along(std::cos(angle), std::sin(angle), 0.0);
        const FrictionAnswer answer = solve(on_floor(3.5, along - Vec3(0, 0, fall), 0.5),
                                            friction_options(FrictionKind::coulomb, kTight));
        CHECK((answer.velocity[0] - (1.0 - 0.5 * fall) * along).norm() < 1e-14);
    }
}

TEST_CASE("the relaxation lifts what starts to slide by mu v / (1 + mu^2), Coulomb's law does not") {
    for (const double friction : {0.2, 0.5, 1.5}) {
        const FrictionSystem system = on_floor(1.0, {1, 0, 0}, friction);
        const FrictionAnswer relaxed = solve(system, friction_options(FrictionKind::coulomb_relaxed, kTight));
        CHECK(relaxed.report.status == Status::converged);
        CHECK(relaxed.velocity[0].z() ==
              doctest::Approx(friction / (1.0 + friction * friction)).epsilon(1e-9));
        CHECK(relaxed.velocity[0].x() == doctest::Approx(1.0 / (1.0 + friction * friction)).epsilon(1e-9));
        const FrictionAnswer exact = solve(system, friction_options(FrictionKind::coulomb, kTight));
        CHECK(exact.velocity[0] == Vec3(1, 0, 0));
    }
}

TEST_CASE("the relaxation slides on steadily at the height h mu |w_T| with Coulomb's impulse") {
    const double kick = 0.01;  // g h
    for (const double friction : {0.2, 0.8}) {
        FrictionSystem system = on_floor(1.0, {1, 0, -kick}, friction);
        const double after = 1.0 - friction * kick;
        system.rate[0] = friction * after;
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb_relaxed, kTight));
        CHECK(answer.velocity[0].x() == doctest::Approx(after).epsilon(1e-10));
        CHECK(std::abs(answer.velocity[0].z()) < 1e-10);
        CHECK(answer.impulse[0].x() == doctest::Approx(friction * 2.0 * kick).epsilon(1e-8));
        CHECK(answer.sliding[0] == 1);
    }
}

TEST_CASE("a wall that moves along itself drags the sphere on it") {
    const double fall = 0.1;
    const double friction = 0.5;
    for (const double speed : {0.1, 5.0}) {
        FrictionSystem system = on_floor(3.5, {0, 0, -fall}, friction);
        system.drift[0] = {speed, 0, 7.0};  // the normal part belongs to the rate and is not used
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, kTight));
        const double gained = std::min(speed / 3.5, friction * fall);
        CHECK(answer.velocity[0].x() == doctest::Approx(gained).epsilon(1e-9));
        CHECK(answer.spin[0].y() == doctest::Approx(-2.5 * gained / 0.5).epsilon(1e-9));
        CHECK(answer.sliding[0] == (speed > 1.0 ? 1 : 0));
    }
}

TEST_CASE("a wall, and a frozen body on either side of the row, act alike") {
    const Vec3 v(0.7, -0.2, -0.3);
    for (const FrictionKind kind : kBothLaws) {
        const FrictionSystem wall = on_floor(3.5, v, 0.3);
        const FrictionAnswer expected = solve(wall, friction_options(kind, kTight));
        for (const bool sphere_first : {true, false}) {
            FrictionSystem system;
            system.add_body({0, 0, -0.5}, kInfinity, 1.0, Vec3::Zero(), Vec3::Zero());
            system.add_body({0, 0, 0.5}, 2.0, 0.2, v);
            system.add_pair(sphere_first ? 1 : 0, sphere_first ? 0 : 1, 0.5, 0.5, 0.3);
            const FrictionAnswer answer = solve(system, friction_options(kind, kTight));
            CHECK((answer.velocity[1] - expected.velocity[0]).norm() < 1e-12);
            CHECK((answer.spin[1] - expected.spin[0]).norm() < 1e-12);
            const double sign = sphere_first ? 1.0 : -1.0;
            CHECK((sign * answer.impulse[0] - expected.impulse[0]).norm() < 1e-12);
            CHECK(answer.velocity[0] == Vec3(0, 0, 0));
            CHECK(answer.spin[0] == Vec3(0, 0, 0));
        }
    }
}

TEST_CASE("two spheres that graze each other exchange the impulse of their common mass") {
    // Equal spheres, normal approach a, tangential speed v: m/2 a is the normal impulse; sticking needs
    // m/2 v / 3.5.
    const double approach = 0.4;
    for (const double v : {0.3, 3.0}) {
        FrictionSystem system;
        system.add_body({0, 0, 0}, 1.0, 0.1, {approach, v, 0});
        system.add_body({1, 0, 0}, 1.0, 0.1);
        system.add_pair(0, 1, 0.5, 0.5, 0.5);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, kTight));
        const double tangential = std::min(0.5 * v / 3.5, 0.5 * 0.5 * approach);
        CHECK(answer.impulse[0].x() == doctest::Approx(0.5 * approach).epsilon(1e-9));
        CHECK(answer.impulse[0].y() == doctest::Approx(tangential).epsilon(1e-9));
        CHECK(answer.velocity[1].y() == doctest::Approx(tangential).epsilon(1e-9));
        CHECK(answer.spin[0].z() == doctest::Approx(-0.5 * tangential / 0.1).epsilon(1e-9));
        CHECK(answer.spin[1].z() == doctest::Approx(-0.5 * tangential / 0.1).epsilon(1e-9));
    }
}

TEST_CASE("the cone projection of one contact is the nearest point of the cone") {
    // One body, rate and velocity at random: p solves min 1/2 |p|^2_(1/m) + p . b over the cone, so the slope
    // lies in the dual cone and is orthogonal to p.
    Random random(3, 0);
    for (int trial = 0; trial < 300; ++trial) {
        const double friction = trial % 10 == 0 ? 0.0 : random.uniform(0.0, 2.0);
        const Vec3 v(random.normal(), random.normal(), random.normal());
        FrictionSystem system = on_floor(trial % 2 == 0 ? 3.5 : 1.0, v, friction);
        system.rate[0] = random.normal();
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb_relaxed, 1e-13));
        const Vec3 w = contact_velocity(system, 0, answer.velocity, answer.spin);
        const double open = system.rate[0] - w.z();
        const double slip = std::hypot(w.x(), w.y());
        const double p_n = -answer.impulse[0].z();
        CHECK(answer.report.iterations <= 2);
        CHECK(p_n >= 0.0);
        CHECK(std::hypot(answer.impulse[0].x(), answer.impulse[0].y()) <= friction * p_n + 1e-14);
        CHECK(open >= friction * slip - 1e-12);
        CHECK(std::abs(p_n * open + answer.impulse[0].x() * w.x() + answer.impulse[0].y() * w.y()) <= 1e-12);
    }
}

TEST_CASE("rows that hold already get no impulse, whatever they slide, and motions keep their bits") {
    FrictionSystem system = on_floor(3.5, {3, 0, 0.1}, 0.5);
    const FrictionAnswer answer =
        solve(system, friction_options(FrictionKind::coulomb, kTight), {Vec3(1, 2, -3)});
    CHECK(answer.impulse[0] == Vec3(0, 0, 0));
    CHECK(answer.report.iterations == 0);
    CHECK(answer.report.residual == 0.0);
    CHECK(answer.velocity[0] == system.velocity[0]);
    CHECK(answer.sliding[0] == 0);
}

TEST_CASE("a smooth body that leaves a wall without slipping is not held back") {
    for (const FrictionKind kind : kBothLaws) {
        FrictionSystem system;
        for (const double speed : {-1.0, 1.0}) {  // the first moves into the floor, the second away from it
            const Index body = system.add_body(Vec3(4.0 * speed, 0, 1), 1.0, 0.4, Vec3(0, 0, speed));
            system.add_wall(body, Vec3(0, 0, -1), 0.0, 1.0, 0.0);
        }
        const FrictionAnswer answer = solve(system, friction_options(kind, kTight));
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.report.residual <= 1e-12);
        CHECK(answer.velocity[0].norm() <= 1e-12);
        CHECK(answer.impulse[1] == Vec3(0, 0, 0));
        CHECK(answer.velocity[1] == Vec3(0, 0, 1));
    }
}
