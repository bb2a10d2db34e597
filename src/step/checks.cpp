#include "talus/step/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "talus/bodies/first_by_id.hpp"
#include "talus/contact/contact_point.hpp"
#include "talus/core/error.hpp"
#include "talus/core/parallel.hpp"
#include "talus/step/step_time.hpp"

namespace talus {

namespace {

// Overlap over the smaller radius, with its place: position of a contact or of a near wall in its list.
struct Worst {
    double overlap = 0.0;
    std::ptrdiff_t where = -1;
};

Worst larger(const Worst& a, const Worst& b) {
    return b.overlap > a.overlap ? b : a;
}

// No displacement exceeds its reach, so a pair that is no contact can not overlap: the contacts are enough.
Worst worst_pair(const Particles& p, const ContactList& contacts) {
    const auto overlap = [&](std::ptrdiff_t k) -> Worst {
        const Contact& c = contacts[static_cast<std::size_t>(k)];
        if (c.j < 0) return {};
        const double distance = (p.position[c.j] - p.position[c.i]).norm();
        const double gap = distance - (p.radius[c.i] + p.radius[c.j]);
        return {-gap / std::min(p.radius[c.i], p.radius[c.j]), k};
    };
    return parallel_reduce(static_cast<std::ptrdiff_t>(contacts.size()), Worst{}, overlap, larger);
}

Worst worst_wall(const Particles& p, const StepOutcome& outcome) {
    const auto overlap = [&](std::ptrdiff_t k) -> Worst {
        const NearWall& near = outcome.near_walls[static_cast<std::size_t>(k)];
        const PlacedWall& wall = outcome.walls[near.wall];
        const double radius = p.radius[near.particle];
        const double distance = wall.wall->shape->distance(wall.after.to_local(p.position[near.particle]));
        return {(radius - distance) / radius, k};
    };
    return parallel_reduce(static_cast<std::ptrdiff_t>(outcome.near_walls.size()), Worst{}, overlap, larger);
}

void fill_overlap(const System& system, const StepOutcome& outcome, StepReport& report) {
    const Particles& p = system.particles;
    const Worst pair = worst_pair(p, outcome.contacts), wall = worst_wall(p, outcome);
    if (pair.where < 0 && wall.where < 0) return;
    report.overlap = std::max(pair.overlap, wall.overlap);
    if (pair.overlap >= wall.overlap) {
        const Contact& c = outcome.contacts[static_cast<std::size_t>(pair.where)];
        std::tie(report.overlap_first, report.overlap_second) = std::minmax(p.id[c.i], p.id[c.j]);
    } else {
        const NearWall& near = outcome.near_walls[static_cast<std::size_t>(wall.where)];
        report.overlap_first = p.id[near.particle];
        report.overlap_second = -1 - outcome.walls[near.wall].index;
    }
}

// Of the masses that the impulses of contacts with a force see.
double bearing_mass(const Particles& p, const ContactList& contacts) {
    return parallel_sum(std::ssize(contacts), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[static_cast<std::size_t>(k)];
        return c.impulse > 0.0 ? 1.0 / inverse_reduced_mass(c, p) : 0.0;
    });
}

void fill_energies(const Particles& p, const StepOutcome& outcome, StepReport& report) {
    const auto kinetic = [&](const std::vector<Vec3>& velocity, const std::vector<Vec3>& spin) {
        return parallel_sum(p.size(), [&](std::ptrdiff_t k) {
            const auto i = static_cast<std::size_t>(k);
            const double inverse = p.inverse_inertia[i];
            const double turning = inverse > 0.0 ? spin[i].squaredNorm() / inverse : 0.0;
            const double moving =
                p.frozen(static_cast<Index>(k)) ? 0.0 : p.mass[i] * velocity[i].squaredNorm();
            return 0.5 * (moving + turning);
        });
    };
    report.kinetic_energy = kinetic(p.velocity, p.angular_velocity);
    report.contact_work = report.kinetic_energy - kinetic(outcome.free_velocity, outcome.free_spin);
}

std::string name_of(const System& system, const Contact& c) {
    const ParticleId first = system.particles.id[c.i];
    if (c.j < 0) return fmt::format("{}-{}", first, system.walls[c.wall].name);
    const auto [smaller, greater] = std::minmax(first, system.particles.id[c.j]);
    return fmt::format("{}-{}", smaller, greater);
}

}  // namespace

void fill_certificate(const System& system, const StepOutcome& outcome, StepReport& report) {
    const StageTimer timer(report.times, Stage::checks);
    report.solver = outcome.projected.solver;
    const double mass = bearing_mass(system.particles, outcome.contacts);
    report.residual_speed = mass > 0.0 ? report.solver.map / std::sqrt(mass) : 0.0;
    report.energy_defect = outcome.projected.energy_defect;
    report.contacts = static_cast<Index>(outcome.contacts.size());
    report.active = static_cast<Index>(parallel_count(
        std::ssize(outcome.contacts), [&](std::ptrdiff_t k) { return outcome.contacts[k].impulse > 0.0; }));
    const Particles& p = system.particles;
    report.fast = static_cast<Index>(parallel_count(std::ssize(outcome.displacement), [&](std::ptrdiff_t i) {
        return outcome.displacement[i].norm() > p.radius[i];
    }));
    fill_overlap(system, outcome, report);
    fill_energies(p, outcome, report);
}

void check_start(const System& system, double t0, double t1, const std::vector<double>& reach) {
    constexpr double kRounding = 1e-9;  // of a radius
    const Particles& p = system.particles;
    const std::ptrdiff_t fast = first_by_id(p, [&](std::ptrdiff_t i) { return !std::isfinite(reach[i]); });
    if (fast >= 0) {
        throw StateError(
            fmt::format("step {}: the speed of particle {} is beyond any number; look for extreme speeds or "
                        "forces in the scene",
                        system.step + 1, p.id[fast]));
    }
    for (const Wall& wall : system.walls) {
        const Pose there = wall.motion.pose(t1);
        if (wall.present(t1) && !(there.translation.allFinite() && there.rotation.allFinite())) {
            throw StateError(fmt::format(
                "step {}: the motion of wall {} leads to a place that is not finite at t = {:g} s",
                system.step + 1, wall.name, t1));
        }
        if (wall.present(t0) || !wall.present(t1)) continue;
        const auto overlap = [&](std::ptrdiff_t i) {
            return p.radius[i] - wall.shape->distance(there.to_local(p.position[i]));
        };
        const std::ptrdiff_t hit = first_by_id(p, [&](std::ptrdiff_t i) {
            return !p.frozen(static_cast<Index>(i)) && !(overlap(i) <= kRounding * p.radius[i]);
        });
        if (hit < 0) continue;
        throw StateError(fmt::format(
            "step {}: wall {} appears at t = {:g} s where particle {} is (overlap {:.3g} m); let it "
            "appear in a free place, or move it in",
            system.step + 1, wall.name, t1, p.id[hit], overlap(hit)));
    }
}

void check_finite(const System& system, const std::vector<Vec3>& displacement) {
    const Particles& p = system.particles;
    const std::ptrdiff_t lost = first_by_id(p, [&](std::ptrdiff_t i) {
        return !displacement[i].allFinite() || !(p.position[i] + displacement[i]).allFinite();
    });
    if (lost < 0) return;
    throw StateError(
        fmt::format("step {}: particle {} would move to a place that is not finite; "
                    "look for extreme masses, speeds or forces in the scene",
                    system.step + 1, p.id[lost]));
}

std::string describe_jam(const System& system, const ContactList& contacts, const JamProof& proof,
                         double time_step) {
    constexpr std::size_t kNamed = 8;   // contacts named in the message
    constexpr double kInvolved = 1e-3;  // weight, relative to the largest, that counts as part of the proof
    std::vector<std::size_t> order;
    std::set<ParticleId> ids;
    double mass = 0.0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (proof.weights[c] < kInvolved) continue;
        order.push_back(c);
        for (const Index body : {contacts[c].i, contacts[c].j}) {
            if (body < 0 || !ids.insert(system.particles.id[body]).second) continue;
            if (!system.particles.frozen(body)) mass += system.particles.mass[body];
        }
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return proof.weights[a] > proof.weights[b]; });
    std::string named;
    for (std::size_t k = 0; k < std::min(kNamed, order.size()); ++k) {
        named += (k ? ", " : "") + name_of(system, contacts[order[k]]);
    }
    if (order.size() > kNamed) named += ", ...";
    const double least = mass > 0.0 ? proof.least_speed * time_step / std::sqrt(mass) : 0.0;
    return fmt::format(
        "jammed: no admissible motion exists in step {} (t = {:g} s). {} contacts of {} particles block each "
        "other ({}). Proof: contact weights w >= 0 balance on every particle while w.D < 0; any motion "
        "that kept these gaps open would move the particles by at least {:.3g} m (rms)",
        system.step + 1, step_time(system.step + 1, time_step), order.size(), ids.size(), named, least);
}

}  // namespace talus
