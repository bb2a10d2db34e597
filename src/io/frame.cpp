#include "talus/io/frame.hpp"

#include <stdexcept>

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

void Frame::take(const System& system, const ContactList& contacts, double time_step) {
    check_contacts(system, contacts);
    const Particles& particles = system.particles;
    dimension = system.dimension;
    time = system.time;
    id = particles.id;
    position = particles.position;
    velocity = particles.velocity;
    contact_force = particles.contact_force;
    radius = particles.radius;
    mass = particles.mass;
    group = particles.group;
    walls = system.walls;
    touches.clear();
    wall_normals.clear();
    for (const Contact& contact : contacts) {
        if (!(contact.impulse > 0.0)) continue;
        const Index second = contact.j < 0 ? -1 - contact.wall : contact.j;
        touches.push_back({contact.i, second, contact.impulse / time_step});
        if (contact.j < 0) wall_normals.push_back(contact.normal);
    }
}

}  // namespace talus
