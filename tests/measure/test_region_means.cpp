#include "talus/measure/region_means.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "support/builders.hpp"
#include "support/keep_threads.hpp"
#include "talus/core/parallel.hpp"
#include "talus/measure/mechanics.hpp"
#include "talus/measure/walls.hpp"

using namespace talus;
using namespace talus::test;

namespace region_mean_tests {

namespace {

constexpr double kG = 9.81, kStep = 1e-3, kPi = std::numbers::pi;

Vec3 up_of(int dimension) {
    return dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
}

Region box(const Vec3& low, const Vec3& high) {
    Region region;
    region.low = low;
    region.high = high;
    return region;
}

/// Much larger than anything here.
Region everything() {
    return box(Vec3::Constant(-50.0), Vec3::Constant(50.0));
}

/// Balls that fall into an open box with some friction, among them a frozen one at the floor.
System crowd(int dimension) {
    System system = empty_system(dimension, -kG * up_of(dimension) + Vec3(2, 0, 0));
    add_open_box(system, 0.4, 0.4);
    add_loose_lattice(system, 4, 4, dimension == 2 ? 1 : 4, 0.03, 0.2, 5);
    add_ball(system, Vec3(0.36, 0.04, dimension == 2 ? 0.0 : 0.04), Vec3::Zero(), 0.03, 1.0, true);
    system.law.kind = FrictionLaw::coulomb;
    system.law.friction = 0.4;
    return system;
}

Mat3 stress_of(const System& system, const ContactStepper& stepper, const Region& region) {
    return contact_stress(system, stepper.contacts(), region, stepper.options().time_step);
}

}  // namespace

TEST_CASE("a ball on a face of the region counts half, and frozen balls count nothing") {
    System system = empty_system();
    add_ball(system, Vec3(0, 0.5, 0.5), Vec3::Zero(), 0.25);
    add_ball(system, Vec3(0.5, 0.5, 0.5), Vec3::Zero(), 0.2, 1.0, true);
    const Region region = box(Vec3::Zero(), Vec3(2.0, 1.0, 1.0));
    const double ball = 4.0 / 3.0 * kPi * std::pow(0.25, 3);
    CHECK(solid_fraction(system, region) == doctest::Approx(0.5 * ball / 2.0).epsilon(1e-15));
}

TEST_CASE("a cubic lattice fills pi/6 of a region that is as wide as some of its cells, wherever that lies") {
    for (const int dimension : {2, 3}) {
        System system = empty_system(dimension);
        for (int a = 0; a < 7; ++a) {
            for (int b = 0; b < 7; ++b) {
                for (int c = 0; c < (dimension == 2 ? 1 : 7); ++c) {
                    add_ball(system, Vec3(a, b, c), Vec3::Zero(), 0.5);
                }
            }
        }
        const double expected = dimension == 2 ? kPi / 4.0 : kPi / 6.0;
        for (const Vec3& low : {Vec3(0.5, 0.5, 0.5), Vec3(1, 1, 1), Vec3(0.7, 1.13, 1.9)}) {
            CAPTURE(low.transpose());
            const Region region = box(low, low + Vec3(3, 4, 2));
            CHECK(solid_fraction(system, region) == doctest::Approx(expected).epsilon(1e-10));
        }
    }
}

TEST_CASE("in a slice of a stack of balls the stress is the force that holds what is above, over the area") {
    const std::vector<double> mass = {1.0, 2.0, 3.0, 4.0, 5.0};
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        const Vec3 up = up_of(dimension);
        const int vertical = dimension - 1;
        System system = empty_system(dimension, -kG * up);
        add_plane(system, Vec3::Zero(), up, "floor");
        for (int k = 0; k < 5; ++k) {
            add_ball(system, (0.2 * k + 0.1) * up, Vec3::Zero(), 0.1, mass[static_cast<std::size_t>(k)]);
        }
        ContactStepper stepper(tight_options(kStep));
        stepper.step(system);
        const double width = 0.5, area = std::pow(width, dimension - 1);
        const auto slice = [&](double low, double high) {
            Vec3 from = Vec3::Constant(-0.5 * width), to = Vec3::Constant(0.5 * width);
            from[vertical] = low;
            to[vertical] = high;
            return stress_of(system, stepper, box(from, to));
        };
        const double above_second = kG * (3.0 + 4.0 + 5.0), above_third = kG * (4.0 + 5.0);
        const double all = kG * std::accumulate(mass.begin(), mass.end(), 0.0);
        CHECK(slice(0.35, 0.45)(vertical, vertical) == doctest::Approx(above_second / area).epsilon(1e-8));
        // The third ball's weight is added where its centre is, at 0.5.
        CHECK(slice(0.4, 0.7)(vertical, vertical) ==
              doctest::Approx((0.1 * above_second + 0.2 * above_third) / 0.3 / area).epsilon(1e-8));
        CHECK(slice(0.0, 0.1)(vertical, vertical) == doctest::Approx(all / area).epsilon(1e-8));
        const Mat3 stress = slice(0.0, 1.0);
        CHECK((stress - stress(vertical, vertical) * up * up.transpose()).norm() < 1e-8 * stress.norm());
        CHECK(slice(0.95, 1.5).norm() == 0.0);
    }
}

TEST_CASE("V sigma balances forces on walls, gravity and inertia in every step") {
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        System system = crowd(dimension);
        Particles& p = system.particles;
        StepOptions options{.time_step = kStep};
        // Enough for none to be left with a tangential impulse and no normal one.
        options.solver.friction_iterations = 1000;
        ContactStepper stepper(options);
        double worst = 0.0, largest = 0.0;
        for (int k = 0; k < 200; ++k) {
            const std::vector<Vec3> before = p.velocity;
            stepper.step(system);
            // sum F l^T = sum over walls of F x_c^T + sum over balls of (force of contacts) x^T
            Mat3 sum = Mat3::Zero();
            for (const Contact& c : stepper.contacts()) {
                const Vec3 force = (c.impulse * c.normal + c.tangential) / kStep;
                const bool first = !p.frozen(c.i), second = c.j >= 0 && !p.frozen(c.j);
                if (c.impulse <= 0.0 || first == second) continue;
                const double half_gap = c.j >= 0 ? 0.5 * c.gap : 0.0;
                if (first) {
                    const Vec3 at = p.position[c.i] + (p.radius[c.i] + half_gap) * c.normal;
                    sum += force * at.transpose();
                } else if (second) {
                    sum -= force * (p.position[c.j] - (p.radius[c.j] + half_gap) * c.normal).transpose();
                }
            }
            for (Index i = 0; i < p.size(); ++i) {
                if (p.frozen(i)) continue;
                const Vec3 acceleration = (p.velocity[i] - before[i]) / kStep - gravity_now(system);
                sum += p.mass[i] * acceleration * p.position[i].transpose();
            }
            const Region all = everything();
            const Mat3 moment = all.volume(dimension) * stress_of(system, stepper, all);
            worst = std::max(worst, (moment - 0.5 * (sum + sum.transpose())).norm());
            largest = std::max(largest, moment.norm());
        }
        CHECK(largest > 0.0);
        CHECK(worst < 1e-9 * largest);  // rounding of differences of velocities over the step
    }
}

TEST_CASE(
    "in a box of balls at rest without friction, stress across it is the force on its sides over them") {
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        System system = empty_system(dimension, -kG * up_of(dimension));
        add_open_box(system, 0.3, 0.3);
        add_loose_lattice(system, 4, 4, dimension == 2 ? 1 : 4, 0.03, 0.2, 5);
        ContactStepper stepper(tight_options(kStep, 1e-8));
        run_until(stepper, system, 2.0);
        const double height = 1.0, depth = dimension == 2 ? 1.0 : 0.3;
        const Mat3 stress =
            stress_of(system, stepper,
                      box(Vec3::Zero(), dimension == 2 ? Vec3(0.3, height, 0) : Vec3(0.3, 0.3, height)));
        const std::vector<Vec3> walls = wall_forces(system, stepper.contacts(), kStep);
        const double weight =
            kG * std::accumulate(system.particles.mass.begin(), system.particles.mass.end(), 0.0);
        const double across = stress(0, 0) * height * depth;
        CHECK(across > 0.1 * weight);
        CHECK(std::abs(across - walls[1].x()) < 1e-4 * weight);  // it still creeps a little
        CHECK(std::abs(across + walls[0].x()) < 1e-4 * weight);
    }
}

TEST_CASE("stress is a tensor: a quarter turn or a mirror of the scene turns or mirrors it") {
    System system = crowd(3);
    ContactStepper stepper(StepOptions{.time_step = kStep});
    for (int k = 0; k < 120; ++k) stepper.step(system);
    const Region region = box(Vec3(0.05, 0.02, 0.01), Vec3(0.3, 0.35, 0.25));
    const Mat3 stress = stress_of(system, stepper, region);
    REQUIRE(stress.norm() > 0.0);
    Mat3 turn, mirror;
    turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    mirror << 1, 0, 0, 0, 1, 0, 0, 0, -1;
    for (const Mat3& map : {turn, mirror, Mat3(turn * mirror)}) {
        System other = system;
        for (Vec3& x : other.particles.position) x = map * x;
        ContactList contacts = stepper.contacts();
        for (Contact& c : contacts) {
            c.normal = map * c.normal;
            c.tangential = map * c.tangential;
        }
        const Vec3 a = map * region.low, b = map * region.high;
        const Mat3 mapped = contact_stress(other, contacts, box(a.cwiseMin(b), a.cwiseMax(b)), kStep);
        CHECK((mapped - map * stress * map.transpose()).norm() < 1e-12 * stress.norm());
    }
}

TEST_CASE("the parts of a region have together its solid volume and its moment of stress") {
    for (const int dimension : {2, 3}) {
        System system = crowd(dimension);
        ContactStepper stepper(StepOptions{.time_step = kStep});
        for (int k = 0; k < 120; ++k) stepper.step(system);
        const Vec3 low(0.02, 0.01, 0.03), high(0.37, 0.3, 0.33), cut(0.2, 0.14, 0.1);
        double solid = 0.0;
        Mat3 moment = Mat3::Zero();
        for (int part = 0; part < (dimension == 2 ? 4 : 8); ++part) {
            Vec3 from = low, to = high;
            for (int k = 0; k < dimension; ++k) ((part >> k) % 2 == 0 ? to : from)[k] = cut[k];
            const Region region = box(from, to);
            solid += region.volume(dimension) * solid_fraction(system, region);
            moment += region.volume(dimension) * stress_of(system, stepper, region);
        }
        const Region whole = box(low, high);
        const double volume = whole.volume(dimension);
        CHECK(solid == doctest::Approx(volume * solid_fraction(system, whole)).epsilon(1e-9));
        CHECK((moment - volume * stress_of(system, stepper, whole)).norm() < 1e-12 * moment.norm());
        CHECK(moment.norm() > 0.0);
    }
}

TEST_CASE("velocity is weighted by mass, and temperature is what is left of it, over the dimension") {
    const Region region = box(Vec3::Zero(), Vec3::Ones());
    for (const int dimension : {2, 3}) {
        System system = empty_system(dimension);
        const auto add = [&](double x, const Vec3& velocity, double mass, bool frozen) {
            add_ball(system, Vec3(x, 0.5, dimension == 2 ? 0.0 : 0.5), velocity, 0.1, mass, frozen);
        };
        CHECK_FALSE(region_motion(system, region));
        add(0.25, Vec3(4, 0, 0), 1.0, false);
        add(0.5, Vec3(0, 4, 0), 3.0, false);
        add(0.75, Vec3::Zero(), 7.0, true);
        add(1.25, Vec3(9, 9, 0), 7.0, false);
        const std::optional<RegionMotion> motion = region_motion(system, region);
        REQUIRE(motion);
        CHECK(motion->velocity == Vec3(1, 3, 0));
        // (1 |(3, -3)|^2 + 3 |(-1, 1)|^2) / 4
        CHECK(motion->temperature == doctest::Approx((18.0 + 3.0 * 2.0) / 4.0 / dimension).epsilon(1e-15));
    }
}

TEST_CASE("a count is averaged over the mobile balls with their centre in the region") {
    System system = empty_system();
    for (const double x : {0.1, 0.2, 0.3, 0.4, 5.0}) {
        add_ball(system, Vec3(x, 0.5, 0.5), Vec3::Zero(), 0.05, 1.0, x == 0.4);
    }
    const Region region = box(Vec3::Zero(), Vec3::Ones());
    CHECK(mean_count(system, region, {0, 4, 5, 100, 100}) == 3.0);
    CHECK(mean_count(system, region, {0, 4, 5, 100, 100}, true) == 4.5);
    CHECK_FALSE(mean_count(system, region, {0, 0, 0, 1, 1}, true));
    CHECK_FALSE(mean_count(system, box(Vec3::Constant(7), Vec3::Constant(8)), {1, 1, 1, 1, 1}));
}

TEST_CASE("what is measured in a region has the same bits for any number of threads") {
    System system = empty_system(3, Vec3(0, 0, -kG));
    add_open_box(system, 0.8, 0.8);
    add_loose_lattice(system, 11, 11, 20, 0.03, 0.1, 5);
    for (Vec3& velocity : system.particles.velocity) velocity = Vec3(0, 0, -1);
    ContactStepper stepper(StepOptions{.time_step = kStep});
    for (int k = 0; k < 10; ++k) stepper.step(system);
    const Region region = box(Vec3(0.05, 0.02, 0.0), Vec3(0.6, 0.55, 0.5));
    const auto measure = [&] {
        const Mat3 stress = stress_of(system, stepper, region);
        std::vector<double> values(stress.data(), stress.data() + 9);
        values.push_back(solid_fraction(system, region));
        values.push_back(region_motion(system, region)->temperature);
        return values;
    };
    const KeepThreads keep;
    set_small_loop(1);
    set_thread_count(1);
    const std::vector<double> one = measure();
    set_thread_count(3);
    const std::vector<double> three = measure();
    CHECK(one[8] > 0.0);
    CHECK(one == three);
}

}  // namespace region_mean_tests
