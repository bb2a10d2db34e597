#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "physics/ball_on_plane.hpp"
#include "support/builders.hpp"
#include "talus/contact/contact_forces.hpp"
#include "talus/measure/mechanics.hpp"

using namespace talus;
using namespace talus::test;

// Closed forms of a sphere (J = k m r^2, k = 2/5) and a disc (k = 1/2) whose rolling is resisted by the
// moment mu_r r N, from Newton's law; g = 9.81 m/s^2.

namespace {

/// As ball_on_plane, with rolling friction.
System rolling_ball(int dimension, double mu, double mu_r, double slope = 0.0) {
    System system = ball_on_plane(dimension, mu, slope);
    system.law.rolling_friction = mu_r;
    set_radii(system.particles, system.groups, dimension, 0.0);
    return system;
}

/// Sets the ball rolling without slip.
void roll(System& system, const Vec3& velocity) {
    system.particles.velocity[0] = velocity;
    system.particles.angular_velocity[0] = up_of(system.dimension).cross(velocity) / kRadius;
}

/// Of what a column of 200 discs comes to on a floor, width over height.
double flatness(double mu_r) {
    System system = empty_system(2, -kG * Vec3::UnitY());
    add_plane(system, Vec3::Zero(), Vec3::UnitY());
    system.law = {.kind = FrictionLaw::coulomb, .friction = 0.5, .rolling_friction = mu_r};
    add_loose_lattice(system, 8, 25, 1, 0.01, 0.2, 3);
    set_radii(system.particles, system.groups, 2, 0.0);
    StepOptions options;
    options.time_step = 2e-3;
    ContactStepper stepper(options);
    run_until(stepper, system, 1.5);
    std::vector<double> x;
    double top = 0.0;
    for (const Vec3& at : system.particles.position) {
        x.push_back(at.x());
        top = std::max(top, at.y());
    }
    std::sort(x.begin(), x.end());
    // Between the 5th and the 95th of a hundred: single discs roll away.
    return (x[x.size() * 95 / 100] - x[x.size() * 5 / 100]) / top;
}

}  // namespace

TEST_CASE("a ball rests on a slope up to tan = mu_r, beyond it rolls with g (sin - mu_r cos)/(1 + k)") {
    const double mu_r = 0.2, until = 0.1;
    for (const Shape& c : kBothDimensions) {
        for (const double steeper : {0.99, 1.01, 2.0}) {
            CAPTURE(c.dimension);
            CAPTURE(steeper);
            const double slope = std::atan(steeper * mu_r);
            System system = rolling_ball(c.dimension, 0.6, mu_r, slope);
            const Vec3 start = system.particles.position[0];
            run_converged(system, fine(1e-3), until);
            const Vec3 down = std::cos(slope) * Vec3::UnitX() - std::sin(slope) * up_of(c.dimension);
            const double acceleration =
                std::max(0.0, kG * (std::sin(slope) - mu_r * std::cos(slope)) / (1.0 + c.factor));
            const double speed = acceleration * until;
            CHECK((system.particles.velocity[0] - speed * down).norm() < 1e-9 * kG * until);
            CHECK(std::abs(kRadius * system.particles.angular_velocity[0].norm() - speed) <
                  1e-9 * kG * until);
            if (steeper < 1.0) CHECK((system.particles.position[0] - start).norm() < 1e-9 * kRadius);
        }
    }
}

TEST_CASE("where friction is the smaller, a ball slips down the slope without turning") {
    const double slope = std::atan(0.3), mu = 0.1;
    System system = rolling_ball(3, mu, 0.2, slope);
    run_converged(system, fine(1e-3), 0.1);
    const double expected = 0.1 * kG * (std::sin(slope) - mu * std::cos(slope));
    CHECK(system.particles.velocity[0].norm() == doctest::Approx(expected).epsilon(1e-9));
    CHECK(kRadius * system.particles.angular_velocity[0].norm() < 1e-9);
}

TEST_CASE("a ball on a level floor rolls out with mu_r g/(1 + k): 5/7 of mu_r g or 2/3, and stops") {
    const double mu_r = 0.05, v0 = 0.1, h = 1e-3;
    for (const Shape& c : kBothDimensions) {
        CAPTURE(c.dimension);
        System system = rolling_ball(c.dimension, 0.3, mu_r);
        roll(system, v0 * Vec3::UnitX());
        const double brake = mu_r * kG / (1.0 + c.factor);
        const double until = 0.2;
        REQUIRE(v0 - brake * until > 0.0);
        CHECK(run_converged(system, fine(h), until) < 1e-9);
        const Particles& p = system.particles;
        const double expected = v0 - brake * until;
        CHECK(std::abs(p.velocity[0].x() - expected) < 1e-9 * v0);
        CHECK(std::abs(kRadius * p.angular_velocity[0].norm() - expected) < 1e-9 * v0);
        // The torque that is reported, friction and moment together, is what changes the spin.
        ContactStepper stepper(fine(h));
        stepper.step(system);
        std::vector<Vec3> torque;
        contact_torques(stepper.contacts(), h, p, torque);
        CHECK(torque[0].norm() == doctest::Approx(c.factor * kMass * kRadius * brake).epsilon(1e-8));
        run_converged(system, fine(h), 0.3);
        CHECK(p.velocity[0].norm() < 1e-11);
        CHECK(kRadius * p.angular_velocity[0].norm() < 1e-11);
        CHECK(p.position[0].x() == doctest::Approx(v0 * v0 / (2.0 * brake)).epsilon(2.0 * h / until));
    }
}

TEST_CASE("rolling is resisted alike in every direction, and a spin about the normal not at all") {
    double least = 1e300, most = 0.0;
    for (int k = 0; k < 12; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / 12.0 + 0.1;
        System system = rolling_ball(3, 0.3, 0.05);
        roll(system, 0.1 * Vec3(std::cos(angle), std::sin(angle), 0.0));
        system.particles.angular_velocity[0].z() = 3.0;
        run_converged(system, fine(1e-3), 0.4);
        const double distance = system.particles.position[0].head<2>().norm();
        least = std::min(least, distance);
        most = std::max(most, distance);
        CHECK(system.particles.velocity[0].norm() < 1e-11);
        CHECK(std::abs(system.particles.angular_velocity[0].z() - 3.0) < 1e-11);
    }
    CHECK(most - least < 1e-6 * most);
}

TEST_CASE("a drum that turns takes the spin of a disc along by mu_r r N, until both turn alike") {
    const double mu_r = 0.05, turning = 4.0, h = 1e-3;
    System system = empty_system(2, -kG * Vec3::UnitY());
    const double far = std::numeric_limits<double>::infinity();
    Wall& drum =
        add_wall(system, "drum", make_revolved(Vec3::Zero(), Vec3::UnitZ(), {{0.5, -far}, {0.5, far}}));
    drum.motion.angle = Schedule::ramp(0.0, turning);
    system.law = {.kind = FrictionLaw::coulomb, .rolling_friction = mu_r};  // smooth: nothing else turns it
    add_ball(system, Vec3(0, kRadius - 0.5, 0), Vec3::Zero(), kRadius, kMass);
    set_radii(system.particles, system.groups, 2, 0.0);
    const double rate = 2.0 * mu_r * kG / kRadius;  // J = m r^2 / 2
    run_converged(system, fine(h), 0.2);
    CHECK(system.particles.angular_velocity[0].z() == doctest::Approx(0.2 * rate).epsilon(1e-9));
    run_converged(system, fine(h), 0.6);
    CHECK(system.particles.angular_velocity[0].z() == doctest::Approx(turning).epsilon(1e-9));
}

TEST_CASE("two spheres resist rolling on each other by their reduced radius") {
    // On a smooth floor that turns nothing, pressed together by their approach.
    const double r1 = 0.1, r2 = 0.3, m1 = 1.0, m2 = 2.0, approach = 0.5, mu_r = 0.1;
    System system = empty_system(3);
    system.law = {.kind = FrictionLaw::coulomb, .rolling_friction = mu_r};
    add_ball(system, Vec3::Zero(), Vec3(approach, 0, 0), r1, m1);
    add_ball(system, Vec3(r1 + r2, 0, 0), Vec3::Zero(), r2, m2);
    Particles& p = system.particles;
    p.angular_velocity[0] = Vec3(2.0, 20.0, 0.0);
    set_radii(p, system.groups, 3, 0.0);
    const Vec3 turning = angular_momentum(system, Vec3::Zero());
    run_converged(system, fine(1e-3), 1e-3);
    const double impulse = approach / (1.0 / m1 + 1.0 / m2);
    const double moment = mu_r * r1 * r2 / (r1 + r2) * impulse;
    CHECK(p.angular_velocity[0].x() == doctest::Approx(2.0).epsilon(1e-12));
    CHECK(p.angular_velocity[0].y() == doctest::Approx(20.0 - moment / (0.4 * m1 * r1 * r1)).epsilon(1e-9));
    CHECK(p.angular_velocity[1].y() == doctest::Approx(moment / (0.4 * m2 * r2 * r2)).epsilon(1e-9));
    CHECK((angular_momentum(system, Vec3::Zero()) - turning).norm() < 1e-15);
}

TEST_CASE("a bounce resists rolling by mu_r R times its whole impulse, (1 + e) m v") {
    const double e = 0.5, mu_r = 0.1, fall = 2.0, h = 1e-3;
    System system = empty_system(3);
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    system.law = {.kind = FrictionLaw::coulomb, .restitution = e, .rolling_friction = mu_r};
    add_ball(system, Vec3(0, 0, kRadius + 0.5 * h * fall), Vec3(0, 0, -fall), kRadius, kMass);
    system.particles.angular_velocity[0] = Vec3(30.0, 40.0, 0.0);
    set_radii(system.particles, system.groups, 3, 0.0);
    run_converged(system, fine(h), 5.0 * h);
    CHECK(system.particles.velocity[0].z() == doctest::Approx(e * fall).epsilon(1e-9));
    const double expected = 50.0 - mu_r * (1.0 + e) * fall / (0.4 * kRadius);
    CHECK(system.particles.angular_velocity[0].norm() == doctest::Approx(expected).epsilon(1e-9));
}

TEST_CASE("a heap of discs that resist rolling is narrower and higher") {
    const double rolling_freely = flatness(0.0), resisting = flatness(0.4);
    CAPTURE(rolling_freely);
    CAPTURE(resisting);
    CHECK(resisting < 0.8 * rolling_freely);
}

TEST_CASE("a ball that may not turn does not roll: a floor that tilts under it has no moment to give") {
    System system = rolling_ball(3, 0.5, 0.3);
    system.groups[0].rotates = false;
    set_radii(system.particles, system.groups, 3, 0.0);
    system.walls[0].motion.axis = Vec3::UnitX();
    system.walls[0].motion.angle = Schedule::ramp(0.0, 0.5);  // rad/s
    CHECK(run_converged(system, fine(1e-3), 0.05) < 1e-9);
    CHECK(system.particles.angular_velocity[0].norm() == 0.0);
}
