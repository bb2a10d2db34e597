#include <doctest/doctest.h>

#include "support/builders.hpp"

using namespace talus;
using namespace talus::test;

namespace {

struct Bounce {
    std::vector<double> peaks;  // heights of the bottom above the floor
    double rest_time = -1.0;    // from when on it never moves again, but by rounding
    double lowest = 1e300;
};

Bounce drop(double e, double h, double end, double height = 1.0) {
    System system = empty_system(3, Vec3(0, 0, -9.81));
    system.law.restitution = e;
    const double r = 0.5;
    add_ball(system, Vec3(0, 0, r + height), Vec3::Zero(), r);
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    ContactStepper stepper(tight_options(h, 1e-12));
    Bounce bounce;
    const double still = 1e-11 * r / h;  // a move in one step that is lost in the rounding of its place
    double before = 0.0;
    while (system.time < end) {
        stepper.step(system);
        const double u = system.particles.velocity[0].z(), z = system.particles.position[0].z() - r;
        bounce.lowest = std::min(bounce.lowest, z);
        if (before > still && u <= still) bounce.peaks.push_back(z);
        if (std::abs(u) > still) bounce.rest_time = -1.0;
        if (std::abs(u) <= still && bounce.rest_time < 0.0) bounce.rest_time = system.time;
        before = u;
    }
    return bounce;
}

}  // namespace

TEST_CASE("peaks fall by e squared and the ball comes to rest to rounding when Zeno's bounces end") {
    // Drop height 1 m: peaks e^(2 n), end of all bounces at sqrt(2/g) (1 + e)/(1 - e).
    for (const double e : {0.5, 0.8}) {
        const Bounce bounce = drop(e, 1e-4, 4.5);
        const double end = std::sqrt(2.0 / 9.81) * (1 + e) / (1 - e);
        REQUIRE(bounce.peaks.size() >= 3);
        for (std::size_t n = 0; n < 3; ++n) {
            CHECK(bounce.peaks[n] ==
                  doctest::Approx(std::pow(e, 2.0 * static_cast<double>(n + 1))).epsilon(0.01));
        }
        CHECK(bounce.rest_time == doctest::Approx(end).epsilon(0.02));
        CHECK(bounce.lowest >= -1e-12);
    }
}

TEST_CASE("with e = 1 the peaks have no trend over twenty bounces") {
    const Bounce bounce = drop(1.0, 1e-3, 20.0);
    REQUIRE(bounce.peaks.size() >= 20);
    for (const double peak : bounce.peaks) CHECK(peak == doctest::Approx(1.0).epsilon(0.01));
    CHECK(std::abs(bounce.peaks.back() - bounce.peaks.front()) < 5e-3);
}

TEST_CASE("with e = 0 the ball rests on the floor from the first impact, at any step") {
    for (const double h : {1e-2, 1e-3}) {
        const Bounce bounce = drop(0.0, h, 1.0);
        CHECK(bounce.peaks.empty());
        CHECK(bounce.rest_time == doctest::Approx(std::sqrt(2.0 / 9.81)).epsilon(2 * h / 0.45));
        CHECK(bounce.lowest >= -1e-12);
    }
}

TEST_CASE("the position error of a bouncing ball falls in proportion to the step") {
    // Height at t = 0.8 s of a ball dropped from 1 m with e = 0.8: after one bounce.
    const double g = 9.81, e = 0.8, t0 = std::sqrt(2.0 / g), s = 0.8 - t0;
    const double exact = 0.5 + e * g * t0 * s - 0.5 * g * s * s;
    std::vector<double> errors;
    for (const double h : {4e-3, 1e-3, 2.5e-4}) {
        System system = empty_system(3, Vec3(0, 0, -g));
        system.law.restitution = e;
        add_ball(system, Vec3(0, 0, 1.5), Vec3::Zero(), 0.5);
        add_plane(system, Vec3::Zero(), Vec3::UnitZ());
        ContactStepper stepper(tight_options(h, 1e-12));
        run_until(stepper, system, 0.8);
        errors.push_back(std::abs(system.particles.position[0].z() - exact));
    }
    // A single impact lands up to one step early or late: the error is at most (1 + e) g t0 h + g h t / 2, of
    // order one.
    const double bound = (1 + e) * g * t0 + g * 0.8;
    CHECK(errors[0] < bound * 4e-3);
    CHECK(errors[1] < bound * 1e-3);
    CHECK(errors[2] < bound * 2.5e-4);
}
