#include "talus/contact/contact_forces.hpp"

#include <algorithm>

#include "talus/contact/contact_point.hpp"

namespace talus {

void set_contact_forces(const ContactList& contacts, double time_step, Particles& particles) {
    std::fill(particles.contact_force.begin(), particles.contact_force.end(), Vec3::Zero());
    std::fill(particles.contact_torque.begin(), particles.contact_torque.end(), Vec3::Zero());
    for (const Contact& c : contacts) {
        const Vec3 force = (c.impulse * c.normal + c.tangential) / time_step;
        const Vec3 couple = c.normal.cross(c.tangential) / time_step;
        const Vec3 moment = c.moment / time_step;
        const ContactArms arms = contact_arms(c, particles);
        particles.contact_force[c.i] -= force;
        particles.contact_torque[c.i] -= arms.i * couple + moment;
        if (c.j < 0) continue;
        particles.contact_force[c.j] += force;
        particles.contact_torque[c.j] += moment - arms.j * couple;
    }
}

}  // namespace talus
