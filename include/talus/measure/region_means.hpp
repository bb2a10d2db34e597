#pragma once

#include <optional>
#include <vector>

#include "talus/contact/contact.hpp"
#include "talus/geometry/region.hpp"
#include "talus/step/system.hpp"

/// What a valid region holds. Frozen particles are walls here: they are in no sum and in no mean.
namespace talus {

/// Volume of the particles' parts inside the region over its volume [-]. Walls in the region take nothing
/// from its volume.
double solid_fraction(const System& system, const Region& region);

/// Mean of one number a particle (n) over the particles with their centre in the region; nothing when there
/// are none.
/// @param only_positive leaves out the particles whose number is 0.
std::optional<double> mean_count(const System& system, const Region& region, const std::vector<Index>& count,
                                 bool only_positive = false);

/// How the particles with their centre in a region move.
struct RegionMotion {
    Vec3 velocity;       ///< mean, weighted by mass: momentum over mass [m/s]
    double temperature;  ///< mean of |u - velocity|^2 over the dimension, weighted by mass [m^2/s^2]
};

/// Nothing when no centre is in the region.
std::optional<RegionMotion> region_motion(const System& system, const Region& region);

/// Mean stress that contacts carry in the region, compression positive, its symmetric part [Pa; 2-D: N/m]:
/// sigma = 1/V sum over contacts of w (F l^T + l F^T)/2, with F = (impulse * normal + tangential)/h the force
/// on the second body, l the branch from the centre of the first to that of the second, and w the share of
/// the branch inside the region. A branch ends at the point of contact with a wall or frozen particle. A
/// contact without a normal impulse carries nothing, as in wall_forces().
///
/// The weight makes sigma the mean over the region of a field that, with gravity, inertia and the forces at
/// those end points, balances momentum exactly: the mean over a slab is the force through its sections over
/// their area. The flux of momentum of moving particles is not in it (see RegionMotion::temperature).
/// Source: Christoffersen, Mehrabadi and Nemat-Nasser 1981, J. Appl. Mech. 48:339 (Love-Weber); Goldhirsch
/// 2010, Granular Matter 12:239, with the region's indicator as the coarse-graining function; Weinhart et al.
/// 2012, Granular Matter 14:289, for walls.
/// @param contacts of one step between particles of the system. @param time_step h [s].
Mat3 contact_stress(const System& system, const ContactList& contacts, const Region& region,
                    double time_step);

}  // namespace talus
