#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "talus/scene/free_places.hpp"
#include "talus/scene/generators.hpp"

/// What the generators are made of; all radii are those at the time of the system.
namespace talus {

/// What a generator found: one entry a particle, in the order of the ids to come.
struct Placement {
    std::vector<Vec3> centre;              ///< [m]
    std::vector<double> reference_radius;  ///< as drawn, at radius scale 1 [m]
    std::int64_t asked = 0;
    std::int64_t refused = 0;  ///< places of a lattice that were not free
};

/// Where particles may go: inside the region, not into walls, not into particles already there.
struct FillSite {
    const Region& region;
    int dimension;
    const FreePlaces& obstacles;

    bool admits(const Vec3& x, double radius) const {
        return region.contains(x, radius - FreePlaces::slack(x, radius), dimension) &&
               obstacles.is_free(x, radius);
    }
};

/// What expected_count tells. @param volume of the region.
double expected_on_lattice(const LatticeFill& fill, double volume, int dimension);
double expected_at_random(const RandomFill& fill, const ParticleSource& source, double scale, double volume,
                          int dimension);

/// @param scale radius at the time of the system over the radius drawn [-].
Placement place_on_lattice(const LatticeFill& fill, const ParticleSource& source, const FillSite& site,
                           double scale);
/// @param system what is there already.
Placement place_at_random(const RandomFill& fill, const ParticleSource& source, const FillSite& site,
                          double scale, const SolverOptions& solver, const System& system);

/// Result of random sequential addition.
struct Addition {
    std::vector<Vec3> centre;  ///< in the order of the radii given; only when complete
    std::int64_t placed = 0;   ///< balls placed before one found no place
    bool complete = false;
};

/// Random sequential addition, largest first: each ball takes the first free one of its own random places.
/// @param radius (n) [m]. @param core share of the radii that balls keep between each other, in (0, 1] [-]:
/// walls, region and obstacles always count the full radius, so that every ball could grow in its place.
Addition add_at_random(const FillSite& site, std::span<const double> radius, double core, std::uint64_t seed);

/// Dense packings by growth: random sequential addition with a part of the radius, which then grows to 1
/// while cyclic projections keep the balls apart, in the region and out of walls. Particles of `system` stay
/// put.
struct Growth {
    std::vector<Vec3> centre;
    double reached = 0.0;  ///< largest share of the radii that was reached without overlap [-]
    bool complete = false;
};
/// @param radius (n) [m], n >= 1.
Growth grow_packing(const FillSite& site, std::span<const double> radius, std::uint64_t seed,
                    const SolverOptions& solver, const System& system);

}  // namespace talus
