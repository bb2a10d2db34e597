#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "friction_systems.hpp"
#include "support/keep_threads.hpp"
#include "support/overlap.hpp"
#include "talus/contact/contact_point.hpp"
#include "talus/measure/mechanics.hpp"

// What friction promises at every step, converged or not: no overlap, the same bits, momentum, energy.

using namespace talus;
using namespace talus::test;

namespace {

void accelerate(System& system, const Vec3& change) {
    for (Index i = 0; i < system.particles.size(); ++i) {
        if (!system.particles.frozen(i)) system.particles.velocity[i] += change;
    }
}

/// A system whose velocities and spins are the differences.
System change_between(const System& before, const System& after) {
    System change = after;
    Particles& p = change.particles;
    for (std::size_t i = 0; i < p.id.size(); ++i) {
        p.velocity[i] -= before.particles.velocity[i];
        p.angular_velocity[i] -= before.particles.angular_velocity[i];
    }
    return change;
}

/// Twelve equal bodies that touch their neighbours, with masses of 1 to 100 and restitutions of 0 to 1.
System touching_cluster(int dimension, FrictionLaw law, std::uint64_t seed) {
    System system = empty_system(dimension);
    system.groups = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    Random draw(23, seed);
    system.law = {.kind = law, .friction = draw.uniform(0.0, 1.0)};
    for (const char* one : {"a", "b", "c"}) {
        for (const char* other : {"a", "b", "c"}) {
            if (std::string(one) > other) continue;
            system.law.pairs[{one, other}] = {.restitution = draw.uniform(0.0, 1.0) < 0.5 ? 1.0 : 0.0};
        }
    }
    const double row = std::sqrt(0.75);
    for (int k = 0; k < 12; ++k) {
        const int a = k % 3, b = k / 3 % 2, c = k / 6;
        const Vec3 x = dimension == 2 ? Vec3(a + 0.5 * ((2 * c + b) % 2), row * (2 * c + b), 0)
                                      : Vec3(a + 0.5 * b, row * b, c);
        Vec3 u = random_in_cube(draw, 1.0), omega = random_in_cube(draw, 10.0);
        if (dimension == 2) u.z() = omega.x() = omega.y() = 0.0;
        if (seed % 2 == 0) omega.setZero();
        system.particles.add({.id = k,
                              .position = (1.0 + 1e-12) * x,
                              .velocity = u,
                              .radius = 0.5,
                              .mass = std::pow(100.0, draw.uniform(0.0, 1.0)),
                              .group = k % 3 == 0 ? 0 : static_cast<std::int32_t>(draw.uniform(0.0, 3.0)),
                              .angular_velocity = omega});
    }
    set_radii(system.particles, system.groups, dimension, 0.0);
    return system;
}

/// Friction and rolling resistance within what the normal impulses allow. All surfaces are alike.
void check_bounds(const ContactLaw& law, const ContactList& contacts) {
    for (const Contact& c : contacts) {
        const double loose = 1.0 + 1e-9, rounding = 1e-11;
        CHECK(c.tangential.norm() <= law.friction * c.impulse * loose + rounding);
        CHECK(c.moment.norm() <= law.rolling_friction * 0.25 * c.impulse * loose + rounding);  // R = r/2
    }
}

/// Largest change of a body's momentum that the impulses of its contacts do not make [kg m/s], and of its
/// angular momentum [kg m^2/s]. Without forces and walls.
double unexplained_by_contacts(const System& before, const System& after, const ContactList& contacts) {
    const Particles& p = after.particles;
    std::vector<Vec3> momentum(p.id.size()), turning(p.id.size());
    for (std::size_t i = 0; i < p.id.size(); ++i) {
        momentum[i] = p.mass[i] * (p.velocity[i] - before.particles.velocity[i]);
        const Vec3 spin = p.angular_velocity[i] - before.particles.angular_velocity[i];
        turning[i] = p.inverse_inertia[i] > 0.0 ? Vec3(spin / p.inverse_inertia[i]) : Vec3(Vec3::Zero());
    }
    for (const Contact& c : contacts) {
        const Vec3 impulse = c.impulse * c.normal + c.tangential;
        momentum[c.j] -= impulse;
        momentum[c.i] += impulse;
        const ContactArms arms = contact_arms(c, p);
        turning[c.j] += arms.j * c.normal.cross(impulse) - c.moment;
        turning[c.i] += arms.i * c.normal.cross(impulse) + c.moment;
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < p.id.size(); ++i) {
        worst = std::max({worst, momentum[i].norm(), turning[i].norm()});
    }
    return worst;
}

}  // namespace

TEST_CASE("friction: nothing overlaps beyond the tolerance, however few sweeps the solver may take") {
    struct Case {
        System (*build)(const Setup&);
        double h, restitution;
        int steps;
    };
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const Case& c : {Case{mixer, 2e-3, 0.0, 80}, Case{mixer, 1e-2, 0.6, 25},
                                  Case{vessel, 4e-3, 0.0, 50}, Case{vessel, 4e-3, 0.6, 50}}) {
                CAPTURE(dimension);
                CAPTURE(static_cast<int>(law));
                CAPTURE(c.h);
                CAPTURE(c.restitution);
                System system = c.build({.dimension = dimension, .law = law, .restitution = c.restitution});
                const StepOptions options = with_iterations(c.h, 3);
                ContactStepper stepper(options);
                int given_up = 0;
                double worst = -1.0;
                for (int n = 0; n < c.steps; ++n) {
                    const StepReport report = stepper.step(system);
                    CHECK_FALSE(report.unsettled);
                    given_up += !converged(report);
                    const Particles& p = system.particles;
                    worst = std::max(worst, worst_overlap(p.position, p.radius, system.walls, system.time));
                }
                CHECK(worst <= options.solver.overlap_tolerance);
                CHECK(3 * given_up > c.steps);  // or nothing was tried
            }
        }
    }
}

TEST_CASE("friction: 1, 2, 3 and 8 threads give the same bits, converged or not") {
    const KeepThreads keep;
    set_small_loop(1);  // or systems this small would stay on one thread
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const auto& [iterations, rolling] :
                 {std::pair{3, 0.0}, {40, rolling_frictions(law).back()}}) {
                CAPTURE(dimension);
                CAPTURE(static_cast<int>(law));
                CAPTURE(iterations);
                std::vector<double> first;
                for (const int threads : {1, 2, 3, 8}) {
                    set_thread_count(threads);
                    System system =
                        mixer({.dimension = dimension, .law = law, .restitution = 0.3, .rolling = rolling});
                    ContactStepper stepper(with_iterations(8e-3, iterations));
                    for (int n = 0; n < 14; ++n) stepper.step(system);
                    REQUIRE(sliding_count(stepper.contacts()) > 0);
                    if (first.empty()) first = numbers(system);
                    CHECK(same_bits(first, numbers(system)));
                }
            }
        }
    }
}

TEST_CASE("friction: an isolated crowd keeps momentum and angular momentum to rounding, converged or not") {
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const double restitution : {0.0, 0.7}) {
                for (const double rolling : rolling_frictions(law)) {
                    CAPTURE(dimension);
                    CAPTURE(static_cast<int>(law));
                    CAPTURE(restitution);
                    CAPTURE(rolling);
                    System system = crowd(
                        {.dimension = dimension, .law = law, .restitution = restitution, .rolling = rolling});
                    const Particles& p = system.particles;
                    const Vec3 about = p.position[p.id.size() / 2];
                    const Vec3 momentum = linear_momentum(system), turning = angular_momentum(system, about);
                    double size = 0.0, moment = 0.0;
                    for (std::size_t i = 0; i < p.id.size(); ++i) {
                        size += p.mass[i] * p.velocity[i].norm();
                        moment += p.mass[i] * p.velocity[i].norm() * (p.position[i] - about).norm() +
                                  p.angular_velocity[i].norm() / p.inverse_inertia[i];
                    }
                    ContactStepper stepper(with_iterations(4e-3, 3));
                    int given_up = 0;
                    for (int n = 0; n < 40; ++n) given_up += !converged(stepper.step(system));
                    CHECK(given_up > 5);
                    CHECK((linear_momentum(system) - momentum).norm() < 1e-13 * size);
                    CHECK((angular_momentum(system, about) - turning).norm() < 1e-13 * moment);
                }
            }
        }
    }
}

// |u|^2 - |v|^2 = 2 p.w - |u - v|^2 in the norm of masses and moments of inertia, and p.w <= -p_N D/h.

TEST_CASE("friction without restitution: contacts take all the energy that theory says, where walls rest") {
    const double h = 4e-3;
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const bool box : {false, true}) {
                for (const double rolling : rolling_frictions(law)) {
                    CAPTURE(dimension);
                    CAPTURE(static_cast<int>(law));
                    CAPTURE(box);
                    CAPTURE(rolling);
                    const Setup setup{
                        .dimension = dimension, .law = law, .rolling = rolling, .turning_wall = false};
                    System system = box ? mixer(setup) : crowd(setup);
                    ContactStepper stepper(tight_friction(h, 1e-8));
                    int tried = 0, steps = 30;
                    double taken = 0.0;
                    for (int n = 0; n < steps; ++n) {
                        System free = system;
                        if (box) accelerate(free, -h * kGravity * up(dimension));
                        if (!converged(stepper.step(system))) continue;
                        ++tried;
                        const double before = kinetic_energy(free), after = kinetic_energy(system);
                        double lost = kinetic_energy(change_between(free, system));
                        for (const Contact& c : stepper.contacts()) lost += c.impulse * c.gap / h;
                        CHECK(after <= before * (1.0 + 1e-9));
                        CHECK(after + lost <= before * (1.0 + 1e-7));
                        taken += 1.0 - after / before;
                    }
                    CHECK(2 * tried > steps);
                    CHECK(taken > 0.2);
                }
            }
        }
    }
}

// Clusters of discs or balls that touch, light and heavy: where Newton's rule alone would gain energy.

TEST_CASE("friction: an impact gains no kinetic energy and keeps its bounds, whatever the restitutions") {
    for (const FrictionLaw law : kLaws) {
        for (const double rolling : rolling_frictions(law)) {
            int tried = 0, bounced = 0;
            for (const int dimension : {2, 3}) {
                for (std::uint64_t seed = 0; seed < 100; ++seed) {
                    CAPTURE(static_cast<int>(law));
                    CAPTURE(rolling);
                    CAPTURE(dimension);
                    CAPTURE(seed);
                    System system = touching_cluster(dimension, law, seed);
                    system.law.rolling_friction = 10.0 * rolling;
                    ContactStepper stepper(tight_friction(1e-3, 1e-9));
                    for (int n = 0; n < 3; ++n) {
                        const System start = system;
                        const double before = kinetic_energy(system);
                        if (!converged(stepper.step(system))) break;
                        ++tried;
                        const double after = kinetic_energy(system);
                        CHECK(after <= before * (1.0 + 1e-7));
                        bounced += n == 0 && after > 0.5 * before;
                        check_bounds(system.law, stepper.contacts());
                        CHECK(unexplained_by_contacts(start, system, stepper.contacts()) < 1e-9);
                    }
                }
            }
            CHECK(tried > 400);
            CHECK(bounced > 30);
        }
    }
}

// With one theta for all, four of these balls bounce lower.

TEST_CASE("a bounce far from impacts that would gain energy is the same as alone") {
    int tried = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        System system = touching_cluster(3, FrictionLaw::coulomb, seed);
        ContactStepper alone(tight_friction(1e-3, 1e-9));
        System without = system;
        if (!converged(alone.step(without))) continue;
        add_plane(system, Vec3(0, 0, -100), Vec3::UnitZ(), "floor");
        system.law.pairs[{"a", "floor"}] = {.restitution = 0.8};
        const Index far = system.particles.size();
        system.particles.add({.id = far,
                              .position = Vec3(1000, 0, -99.499),
                              .velocity = Vec3(0, 0, -2),
                              .radius = 0.5,
                              .mass = 1.0,
                              .group = 0});
        set_radii(system.particles, system.groups, 3, 0.0);
        ContactStepper stepper(tight_friction(1e-3, 1e-9));
        if (!converged(stepper.step(system))) continue;
        CHECK(system.particles.velocity[far].z() == doctest::Approx(1.6).epsilon(1e-9));
        for (Index i = 0; i < far; ++i) {
            CHECK((system.particles.velocity[i] - without.particles.velocity[i]).norm() < 1e-6);
        }
        ++tried;
    }
    CHECK(tried > 20);
}

TEST_CASE("impacts that would gain energy have the same bits on any number of threads") {
    const KeepThreads keep;
    set_small_loop(1);
    System start = touching_cluster(3, FrictionLaw::coulomb, 0);
    for (std::uint64_t seed = 1; seed < 100; ++seed) {
        const System one = touching_cluster(3, FrictionLaw::coulomb, seed);
        for (Index i = 0; i < one.particles.size(); ++i) {
            start.particles.add(
                {.id = start.particles.size(),
                 .position = one.particles.position[i] + Vec3(10.0 * static_cast<double>(seed), 0, 0),
                 .velocity = one.particles.velocity[i],
                 .radius = 0.5,
                 .mass = one.particles.mass[i],
                 .group = one.particles.group[i],
                 .angular_velocity = one.particles.angular_velocity[i]});
        }
    }
    set_radii(start.particles, start.groups, 3, 0.0);
    std::vector<double> expected;
    for (const int threads : {1, 2, 3, 8}) {
        CAPTURE(threads);
        set_thread_count(threads);
        System system = start;
        ContactStepper stepper(with_iterations(1e-3, 100));
        for (int n = 0; n < 3; ++n) stepper.step(system);
        if (expected.empty()) expected = numbers(system);
        CHECK(same_bits(numbers(system), expected));
    }
}

TEST_CASE("a ball bounces off a belt as high as off a floor, and takes up speed along it") {
    const double belt = 10.0, e = 0.8;
    for (const double mu : {0.1, 0.3, 0.6, 2.0}) {  // it sticks at 2.0
        for (const double tilt : {0.0, 0.3, 1.1}) {
            CAPTURE(mu);
            CAPTURE(tilt);
            System system = empty_system();
            system.law = {.kind = FrictionLaw::coulomb, .restitution = e, .friction = mu};
            const Vec3 n(-std::sin(tilt), 0, std::cos(tilt)), t(std::cos(tilt), 0, std::sin(tilt));
            add_ball(system, 0.1001 * n, -n, 0.1);
            Wall& wall = add_plane(system, Vec3::Zero(), n, "belt");
            wall.motion.direction = t;
            wall.motion.displacement = Schedule::ramp(0.0, belt);
            ContactStepper stepper(tight_friction(1e-3, 1e-10));
            CHECK(converged(stepper.step(system)));
            const Vec3 u = system.particles.velocity[0];
            CHECK(u.dot(n) == doctest::Approx(e).epsilon(1e-8));
            CHECK(u.dot(t) == doctest::Approx(std::min((1.0 + e) * mu, 2.0 / 7.0 * belt)).epsilon(1e-8));
        }
    }
}
