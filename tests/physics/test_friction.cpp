#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "physics/ball_on_plane.hpp"
#include "support/builders.hpp"
#include "talus/measure/mechanics.hpp"

using namespace talus;
using namespace talus::test;

// Closed forms of a sphere (J = 2/5 m r^2) and a disc (J = 1/2 m r^2) that slide and roll, from Newton's law
// with Coulomb's friction; g = 9.81 m/s^2.

namespace {

double along(const Vec3& v, const Vec3& direction) {
    return v.dot(direction);
}

}  // namespace

TEST_CASE("on a slope a ball rolls below the limit of friction and slips above it") {
    const double slope = 20.0 * std::numbers::pi / 180.0, h = 1e-4;
    for (const Shape& c : kBothDimensions) {
        for (const double mu : {0.3, 0.05}) {
            CAPTURE(c.dimension);
            CAPTURE(mu);
            System system = ball_on_plane(c.dimension, mu, slope);
            run_converged(system, fine(h), 0.5);
            const Vec3 down = std::cos(slope) * Vec3::UnitX() - std::sin(slope) * up_of(c.dimension);
            const double speed = along(system.particles.velocity[0], down);
            const double spin = kRadius * system.particles.angular_velocity[0].norm();
            const bool rolls = std::tan(slope) <= mu * (1.0 + c.factor) / c.factor;
            const double normal = kG * std::cos(slope), pull = kG * std::sin(slope);
            const double acceleration = rolls ? pull / (1.0 + c.factor) : pull - mu * normal;
            const double turning = rolls ? acceleration : mu * normal / c.factor;
            CHECK(speed == doctest::Approx(0.5 * acceleration).epsilon(1e-9));
            CHECK(spin == doctest::Approx(0.5 * turning).epsilon(1e-9));
        }
    }
}

// The scene that SCoPI's own test has. A perfectly inelastic impact with friction stops the rotation of the
// surfaces against each other where mu v_n suffices; what it leaves of the speed is what rolling from the
// start would, and where it does not suffice what slipping from the start would.
TEST_CASE("a ball that falls onto a slope rolls from its impact on, or slips") {
    for (const Shape& c : kBothDimensions) {
        for (const double mu : {0.1, 0.5, 1.0}) {
            for (const double degrees : {30.0, 45.0, 60.0}) {
                CAPTURE(c.dimension);
                CAPTURE(mu);
                CAPTURE(degrees);
                const double slope = degrees * std::numbers::pi / 180.0, end = 1.0;
                System system = ball_on_plane(c.dimension, mu, slope);
                system.particles.position[0] *= 2.0;  // a radius above the plane
                run_converged(system, fine(0.01), end);
                const Vec3 down = std::cos(slope) * Vec3::UnitX() - std::sin(slope) * up_of(c.dimension);
                const double pull = kG * std::sin(slope), grip = mu * kG * std::cos(slope);
                const bool rolls = std::tan(slope) <= mu * (1.0 + c.factor) / c.factor;
                const double speed = rolls ? pull / (1.0 + c.factor) : pull - grip;
                const double turning = rolls ? speed : grip / c.factor;
                CHECK(along(system.particles.velocity[0], down) ==
                      doctest::Approx(speed * end).epsilon(1e-9));
                CHECK(kRadius * system.particles.angular_velocity[0].norm() ==
                      doctest::Approx(turning * end).epsilon(1e-9));
            }
        }
    }
}

TEST_CASE("a ball pushed over a floor slides, then rolls for ever at (5/7 or 2/3) of its speed") {
    const double mu = 0.2, v0 = 1.0, h = 1e-4;
    for (const Shape& c : kBothDimensions) {
        CAPTURE(c.dimension);
        System system = ball_on_plane(c.dimension, mu);
        system.particles.velocity[0] = v0 * Vec3::UnitX();
        const double rolls_at = v0 / (mu * kG * (1.0 + 1.0 / c.factor));
        const double final_speed = v0 / (1.0 + c.factor);
        run_converged(system, fine(h), 0.5);
        CHECK(system.particles.velocity[0].x() == doctest::Approx(final_speed).epsilon(1e-9));
        CHECK(kRadius * system.particles.angular_velocity[0].norm() ==
              doctest::Approx(final_speed).epsilon(1e-9));
        const double slid = v0 * rolls_at - 0.5 * mu * kG * rolls_at * rolls_at;
        const double expected = slid + final_speed * (0.5 - rolls_at);
        CHECK(system.particles.position[0].x() == doctest::Approx(expected).epsilon(2.0 * h / rolls_at));
    }
}

TEST_CASE(
    "a body that may not turn stops after v^2 / (2 mu g), in any direction alike, without leaving the "
    "floor") {
    const double mu = 0.2, h = 1e-4;
    double least = 1e300, most = 0.0;
    for (int k = 0; k < 12; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / 12.0 + 0.1;
        System system = ball_on_plane(3, mu);
        system.groups[0].rotates = false;
        system.particles.velocity[0] = Vec3(std::cos(angle), std::sin(angle), 0.0);
        run_converged(system, fine(h), 0.6);
        const double distance = system.particles.position[0].head<2>().norm();
        least = std::min(least, distance);
        most = std::max(most, distance);
        CHECK(system.particles.velocity[0].norm() < 1e-12);
        CHECK(std::abs(system.particles.position[0].z() - kRadius) < 1e-9 * kRadius);
    }
    CHECK(most == doctest::Approx(1.0 / (2.0 * mu * kG)).epsilon(2.0 * h / 0.5));
    CHECK(most - least < 1e-6 * most);
}

TEST_CASE("the relaxed law holds a sliding body open by h mu v, the exact law does not") {
    const double mu = 0.3, h = 0.01;
    for (const bool relaxed : {false, true}) {
        System system = ball_on_plane(3, mu);
        system.groups[0].rotates = false;
        if (relaxed) system.law.kind = FrictionLaw::coulomb_relaxed;
        const double lift = relaxed ? h * mu * 2.0 : 0.0;
        system.particles.position[0].z() += lift;
        system.particles.velocity[0] = Vec3(2.0, 0.0, 0.0);
        run_converged(system, fine(h), 0.2);
        const double speed = 2.0 - mu * kG * 0.2;
        CHECK(system.particles.velocity[0].x() == doctest::Approx(speed).epsilon(0.01));
        const double gap = system.particles.position[0].z() - kRadius;
        CHECK(gap == doctest::Approx(relaxed ? h * mu * speed : 0.0).epsilon(0.05));
    }
}

TEST_CASE("a floor that moves drags the ball along until it rolls with it") {
    // A sphere on a belt that starts at speed V: it ends at 2/7 V with no slip.
    System system = ball_on_plane(3, 0.5);
    system.walls[0].motion.displacement = Schedule::ramp(0.0, 0.7);
    run_converged(system, fine(1e-3), 0.5);
    CHECK(system.particles.velocity[0].x() == doctest::Approx(0.7 * 2.0 / 7.0).epsilon(1e-6));
}

TEST_CASE("contacts of an isolated crowd keep momentum and angular momentum, and take energy") {
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::coulomb_relaxed}) {
            System system = empty_system(dimension);
            system.law.kind = law;
            system.law.friction = 0.6;
            add_loose_lattice(system, 5, 5, dimension == 2 ? 1 : 4, 0.05, 0.3, 7);
            Particles& p = system.particles;
            const Vec3 middle = p.position[p.size() / 2];
            for (std::size_t i = 0; i < p.id.size(); ++i) {
                p.velocity[i] = -2.0 * (p.position[i] - middle);
                p.angular_velocity[i] = dimension == 2 ? Vec3(0, 0, 5.0) : Vec3(3.0, -2.0, 1.0 + 0.1 * i);
                if (dimension == 2) p.velocity[i].z() = p.position[i].z() = 0.0;
            }
            set_radii(p, system.groups, dimension, 0.0);
            const Vec3 momentum = linear_momentum(system), turning = angular_momentum(system, middle);
            double energy = kinetic_energy(system);
            StepOptions options;
            options.time_step = 5e-3;
            ContactStepper stepper(options);
            Index touched = 0;
            for (int k = 0; k < 100; ++k) {
                const StepReport report = stepper.step(system);
                touched = std::max(touched, report.active);
                const double now = kinetic_energy(system);
                CHECK(now <= energy * (1.0 + 1e-9));
                energy = now;
            }
            REQUIRE(2 * touched > p.size());
            const double size = p.mass[0] * p.size();
            CHECK((linear_momentum(system) - momentum).norm() < 1e-12 * size);
            CHECK((angular_momentum(system, middle) - turning).norm() < 1e-12 * size);
        }
    }
}

TEST_CASE("an oblique bounce: the tangential impulse is mu (1 + e) times the speed, or sticks") {
    const double e = 0.5, mu = 0.1, vn = 2.0, h = 1e-3;
    for (const double vt : {3.0, 0.3}) {
        System system = empty_system(3);
        add_plane(system, Vec3::Zero(), Vec3::UnitZ());
        system.law = {.kind = FrictionLaw::coulomb, .restitution = e, .friction = mu};
        add_ball(system, Vec3(0, 0, kRadius + 0.5 * h * vn), Vec3(vt, 0, -vn), kRadius, 0.3);
        run_converged(system, fine(h), 5.0 * h);
        const Particles& p = system.particles;
        CHECK(p.velocity[0].z() == doctest::Approx(e * vn).epsilon(1e-9));
        // A sphere sticks when 2/7 vt is less than friction can take.
        const double change = std::min(2.0 / 7.0 * vt, mu * (1.0 + e) * vn);
        CHECK(p.velocity[0].x() == doctest::Approx(vt - change).epsilon(1e-9));
        CHECK(kRadius * p.angular_velocity[0].y() == doctest::Approx(2.5 * change).epsilon(1e-9));
    }
}
