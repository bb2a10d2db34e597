#include "talus/step/initial_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "talus/contact/contact_point.hpp"
#include "talus/contact/find_contacts.hpp"
#include "talus/core/error.hpp"
#include "talus/core/text.hpp"
#include "talus/step/contact_law.hpp"
#include "talus/step/contact_projection.hpp"
#include "talus/step/reach.hpp"

namespace talus {

namespace {

// Contacts of a state at rest, everything within `margin` radii of touching.
class RestingContacts {
public:
    explicit RestingContacts(double margin) : margin_(margin), list_(BroadPhaseKind::cell_grid, margin) {}

    const ContactList& find(const System& system) {
        const Particles& particles = system.particles;
        const auto n = particles.size();
        walls_ = place_walls(system.walls, system.time, system.time);
        const std::vector<Vec3> still(n, Vec3::Zero());
        initial_reach(particles, still, 0.0, margin_, reach_);
        const LawTable law = law_table(system);
        const ContactInput input{particles, particles.radius, reach_, law};
        list_.update(particles, reach_);
        finder_.pairs(input, list_.pairs(), contacts_);
        finder_.walls(input, walls_, still, contacts_);
        return contacts_;
    }

private:
    double margin_;
    NeighbourList list_;
    ContactFinder finder_;
    std::vector<PlacedWall> walls_;
    std::vector<double> reach_;
    ContactList contacts_;
};

OverlapReport overlaps_of(const System& system, const ContactList& contacts, double tolerance) {
    const Particles& p = system.particles;
    OverlapReport report;
    for (const Contact& c : contacts) {
        const double relative = -c.gap / smaller_radius(c, p);
        if (relative <= tolerance) continue;
        ++report.count;
        const bool same_place = c.j >= 0 && (p.position[c.j] - p.position[c.i]).norm() == 0.0;
        report.coincident = report.coincident || same_place;
        if (relative <= report.worst) continue;
        report.worst = relative;
        report.worst_length = -c.gap;
        report.first = p.id[c.i];
        report.second = c.j < 0 ? -1 - c.wall : p.id[c.j];
    }
    return report;
}

// Largest displacement in one round [radii]: beyond, the linearisation says nothing.
constexpr double kLongestMove = 0.5;

}  // namespace

std::string OverlapReport::describe(const System& system) const {
    if (count == 0) return "no overlap";
    const std::string other =
        second < 0 ? fmt::format("wall {}", system.walls[static_cast<std::size_t>(-1 - second)].name)
                   : fmt::format("{}", second);
    return fmt::format("{}, worst {:.3g} m ({:.3g} % of the smaller radius) between {} and {}{}",
                       counted(count, "overlapping pair"), worst_length, 100.0 * worst, first, other,
                       coincident ? "; some centres are in the same place" : "");
}

OverlapReport find_overlaps(const System& system, double tolerance) {
    RestingContacts contacts(1e-6);  // margin: only what touches or overlaps is wanted
    return overlaps_of(system, contacts.find(system), tolerance);
}

// Each round is the scheme's projection with displacements for velocities: from v = 0, h = 1, so that D + G
// dq >= 0.
int resolve_overlaps(System& system, const SolverOptions& solver, double tolerance, int max_rounds) {
    SolverOptions tight = solver;
    tight.overlap_tolerance = 0.5 * tolerance;
    ContactProjection projection(tight);
    RestingContacts contacts(0.5);  // margin in radii: whoever a moving particle may be pushed into
    Particles& p = system.particles;
    const std::vector<Vec3> still(p.size(), Vec3::Zero());
    const LawTable law = lawless_table(system);
    Motion move;
    for (int round = 0; round <= max_rounds; ++round) {
        ContactList found = contacts.find(system);
        if (overlaps_of(system, found, tolerance).count == 0) return round;
        const ProjectionReport report = projection.project(
            {.particles = p, .time_step = 1.0, .velocity_before = still, .free_velocity = still, .law = law},
            found, move);
        if (report.solver.jam) {
            throw StateError(
                "the overlaps at the start can not be resolved: the particles do not fit between each other "
                "and the walls");
        }
        for (std::size_t i = 0; i < move.velocity.size(); ++i) {
            const double longest = kLongestMove * p.radius[i], length = move.velocity[i].norm();
            p.position[i] += std::min(1.0, length > 0.0 ? longest / length : 1.0) * move.velocity[i];
        }
    }
    const OverlapReport left = find_overlaps(system, tolerance);
    throw StateError(fmt::format("the overlaps at the start are not resolved after {} rounds: {}", max_rounds,
                                 left.describe(system)));
}

}  // namespace talus
