#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "talus/core/schedule.hpp"
#include "talus/core/types.hpp"

namespace talus {

/// A named set of particles that share how their radius changes and whether they move.
struct Group {
    std::string name;
    Schedule radius_scale = Schedule::constant(1.0);  ///< radius(t) = reference radius * scale(t) [-], > 0
    bool constant_density =
        false;  ///< mass follows the scale to the power of the dimension; otherwise mass is constant
    bool frozen = false;  ///< never moves, as if its mass were infinite (a rough base); its radius may change
};

/// State of the spheres (3-D) or discs (2-D), one array a quantity, in ascending order of id. SI units.
struct Particles {
    std::vector<ParticleId> id;
    std::vector<Vec3> position;            ///< centres [m]
    std::vector<Vec3> velocity;            ///< [m/s]
    std::vector<Vec3> contact_force;       ///< sum of the contact forces of the last step [N]
    std::vector<double> radius;            ///< at the time of the state [m]
    std::vector<double> reference_radius;  ///< radius at scale 1 [m]
    std::vector<double> mass;              ///< at the time of the state [kg]
    std::vector<double> inverse_mass;      ///< [1/kg], 0 when frozen
    std::vector<double> reference_mass;    ///< mass at scale 1 [kg]
    std::vector<std::int32_t> group;       ///< index into the groups

    Index size() const { return static_cast<Index>(id.size()); }
    bool frozen(Index i) const { return inverse_mass[static_cast<std::size_t>(i)] == 0.0; }

    /// Appends a particle at rest relative to nothing: `velocity` is taken as given (zeroed when frozen).
    /// @param id greater than every id present. @param radius, mass at radius scale 1 [m, kg], > 0.
    void add(ParticleId new_id, const Vec3& centre, const Vec3& speed, double new_radius, double new_mass,
             std::int32_t group_index, bool is_frozen);
    /// Removes every particle with remove[i] != 0; the others keep their order.
    void remove(const std::vector<std::uint8_t>& remove);
    void reserve(std::size_t count);
};

/// Sets radius and mass of every particle to those at time `t`.
/// @param dimension 2 or 3: power of the scale in the mass of groups of constant density.
/// @throws StateError when a radius is not positive and finite, naming group, id and time.
void set_radii(Particles& particles, const std::vector<Group>& groups, int dimension, double t);

}  // namespace talus
