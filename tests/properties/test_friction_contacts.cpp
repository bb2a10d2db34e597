#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "friction_systems.hpp"
#include "talus/contact/contact_forces.hpp"
#include "talus/measure/mechanics.hpp"

// Each contact, body and plane scene does what the law of friction says.

using namespace talus;
using namespace talus::test;

namespace {

double surface_friction(const System& system, const std::string& name) {
    const auto own = system.law.surface_friction.find(name);
    return own == system.law.surface_friction.end() ? system.law.friction : own->second;
}

/// Of the pair that touches, from the law's text: what the pair says, or the geometric mean.
double friction_of(const System& system, const Contact& c) {
    const auto group = [&](Index i) { return system.groups[system.particles.group[i]].name; };
    std::pair<std::string, std::string> names = {group(c.i),
                                                 c.j < 0 ? system.walls[c.wall].name : group(c.j)};
    if (names.second < names.first) std::swap(names.first, names.second);
    const auto pair = system.law.pairs.find(names);
    if (pair != system.law.pairs.end() && pair->second.friction) return *pair->second.friction;
    return std::sqrt(surface_friction(system, names.first) * surface_friction(system, names.second));
}

/// What happens at a contact with the velocities after the step.
struct Meeting {
    double opening;    ///< D/h + w_N [m/s]
    Vec3 slip;         ///< w_T [m/s]
    double mass;       ///< that a normal impulse sees [kg]
    double slip_mass;  ///< that a tangential impulse sees [kg]
};

Meeting meeting(const System& system, const Contact& c, double h, const Vec3& surface) {
    const Particles& p = system.particles;
    const auto arm = [&](Index i) { return p.radius[i] + (c.j < 0 ? 0.0 : 0.5 * c.gap); };
    Vec3 w = surface - p.velocity[c.i] - arm(c.i) * p.angular_velocity[c.i].cross(c.normal);
    double normal = p.inverse_mass[c.i], across = normal + arm(c.i) * arm(c.i) * p.inverse_inertia[c.i];
    if (c.j >= 0) {
        w += p.velocity[c.j] - arm(c.j) * p.angular_velocity[c.j].cross(c.normal);
        normal += p.inverse_mass[c.j];
        across += p.inverse_mass[c.j] + arm(c.j) * arm(c.j) * p.inverse_inertia[c.j];
    }
    const double along = c.normal.dot(w);
    return {c.gap / h + along, w - along * c.normal, 1.0 / normal, 1.0 / across};
}

}  // namespace

TEST_CASE("friction: where a step converges, no contact resists more than the law allows, sliding or not") {
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const double restitution : {0.0, 0.6}) {
                CAPTURE(dimension);
                CAPTURE(static_cast<int>(law));
                CAPTURE(restitution);
                System system = mixer({.dimension = dimension, .law = law, .restitution = restitution});
                // One restitution, well below 1: then no bounce is cut down to keep the energy (theta < 1),
                // after friction has answered the whole of it.
                for (auto& [names, pair] : system.law.pairs) pair.restitution.reset();
                ContactStepper stepper(tight_friction(4e-3, 1e-6));
                Index pushing = 0, sliding = 0;
                double pull = 0.0, excess = -1.0, tilt = 0.0;  // over the largest impulse [-]
                for (int n = 0; n < 40; ++n) {
                    if (!converged(stepper.step(system))) continue;
                    double largest = 0.0;
                    for (const Contact& c : stepper.contacts()) largest = std::max(largest, c.impulse);
                    if (largest == 0.0) continue;
                    for (const Contact& c : stepper.contacts()) {
                        const double most = friction_of(system, c) * c.impulse;
                        pull = std::max(pull, -c.impulse / largest);
                        excess = std::max(excess, (c.tangential.norm() - most) / largest);
                        tilt = std::max(tilt, std::abs(c.tangential.dot(c.normal)) / largest);
                        pushing += c.impulse > 0.0;
                        sliding += c.sliding;
                    }
                }
                CHECK(pull < 1e-14);
                CHECK(excess < 1e-13);
                CHECK(tilt < 1e-14);
                CHECK(pushing > 1000);
                CHECK(sliding > 100);
            }
        }
    }
}

TEST_CASE("Coulomb's law: contacts that push are closed, that stick do not slip, that slide are opposed") {
    const double h = 4e-3;
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        System system = mixer({.dimension = dimension, .turning_wall = false});
        const std::int32_t belt = dimension == 2 ? 2 : 4;  // the plane under the grains
        const double belt_speed = 0.25;
        system.walls[belt].motion.displacement = Schedule::ramp(0.0, belt_speed);  // along x
        ContactStepper stepper(tight_friction(h, 1e-9));
        Index sliding = 0, sticking = 0;
        double missed = 0.0, slipped = 0.0, cosine = -1.0, least_used = 1.0;
        for (int n = 0; n < 45; ++n) {
            if (!converged(stepper.step(system))) continue;
            double largest = 0.0;
            for (const Contact& c : stepper.contacts()) largest = std::max(largest, c.impulse);
            if (largest == 0.0) continue;
            for (const Contact& c : stepper.contacts()) {
                const double along = c.wall == belt ? belt_speed : 0.0;
                const Meeting m = meeting(system, c, h, along * Vec3::UnitX());
                // Impulses that would close, stop or turn what is left of the law.
                missed = std::max(missed, std::abs(std::min(c.impulse, m.mass * m.opening)) / largest);
                Vec3 aim = c.tangential - m.slip_mass * m.slip;
                const double most = friction_of(system, c) * c.impulse;
                if (aim.norm() > most) aim *= most / aim.norm();
                missed = std::max(missed, (c.tangential - aim).norm() / largest);
                if (c.impulse < 1e-3 * largest) continue;
                const double push = m.slip_mass * m.slip.norm();
                if (!c.sliding) {
                    ++sticking;
                    slipped = std::max(slipped, push / largest);
                } else if (most > 0.0 && push > 1e-4 * largest) {
                    ++sliding;
                    cosine = std::max(cosine, c.tangential.normalized().dot(m.slip.normalized()));
                    least_used = std::min(least_used, c.tangential.norm() / most);
                }
            }
        }
        CHECK(missed < 1e-7);
        CHECK(slipped < 1e-7);
        CHECK(cosine < -1.0 + 1e-6);
        CHECK(least_used > 1.0 - 1e-9);
        CHECK(sliding > 100);
        CHECK(sticking > 100);
    }
}

TEST_CASE("friction: the locked never turn, the frozen keep every bit, what is plane stays plane") {
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            CAPTURE(dimension);
            CAPTURE(static_cast<int>(law));
            const double rolling = rolling_frictions(law).back();
            System system =
                mixer({.dimension = dimension, .law = law, .restitution = 0.4, .rolling = rolling});
            const Particles start = system.particles;
            const Particles& p = system.particles;
            ContactStepper stepper(with_iterations(4e-3, 20));
            std::array<Index, 4> pushed = {}, turned = {};
            std::vector<Vec3> torque;
            for (int n = 0; n < 70; ++n) {
                stepper.step(system);
                contact_torques(stepper.contacts(), 4e-3, p, torque);
                for (std::size_t i = 0; i < p.id.size(); ++i) {
                    const auto group = static_cast<std::size_t>(p.group[i]);
                    pushed[group] += torque[i] != Vec3::Zero();
                    turned[group] += !same_bits(p.angular_velocity[i], start.angular_velocity[i]);
                    if (group == kLocked || group == kBase) {
                        CHECK(same_bits(p.angular_velocity[i], Vec3::Zero()));
                        CHECK(p.orientation[i].coeffs() == Quaternion::Identity().coeffs());
                    }
                    if (group == kBase) {
                        CHECK(same_bits(p.position[i], start.position[i]));
                        CHECK(same_bits(p.velocity[i], Vec3::Zero()));
                    }
                    if (dimension == 2) {
                        CHECK(p.position[i].z() == 0.0);
                        CHECK(p.velocity[i].z() == 0.0);
                        CHECK(p.angular_velocity[i].head<2>() == Vec3::Zero().head<2>());
                        CHECK(p.orientation[i].vec().head<2>() == Vec3::Zero().head<2>());
                    }
                }
            }
            for (const int group : {kRough, kSmooth, kLocked, kBase}) CHECK(pushed[group] > 10);
            CHECK(turned[kRough] > 10);
            CHECK(turned[kSmooth] > 10);
        }
    }
}

TEST_CASE("friction: a bounce is solved again for what was left out, not for what its stages leave") {
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        System system = mixer({.dimension = dimension, .restitution = 0.6, .turning_wall = false});
        StepOptions options = with_iterations(4e-3, 20);
        options.margin = 1e-4;  // some grain outruns its reach in many steps
        ContactStepper stepper(options);
        for (int n = 0; n < 75; ++n) stepper.step(system);
        // Grains lie on each other: who bounces stays among its neighbours.
        int resolves = 0, unconverged = 0;
        for (int n = 0; n < 75; ++n) {
            const StepReport report = stepper.step(system);
            resolves += report.resolves;
            if (!converged(report)) ++unconverged;
            CHECK(report.overlap <= options.solver.overlap_tolerance);
        }
        CHECK(unconverged > 40);
        CHECK(resolves < 8);
    }
}

TEST_CASE("friction: grains that bounce come to rest as they do without restitution, and cost no more then") {
    for (const int dimension : {2, 3}) {
        for (const double restitution : {0.0, 0.5}) {
            CAPTURE(dimension);
            CAPTURE(restitution);
            System system =
                mixer({.dimension = dimension, .restitution = restitution, .turning_wall = false});
            ContactStepper stepper(with_iterations(4e-3, 200));
            for (int n = 0; n < 400; ++n) stepper.step(system);
            // Carried on by another stepper too, which does not know their forces yet.
            ContactStepper other(with_iterations(4e-3, 200));
            for (ContactStepper* carrying_on : {&stepper, &other}) {
                int iterations = 0, unconverged = 0;
                for (int n = 0; n < 50; ++n) {
                    const StepReport report = carrying_on->step(system);
                    iterations += report.solver.iterations;
                    if (!converged(report)) ++unconverged;
                }
                const bool knows_forces = carrying_on == &stepper;
                CHECK(unconverged <= (knows_forces ? 0 : 15));
                CHECK(iterations < (knows_forces ? 50 * 30 : 50 * 80));
            }
        }
    }
}

TEST_CASE("friction: sizes of 1:10 and coefficients from 0.05 to 1.5 settle without overlap") {
    for (const double mu : {0.05, 0.5, 1.5}) {
        CAPTURE(mu);
        constexpr double kSmall = 2e-3, kLarge = 2e-2;
        System system = empty_system(3, Vec3(0, 0, -kGravity));
        system.law.kind = FrictionLaw::coulomb;
        system.law.friction = mu;
        add_open_box(system, 0.2, 0.2);
        Random draw(3, 0);
        for (int k = 0; k < 200; ++k) {
            const double radius = kSmall * std::pow(kLarge / kSmall, draw.uniform(0.0, 1.0));
            const Vec3 place(k % 5, k / 5 % 5, k / 25);
            add_ball(system, 2.0 * kLarge * (place + Vec3::Constant(0.5)), Vec3::Zero(), radius,
                     1e3 * std::pow(radius, 3));
        }
        ContactStepper stepper(with_iterations(2e-3, 200));
        double largest = 0.0;
        for (int n = 0; n < 500; ++n) {
            const StepReport report = stepper.step(system);
            REQUIRE(report.overlap <= 1e-4);
            largest = std::max(largest, report.kinetic_energy);
        }
        CHECK(kinetic_energy(system) < 1e-3 * largest);
    }
}
