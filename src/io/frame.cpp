#include "talus/io/frame.hpp"

#include <algorithm>
#include <stdexcept>

#include "talus/bodies/memory_order.hpp"
#include "talus/contact/arrange_contacts.hpp"
#include "talus/contact/contact_forces.hpp"
#include "talus/step/contact_law.hpp"

namespace talus {
namespace {

/// A list of contacts that outlived a removal of particles would draw lines between the wrong ones, or beyond
/// the end of the arrays.
void check_contacts(const System& system, const ContactList& contacts) {
    const Index count = system.particles.size();
    for (const Contact& contact : contacts) {
        if (contact.i < 0 || contact.i >= count || contact.j >= count) {
            throw std::invalid_argument("frame: a contact names a particle that is not there");
        }
    }
}

}  // namespace

void Frame::take(const System& system, const ContactList& contacts, double time_step, bool with_rotation) {
    check_contacts(system, contacts);
    dimension = system.dimension;
    time = system.time;
    walls = system.walls;
    rotation = with_rotation;
    rolling_friction = rotation && law_table(system).any_rolling_friction();
    const Particles& particles = system.particles;
    if (std::is_sorted(particles.id.begin(), particles.id.end())) {
        take_particles(particles);
        take_contacts(contacts, time_step);
        contact_forces(contacts, time_step, particles, contact_force);
        return;
    }
    const std::vector<Index> order = id_order(particles.id);
    Particles by_id = particles;
    by_id.arrange(order);
    ContactList between_them = contacts;
    arrange_contacts(places_of(order), between_them);
    take_particles(by_id);
    take_contacts(between_them, time_step);
    contact_forces(between_them, time_step, by_id, contact_force);
}

void Frame::take_particles(const Particles& particles) {
    id = particles.id;
    position = particles.position;
    velocity = particles.velocity;
    radius = particles.radius;
    mass = particles.mass;
    group = particles.group;
    orientation.clear();
    angular_velocity.clear();
    if (rotation) {
        orientation = particles.orientation;
        angular_velocity = particles.angular_velocity;
    }
}

void Frame::take_contacts(const ContactList& contacts, double time_step) {
    touches.clear();
    wall_normals.clear();
    tangential_force.clear();
    sliding.clear();
    rolling_moment.clear();
    for (const Contact& contact : contacts) {
        if (!(contact.impulse > 0.0)) continue;
        const Index second = contact.j < 0 ? -1 - contact.wall : contact.j;
        touches.push_back({contact.i, second, contact.impulse / time_step});
        if (contact.j < 0) wall_normals.push_back(contact.normal);
        if (!rotation) continue;
        tangential_force.push_back(contact.tangential / time_step);
        sliding.push_back(contact.sliding ? 1 : 0);
        if (rolling_friction) rolling_moment.push_back(contact.moment / time_step);
    }
}

bool has_rotation(const System& system) {
    const Particles& p = system.particles;
    const auto spins = [](const Vec3& spin) { return spin != Vec3::Zero(); };
    const auto turned = [](const Quaternion& q) { return q.vec() != Vec3::Zero(); };
    return system.law.kind != FrictionLaw::inelastic ||
           std::any_of(p.angular_velocity.begin(), p.angular_velocity.end(), spins) ||
           std::any_of(p.orientation.begin(), p.orientation.end(), turned);
}

}  // namespace talus
