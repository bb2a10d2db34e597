#pragma once

#include <vector>

#include "talus/contact/contact.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// What a frame shows, copied from a state, which can then move on. Smaller than the state: 100 bytes a
/// particle, 16 for a contact that carries an impulse (40 where it is with a wall); with rotation 56 and 25
/// more, with rolling friction another 24 for a contact.
struct Frame {
    /// A contact that carries an impulse.
    struct Touch {
        Index first;   ///< particle
        Index second;  ///< particle; -1 - wall for a wall
        double force;  ///< impulse over time step [N], > 0
    };

    int dimension = 3;
    double time = 0.0;  ///< of the state [s]
    std::vector<ParticleId> id;
    std::vector<Vec3> position;       ///< [m]
    std::vector<Vec3> velocity;       ///< [m/s]
    std::vector<Vec3> contact_force;  ///< [N]
    std::vector<double> radius;       ///< [m]
    std::vector<double> mass;         ///< [kg]
    std::vector<std::int32_t> group;
    std::vector<Touch> touches;
    std::vector<Vec3> wall_normals;  ///< from particle to wall, of the touches with a wall, in their order
    std::vector<Wall> walls;

    bool rotation = false;  ///< whether what follows is shown; else it is empty
    std::vector<Quaternion> orientation;
    std::vector<Vec3> angular_velocity;  ///< [rad/s]
    std::vector<Vec3> tangential_force;  ///< on the second body, of the touches, in their order [N]
    std::vector<std::int8_t> sliding;    ///< 1 where the friction of a touch is at its bound
    bool rolling_friction = false;       ///< whether any two surfaces have it; else what follows is empty
    std::vector<Vec3> rolling_moment;    ///< on the second body, of the touches, in their order [N m]

    /// Replaces everything by what `system` is now, particles in ascending order of id, contacts sorted by
    /// particles; without allocation once it has been as large, unless the particles have another order.
    /// @param contacts those of the particles as they are now: call before, not after, particles are removed.
    /// @param time_step h [s], to turn impulses into forces.
    /// @param with_rotation see `rotation`; one choice a run, so that all its frames have the same arrays.
    /// @throws std::invalid_argument when a contact names a particle that is not there.
    void take(const System& system, const ContactList& contacts, double time_step, bool with_rotation);

private:
    void take_particles(const Particles& particles);
    void take_contacts(const ContactList& contacts, double time_step);
};

/// Whether the frames of a run that starts from `system` should show rotation and friction: it has a law with
/// friction, or a particle that spins or is turned.
bool has_rotation(const System& system);

}  // namespace talus
