#include "talus/contact/contact_forces.hpp"

#include "talus/contact/contact_point.hpp"

namespace talus {

void contact_forces(const ContactList& contacts, double time_step, const Particles& particles,
                    std::vector<Vec3>& force) {
    force.assign(particles.id.size(), Vec3::Zero());
    for (const Contact& c : contacts) {
        const Vec3 on_second = (c.impulse * c.normal + c.tangential) / time_step;
        force[c.i] -= on_second;
        if (c.j >= 0) force[c.j] += on_second;
    }
}

void contact_torques(const ContactList& contacts, double time_step, const Particles& particles,
                     std::vector<Vec3>& torque) {
    torque.assign(particles.id.size(), Vec3::Zero());
    for (const Contact& c : contacts) {
        const Vec3 couple = c.normal.cross(c.tangential) / time_step;
        const Vec3 moment = c.moment / time_step;
        const ContactArms arms = contact_arms(c, particles);
        torque[c.i] -= arms.i * couple + moment;
        if (c.j >= 0) torque[c.j] += moment - arms.j * couple;
    }
}

}  // namespace talus
