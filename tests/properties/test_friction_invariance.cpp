#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "friction_systems.hpp"

// With friction, the same motion in other units, from another side, in another order.

using namespace talus;
using namespace talus::test;

namespace {

/// Values that halve from sweep to sweep end as denormal numbers, whose bits depend on the units.
std::vector<double> without_underflow(std::vector<double> values) {
    for (double& value : values) {
        if (std::abs(value) < 1e-200) value = 0.0;
    }
    return values;
}

std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i-- > 1;) {
        Random draw(17, i);
        std::swap(order[i], order[static_cast<std::size_t>(draw.uniform(0.0, static_cast<double>(i + 1)))]);
    }
    return order;
}

/// Particle k becomes the one that was order[k].
void reorder(System& system, const std::vector<std::size_t>& order) {
    const Particles p = std::exchange(system.particles, {});
    for (const std::size_t i : order) {
        system.particles.add({.id = system.particles.size(),
                              .position = p.position[i],
                              .velocity = p.velocity[i],
                              .radius = p.radius[i],
                              .mass = p.mass[i],
                              .group = p.group[i],
                              .frozen = p.frozen(static_cast<Index>(i)),
                              .orientation = p.orientation[i],
                              .angular_velocity = p.angular_velocity[i]});
    }
    set_radii(system.particles, system.groups, system.dimension, system.time);
}

/// Largest difference of velocities, of centres and of turning surfaces [m/s].
double difference(const Particles& a, const Particles& reordered, const std::vector<std::size_t>& order) {
    double most = 0.0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t i = order[k];
        const Vec3 spins = a.angular_velocity[i] - reordered.angular_velocity[k];
        most = std::max({most, (a.velocity[i] - reordered.velocity[k]).norm(), a.radius[i] * spins.norm()});
    }
    return most;
}

/// Grains that fall into the box, seen as `view` says. What drifts needs a world in which nothing is frozen
/// and walls are plane: the plane that stands for an edge depends on where the edge goes.
System fallen(int dimension, FrictionLaw law, const View& view, bool drifts, double tolerance, double h,
              double margin = 0.02, double rolling = 0.0) {
    System system = mixer({.dimension = dimension,
                           .law = law,
                           .rolling = rolling,
                           .turning_wall = !drifts,
                           .frozen = !drifts,
                           .view = view});
    StepOptions options = tight_friction(h, tolerance);
    options.margin = margin;
    ContactStepper stepper(options);
    int unsolved = 0;
    for (int n = 0; n < 20; ++n) unsolved += !converged(stepper.step(system));
    CHECK(unsolved == 0);
    CHECK(sliding_count(stepper.contacts()) > 3);
    return system;
}

/// `b` is what `a` looks like from elsewhere. Impacts are of 1 m/s and more; the errors that solves leave
/// grow tenfold or so in the steps after.
void check_same_motion(const System& seen, const System& from, const View& view, double tolerance, double h) {
    const Vec3 drifted = from.time * view.drift;
    const Particles &a = seen.particles, &b = from.particles;
    REQUIRE(a.id.size() == b.id.size());
    double way = 0.0, speed = 0.0, turn = 0.0;
    for (std::size_t i = 0; i < a.id.size(); ++i) {
        way = std::max(way, (view.point(a.position[i]) + drifted - b.position[i]).norm());
        speed = std::max(speed, (view.velocity(a.velocity[i]) - b.velocity[i]).norm());
        const Vec3 spin = view.spin(a.angular_velocity[i]);
        speed = std::max(speed, a.radius[i] * (spin - b.angular_velocity[i]).norm());
        const Vec3 axis = view.turning(a.orientation[i].vec());
        turn = std::max(turn, (axis - b.orientation[i].vec()).norm());
    }
    CHECK(speed < 1e3 * tolerance);
    CHECK(way < 1e3 * tolerance * h);
    CHECK(turn < 1e3 * tolerance * h / (0.7 * kMean));
}

}  // namespace

TEST_CASE("friction: units of length, time and mass change no bit") {
    // Powers of four of lengths and masses and of two of times keep the gravity and every square root exact.
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const double rolling : rolling_frictions(law)) {
                const auto end = [&](const View& view) {
                    System system = mixer({.dimension = dimension,
                                           .law = law,
                                           .restitution = 0.3,
                                           .rolling = rolling,
                                           .view = view});
                    ContactStepper stepper(with_iterations(view.time / 256.0, 60));
                    for (int n = 0; n < 50; ++n) stepper.step(system);
                    REQUIRE(sliding_count(stepper.contacts()) > 10);
                    for (Vec3& x : system.particles.position) x /= view.length;
                    for (Vec3& u : system.particles.velocity) u *= view.time / view.length;
                    for (Vec3& w : system.particles.angular_velocity) w *= view.time;
                    std::vector<double> all = numbers(system);
                    const double momentum = view.mass * view.length / view.time;
                    for (const Contact& c : stepper.contacts()) {
                        const Vec3 impulse = (c.impulse * c.normal + c.tangential) / momentum;
                        const Vec3 moment = c.moment / (momentum * view.length);
                        all.insert(all.end(), impulse.begin(), impulse.end());
                        all.insert(all.end(), moment.begin(), moment.end());
                    }
                    return without_underflow(all);
                };
                const std::vector<double> usual = end({});
                for (const auto& [k, m] : {std::pair{3, -4}, {-5, 6}}) {
                    CAPTURE(dimension);
                    CAPTURE(static_cast<int>(law));
                    CAPTURE(k);
                    CHECK(same_bits(usual, end({std::pow(4.0, k), std::pow(2.0, k), std::pow(4.0, m)})));
                }
            }
        }
    }
}

// Without restitution, here and where bodies change their order: a bounce gives back a part of the normal
// impulses, which friction leaves undetermined, so that with both the motion is not unique.

TEST_CASE("friction: a system that is turned or mirrored moves the same way, spins as pseudovectors") {
    const double h = 1.0 / 256.0, tolerance = 1e-10;
    std::vector<View> views(3);
    views[0].axes << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    views[1].axes(0, 0) = -1.0;
    views[2].axes << 0, 0, 1, 0, 1, 0, -1, 0, 0;  // out of the plane
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const double rolling : rolling_frictions(law)) {
                CAPTURE(dimension);
                CAPTURE(static_cast<int>(law));
                CAPTURE(rolling);
                const System usual = fallen(dimension, law, {}, false, tolerance, h, 0.02, rolling);
                for (const View& view : std::span(views).first(dimension == 2 ? 2 : 3)) {
                    CAPTURE(&view - views.data());
                    check_same_motion(usual, fallen(dimension, law, view, false, tolerance, h, 0.02, rolling),
                                      view, tolerance, h);
                }
            }
        }
    }
}

TEST_CASE("Coulomb's law: a system that drifts as a whole, walls included, moves the same way") {
    const double h = 1.0 / 256.0, tolerance = 1e-10;
    const View drifting{.drift = Vec3(0.5, -0.25, 0.0)};
    for (const int dimension : {2, 3}) {
        for (const double rolling : rolling_frictions(FrictionLaw::coulomb)) {
            CAPTURE(dimension);
            CAPTURE(rolling);
            const auto fall = [&](const View& view) {
                return fallen(dimension, FrictionLaw::coulomb, view, true, tolerance, h, 0.02, rolling);
            };
            check_same_motion(fall({}), fall(drifting), drifting, tolerance, h);
        }
    }
}

// The relaxed law acts across a gap up to h mu |w_T|, further than bodies move: those that spin, or any with
// mu above 1.

TEST_CASE("the relaxed law: how far around contacts are looked for does not change the motion") {
    for (const double margin : {0.02, 0.5}) {
        const double h = 1e-3, mu = 0.5, radius = 0.1, gap = 0.05 * radius,
                     spin = 4.0 * gap / (h * mu * radius);
        System system = empty_system(3);
        add_plane(system, Vec3::Zero(), Vec3::UnitZ());
        system.law = {.kind = FrictionLaw::coulomb_relaxed, .friction = mu};
        add_ball(system, Vec3(0, 0, radius + gap), Vec3::Zero(), radius);
        system.particles.angular_velocity[0] = spin * Vec3::UnitX();
        set_radii(system.particles, system.groups, 3, 0.0);
        StepOptions options = tight_friction(h, 1e-10);
        options.margin = margin;
        ContactStepper stepper(options);
        stepper.step(system);
        const Particles& p = system.particles;
        const double slip = (p.velocity[0] - radius * p.angular_velocity[0].cross(Vec3::UnitZ())).y();
        CAPTURE(margin);
        CHECK(gap / h + p.velocity[0].z() >= mu * std::abs(slip) * (1.0 - 1e-8));
    }
}

TEST_CASE("Coulomb's law without friction anywhere is the inelastic law, bit for bit") {
    for (const int dimension : {2, 3}) {
        for (const double restitution : {0.0, 0.5}) {
            std::vector<std::vector<double>> ends;
            for (const FrictionLaw law :
                 {FrictionLaw::inelastic, FrictionLaw::coulomb, FrictionLaw::coulomb_relaxed}) {
                System system = mixer({.dimension = dimension, .law = law, .restitution = restitution});
                if (law != FrictionLaw::inelastic) {  // which does not ask for coefficients
                    system.law.friction = 0.0;
                    system.law.surface_friction.clear();
                    for (auto& [names, pair] : system.law.pairs) pair.friction = 0.0;
                }
                const std::vector<Vec3> spins = system.particles.angular_velocity;
                ContactStepper stepper(with_iterations(4e-3, 3));
                for (int n = 0; n < 40; ++n) stepper.step(system);
                CHECK(system.particles.angular_velocity == spins);
                ends.push_back(numbers(system));
            }
            CHECK(same_bits(ends[0], ends[1]));
            CHECK(same_bits(ends[0], ends[2]));
        }
    }
}

TEST_CASE("friction: the order of the bodies changes one step by no more than the tolerance of the solver") {
    const double h = 4e-3, tolerance = 1e-10;
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            CAPTURE(dimension);
            CAPTURE(static_cast<int>(law));
            System system = mixer({.dimension = dimension, .law = law});
            const std::vector<std::size_t> order = shuffled(system.particles.id.size());
            ContactStepper past(with_iterations(h, 200));
            int compared = 0;
            double worst = 0.0;
            for (int n = 0; n < 40; ++n) {
                if (n % 5 == 4) {
                    System one = system, other = system;
                    reorder(other, order);
                    ContactStepper first(tight_friction(h, tolerance)), second(tight_friction(h, tolerance));
                    if (converged(first.step(one)) && converged(second.step(other))) {
                        ++compared;
                        worst = std::max(worst, difference(one.particles, other.particles, order));
                    }
                }
                past.step(system);
            }
            CHECK(compared > 3);
            CHECK(worst < 1e3 * tolerance);  // of impacts of 1 m/s and more
        }
    }
}
