#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/core/schedule.hpp"
#include "talus/core/types.hpp"

namespace talus {

/// Where the mass of a body is, which gives its moment of inertia J = k m r^2: all through it (k = 2/5 for a
/// sphere, 1/2 for a disc), or in its surface (a thin shell, k = 2/3; a ring, k = 1).
enum class Inertia { solid, hollow };

/// A named set of particles that share how their radius changes, and whether they move and turn.
struct Group {
    std::string name;
    Schedule radius_scale = Schedule::constant(1.0);  ///< radius(t) = reference radius * scale(t) [-], > 0
    bool constant_density =
        false;  ///< mass follows the scale to the power of the dimension; otherwise mass is constant
    bool frozen = false;  ///< never moves, as if its mass were infinite (a rough base); its radius may change
    Inertia inertia = Inertia::solid;
    bool rotates = true;  ///< false: never turns, as if its moment of inertia were infinite
};

/// Whether a quaternion is as long as one in single precision can be.
bool is_unit(const Quaternion& q);

/// One particle, to be added to others.
struct Particle {
    ParticleId id;
    Vec3 position;  ///< centre [m]
    Vec3 velocity;  ///< [m/s]; taken for zero when frozen
    double radius;  ///< at scale 1 [m], > 0
    double mass;    ///< at scale 1 [kg], > 0
    std::int32_t group = 0;
    bool frozen = false;
    Quaternion orientation = Quaternion::Identity();  ///< unit; in 2-D a turn about z
    Vec3 angular_velocity = Vec3::Zero();             ///< [rad/s]; taken for zero when frozen
};

/// State of the spheres (3-D) or discs (2-D), one array a quantity. SI units. In ascending order of id until
/// they are arranged in another order: who wants a particle of a given id has to look for it then.
struct Particles {
    std::vector<ParticleId> id;
    std::vector<Vec3> position;            ///< centres [m]
    std::vector<Vec3> velocity;            ///< [m/s]
    std::vector<Quaternion> orientation;   ///< unit; a particle that never turned has the identity
    std::vector<Vec3> angular_velocity;    ///< [rad/s]; 0 when frozen or locked, in 2-D along z
    std::vector<double> radius;            ///< at the time of the state [m]
    std::vector<double> reference_radius;  ///< radius at scale 1 [m]
    std::vector<double> mass;              ///< at the time of the state [kg]
    std::vector<double> inverse_mass;      ///< [1/kg], 0 when frozen
    std::vector<double> reference_mass;    ///< mass at scale 1 [kg]
    /// [1/(kg m^2)], 0 when frozen or locked, and between add() and the next set_radii().
    std::vector<double> inverse_inertia;
    std::vector<std::int32_t> group;  ///< index into the groups
    ParticleId arranged_id = -1;      ///< greatest id when they were last arranged; -1: never

    Index size() const { return static_cast<Index>(id.size()); }
    /// Greater than every id present.
    ParticleId next_id() const { return 1 + std::max(arranged_id, id.empty() ? -1 : id.back()); }
    bool frozen(Index i) const { return inverse_mass[static_cast<std::size_t>(i)] == 0.0; }

    /// Appends a particle, whose id must be next_id() or greater.
    /// Its moment of inertia follows from its group: call set_radii() next.
    /// @throws std::invalid_argument for an id that is not, a number that is not finite or not positive, or
    /// an orientation that is no unit quaternion.
    void add(const Particle& particle);
    /// Removes every particle with remove[i] != 0; the others keep their order.
    void remove(const std::vector<std::uint8_t>& remove);
    /// Brings particle order[k] to place k. @param order (n) a permutation.
    void arrange(const std::vector<Index>& order);
    void reserve(std::size_t count);
};

/// Sets radius, mass and moment of inertia J of every particle to those at time `t`. Where J changes, the
/// angular momentum J omega is kept and omega changes; where it does not, or is set for the first time, omega
/// stays. Going back to an earlier time gives omega with rounding: who must have the same bits keeps a copy.
/// @param dimension 2 or 3: power of the scale in the mass of groups of constant density, discs or spheres.
/// @throws StateError when a radius, mass or J is not positive and finite, naming group, id and time.
void set_radii(Particles& particles, const std::vector<Group>& groups, int dimension, double t);

}  // namespace talus
