#include "talus/step/orientation.hpp"

#include <doctest/doctest.h>

#include "support/builders.hpp"
#include "talus/core/error.hpp"

using namespace talus;
using namespace talus::test;

namespace {

void add_spinning(System& system, const Vec3& centre, const Vec3& spin,
                  const Quaternion& orientation = Quaternion::Identity()) {
    const ParticleId id = system.particles.size();
    system.particles.add({id, centre, Vec3::Zero(), 0.1, 1.0, 0, false, orientation, spin});
}

double angle_between(const Quaternion& a, const Quaternion& b) {
    return (a.coeffs() - b.coeffs()).norm();
}

}  // namespace

TEST_CASE("a disc that spins at a constant rate has turned by the rate times the time") {
    System system = empty_system(2);
    const double rate = 2.5, start = 0.3, end = 3.0;
    add_spinning(system, Vec3::Zero(), Vec3(0, 0, rate), Quaternion(Eigen::AngleAxisd(start, Vec3::UnitZ())));
    ContactStepper stepper(tight_options(0.01));
    run_until(stepper, system, end);
    const double half = 0.5 * (start + rate * end);
    const Quaternion expected(std::cos(half), 0.0, 0.0, std::sin(half));
    CHECK(angle_between(system.particles.orientation[0], expected) < 1e-12);  // 300 roundings
    CHECK(system.particles.orientation[0].x() == 0.0);
    CHECK(system.particles.orientation[0].y() == 0.0);
    CHECK(system.particles.angular_velocity[0] == Vec3(0, 0, rate));
}

TEST_CASE("a sphere turns about the world's axis of its spin, from any orientation, however long the step") {
    const Vec3 spin(1.0, -2.0, 0.5);
    const Quaternion start = Quaternion(0.5, 0.5, -0.5, 0.5);
    const Vec3 mark(0.2, 0.3, -0.7);  // a point of the body, in its own frame
    for (const double step : {1e-3, 0.1, 2.0}) {
        System system = empty_system();
        add_spinning(system, Vec3::Zero(), spin, start);
        ContactStepper stepper(tight_options(step));
        run_until(stepper, system, 2.0);
        // Rodrigues' formula for the mark's place in the world.
        const Vec3 axis = spin.normalized(), x = start * mark;
        const double angle = spin.norm() * 2.0;
        const Vec3 expected = std::cos(angle) * x + std::sin(angle) * axis.cross(x) +
                              (1.0 - std::cos(angle)) * axis.dot(x) * axis;
        CHECK((system.particles.orientation[0] * mark - expected).norm() < 1e-12);
    }
}

TEST_CASE("a particle without spin keeps the bits of its orientation, beside one that spins") {
    System system = empty_system();
    const Quaternion rounded(0.1234567, std::sqrt(1.0 - 0.1234567 * 0.1234567) * (1.0 + 1e-9), 0.0, 0.0);
    add_spinning(system, Vec3::Zero(), Vec3::Zero(), rounded);
    add_spinning(system, Vec3(1, 0, 0), Vec3(0, 1e-3, 0), rounded);
    ContactStepper stepper(tight_options(0.1));
    stepper.step(system);
    CHECK(system.particles.orientation[0].coeffs() == rounded.coeffs());
    CHECK(system.particles.orientation[1].coeffs() != rounded.coeffs());
}

TEST_CASE("a step that can not be made gives the spins back with the same bits") {
    System system = empty_system();
    system.groups[0].radius_scale = Schedule::ramp(1.0, 1.0);
    add_plane(system, Vec3::Zero(), Vec3::UnitX(), "left");
    add_plane(system, Vec3(0.2, 0, 0), -Vec3::UnitX(), "right");
    Random draw(5, 0);
    add_spinning(system, Vec3(0.1, 0, 0), Vec3(draw.uniform(), draw.uniform(), draw.uniform()));
    for (int k = 1; k < 20; ++k) {
        add_spinning(system, Vec3(0.05, 1.0 * k, 0), Vec3(draw.uniform(), draw.uniform(), draw.uniform()));
    }
    set_radii(system.particles, system.groups, 3, 0.0);
    const Particles before = system.particles;
    ContactStepper stepper(tight_options(0.3));
    CHECK_THROWS_AS(stepper.step(system), StateError);
    CHECK(system.particles.angular_velocity == before.angular_velocity);
    CHECK(system.particles.inverse_inertia == before.inverse_inertia);
}
