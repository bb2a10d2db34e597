#include "talus/contact/contact_point.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "talus/core/parallel.hpp"

namespace talus {

namespace {

/// By their number in the system; those that are absent are null. Empty when no wall moves.
std::vector<const PlacedWall*> walls_by_index(const std::vector<PlacedWall>& placed) {
    const auto moves = [](const PlacedWall& wall) { return wall.moving; };
    if (std::none_of(placed.begin(), placed.end(), moves)) return {};
    std::vector<const PlacedWall*> by_index(static_cast<std::size_t>(placed.back().index) + 1, nullptr);
    for (const PlacedWall& wall : placed) by_index[wall.index] = &wall;
    return by_index;
}

}  // namespace

ContactArms contact_arms(const Contact& contact, const Particles& particles) {
    const double radius = particles.radius[contact.i];
    if (contact.j < 0) return {radius, 0.0};
    return {radius + 0.5 * contact.gap, particles.radius[contact.j] + 0.5 * contact.gap};
}

double smaller_radius(const Contact& contact, const Particles& particles) {
    const double own = particles.radius[contact.i];
    return contact.j < 0 ? own : std::min(own, particles.radius[contact.j]);
}

double inverse_reduced_mass(const Contact& contact, const Particles& particles) {
    const double own = particles.inverse_mass[contact.i];
    return contact.j < 0 ? own : own + particles.inverse_mass[contact.j];
}

double reduced_radius(const Contact& contact, const Particles& particles) {
    const double r_i = particles.radius[contact.i];
    if (contact.j < 0) return r_i;
    const double r_j = particles.radius[contact.j];
    return r_i * r_j / (r_i + r_j);
}

void surface_velocities(const ContactList& contacts, const std::vector<PlacedWall>& placed,
                        const Particles& particles, double time_step, std::vector<Vec3>& velocity) {
    velocity.clear();
    const std::vector<const PlacedWall*> by_index = walls_by_index(placed);
    if (by_index.empty()) return;
    velocity.assign(contacts.size(), Vec3::Zero());
    parallel_for(static_cast<std::ptrdiff_t>(contacts.size()), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[static_cast<std::size_t>(k)];
        if (c.j >= 0 || !by_index[c.wall]->moving) return;
        const PlacedWall& wall = *by_index[c.wall];
        const Vec3 after = particles.position[c.i] + (particles.radius[c.i] + c.gap) * c.normal;
        const Vec3 before = wall.before.to_world(wall.after.to_local(after));
        velocity[static_cast<std::size_t>(k)] = (after - before) / time_step;
    });
}

void wall_spins(const ContactList& contacts, const std::vector<PlacedWall>& placed, double time_step,
                std::vector<Vec3>& spin) {
    spin.clear();
    const std::vector<const PlacedWall*> by_index = walls_by_index(placed);
    if (by_index.empty()) return;
    spin.assign(contacts.size(), Vec3::Zero());
    parallel_for(std::ssize(contacts), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[k];
        if (c.j >= 0 || !by_index[c.wall]->moving) return;
        const PlacedWall& wall = *by_index[c.wall];
        const Eigen::AngleAxisd turn(Mat3(wall.after.rotation * wall.before.rotation.transpose()));
        spin[k] = (turn.angle() / time_step) * turn.axis();
    });
}

}  // namespace talus
