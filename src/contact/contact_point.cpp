#include "talus/contact/contact_point.hpp"

#include <algorithm>

#include "talus/core/parallel.hpp"

namespace talus {

ContactArms contact_arms(const Contact& contact, const Particles& particles) {
    const double radius = particles.radius[contact.i];
    if (contact.j < 0) return {radius, 0.0};
    return {radius + 0.5 * contact.gap, particles.radius[contact.j] + 0.5 * contact.gap};
}

void surface_velocities(const ContactList& contacts, const std::vector<PlacedWall>& placed,
                        const Particles& particles, double time_step, std::vector<Vec3>& velocity) {
    velocity.clear();
    const auto moves = [](const PlacedWall& wall) { return wall.moving; };
    if (std::none_of(placed.begin(), placed.end(), moves)) return;
    velocity.assign(contacts.size(), Vec3::Zero());
    std::vector<const PlacedWall*> by_index(static_cast<std::size_t>(placed.back().index) + 1, nullptr);
    for (const PlacedWall& wall : placed) by_index[wall.index] = &wall;
    parallel_for(static_cast<std::ptrdiff_t>(contacts.size()), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[static_cast<std::size_t>(k)];
        if (c.j >= 0 || !by_index[c.wall]->moving) return;
        const PlacedWall& wall = *by_index[c.wall];
        const Vec3 after = particles.position[c.i] + (particles.radius[c.i] + c.gap) * c.normal;
        const Vec3 before = wall.before.to_world(wall.after.to_local(after));
        velocity[static_cast<std::size_t>(k)] = (after - before) / time_step;
    });
}

}  // namespace talus
