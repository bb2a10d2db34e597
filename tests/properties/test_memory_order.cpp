#include "talus/bodies/memory_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "support/builders.hpp"
#include "support/overlap.hpp"
#include "talus/contact/arrange_contacts.hpp"
#include "talus/measure/mechanics.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// A column of balls that collapses between walls and mixes.
System collapsing_column(int dimension) {
    System system = empty_system(dimension, dimension == 2 ? Vec3(0, -9.81, 0) : Vec3(0, 0, -9.81));
    add_loose_lattice(system, 5, dimension == 2 ? 12 : 5, dimension == 2 ? 1 : 8, 0.01, 0.2, 4);
    add_open_box(system, 0.2, 0.2);
    return system;
}

void shuffle(System& system, ContactStepper& stepper, std::uint64_t seed) {
    std::vector<Index> order = id_order(system.particles.id);
    std::vector<std::uint64_t> draw;
    for (const Index i : order) draw.push_back(Random(seed, static_cast<std::uint64_t>(i)).bits());
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return draw[a] < draw[b]; });
    system.particles.arrange(order);
    stepper.particles_changed();
}

Particles by_id(const System& system) {
    Particles particles = system.particles;
    particles.arrange(id_order(particles.id));
    return particles;
}

}  // namespace

TEST_CASE("particles that change their order in memory again and again move as they would have") {
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        System kept = collapsing_column(dimension), shuffled = kept;
        ContactStepper one(tight_options(2e-3, 1e-11)), other(tight_options(2e-3, 1e-11));
        for (int n = 0; n < 50; ++n) {
            const StepReport expected = one.step(kept);
            if (n % 10 > 7) shuffle(shuffled, other, static_cast<std::uint64_t>(n));  // twice running
            const StepReport report = other.step(shuffled);
            CHECK(report.solver.status == Status::converged);
            CHECK(report.overlap < 1e-9);
            CHECK(report.contacts == expected.contacts);
        }
        const Particles& a = kept.particles;
        const Particles b = by_id(shuffled);
        REQUIRE(shuffled.particles.id != a.id);
        REQUIRE(b.id == a.id);
        for (std::size_t i = 0; i < a.id.size(); ++i) {
            CHECK((a.position[i] - b.position[i]).norm() < 1e-7);
            CHECK(a.radius[i] == b.radius[i]);
        }
        CHECK(worst_overlap(b.position, b.radius, shuffled.walls, shuffled.time) < 1e-9);
    }
}

TEST_CASE("an isolated crowd that changes its order in memory keeps its momentum to rounding") {
    System system = empty_system(3);
    add_loose_lattice(system, 6, 6, 4, 0.05, 0.3, 5);
    for (Vec3& u : system.particles.velocity) {
        Random draw(6, static_cast<std::uint64_t>(&u - system.particles.velocity.data()));
        for (int k = 0; k < 3; ++k) u[k] = draw.uniform(-3.0, 3.0);
    }
    system.law.kind = FrictionLaw::coulomb;
    system.law.friction = 0.5;
    set_radii(system.particles, system.groups, 3, 0.0);
    const Vec3 linear = linear_momentum(system), angular = angular_momentum(system, Vec3::Zero());
    const double scale = kinetic_energy(system);  // about 1 m/s at about 1 m
    StepOptions options;
    options.time_step = 0.01;
    ContactStepper stepper(options);
    Index active = 0;
    for (int n = 0; n < 40; ++n) {
        shuffle(system, stepper, static_cast<std::uint64_t>(n));
        active += stepper.step(system).active;
    }
    CHECK(active > 100);
    CHECK((linear_momentum(system) - linear).norm() < 1e-12 * scale);
    CHECK((angular_momentum(system, Vec3::Zero()) - angular).norm() < 1e-12 * scale);
}

TEST_CASE("impulses find their way into another order, bit for bit") {
    System system = collapsing_column(3);
    system.law.kind = FrictionLaw::coulomb;
    system.law.friction = 0.5;
    system.law.rolling_friction = 0.1;
    set_radii(system.particles, system.groups, 3, 0.0);
    StepOptions options;
    options.time_step = 2e-3;
    ContactStepper stepper(options);
    for (int n = 0; n < 60; ++n) stepper.step(system);
    const auto recalled = [&] {
        stepper.find_contacts(system);
        ContactList contacts = stepper.contacts();
        arrange_contacts(places_of(id_order(system.particles.id)), contacts);
        return contacts;
    };
    const ContactList expected = recalled();
    shuffle(system, stepper, 1);
    const ContactList contacts = recalled();
    REQUIRE(contacts.size() == expected.size());
    Index resisted = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Contact &c = contacts[k], &e = expected[k];
        CHECK(c.i == e.i);
        CHECK(c.j == e.j);
        CHECK(c.sustained == e.sustained);
        CHECK((c.tangential - e.tangential).norm() <= 1e-15 * e.sustained);
        CHECK((c.moment - e.moment).norm() <= 1e-15 * e.sustained);
        resisted += c.j >= 0 && e.tangential != Vec3::Zero() && e.moment != Vec3::Zero();
    }
    CHECK(resisted > 50);
}
