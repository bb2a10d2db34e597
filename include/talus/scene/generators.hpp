#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "talus/core/error.hpp"
#include "talus/geometry/region.hpp"
#include "talus/projection/solver.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// How radii are drawn. Lengths in metres.
struct RadiusDistribution {
    enum class Kind { constant, uniform, normal, log_uniform, bidisperse, table };
    Kind kind = Kind::constant;
    double mean = 0.0;                   ///< constant; mean of the normal law
    double deviation = 0.0;              ///< standard deviation of the normal law, truncated to [low, high]
    double low = 0.0, high = 0.0;        ///< uniform, normal, log_uniform: bounds; bidisperse: the two radii
    double high_fraction = 0.5;          ///< bidisperse: share of particles (by number) with radius `high`
    std::vector<double> radii, weights;  ///< table: radii and their shares by number, any positive sum

    double smallest() const;
    double largest() const;
    /// Mean of r^power in closed form, power >= 0.
    double mean_power(int power) const;
    /// The radius of one item under a seed: the same whatever was drawn before. Valid laws only.
    double draw(std::uint64_t seed, std::uint64_t item) const;
};

/// @throws InputError that says which parameter of the law is wrong and what is expected.
void validate(const RadiusDistribution& law);

/// A regular arrangement that fills `region` row by row from its low corner, `spacing` between centres.
struct LatticeFill {
    enum class Kind { cubic, hexagonal };  ///< hexagonal: triangular in 2-D, hexagonal close packing in 3-D
    Region region;
    Kind kind = Kind::cubic;
    double spacing = 0.0;     ///< distance of neighbouring centres [m]; must be at least the largest diameter
    double jitter = 0.0;      ///< largest random shift as a fraction of spacing / 2 - r, the room that a
                              ///< particle has before a neighbour may meet it [-], in [0, 1]
    std::int64_t count = -1;  ///< particles at most; -1: as many as fit
};

/// Random places without overlap, with each other, with particles already there, with walls. The largest
/// fractions need a region that is some ten diameters wide: near walls a packing is looser.
struct RandomFill {
    Region region;
    std::int64_t count = -1;  ///< target number, or
    double solid_fraction =
        -1.0;  ///< target fraction of the region's volume, at most 0.60 in 3-D and 0.80 in 2-D
};

/// One source of particles.
struct ParticleSource {
    std::variant<LatticeFill, RandomFill> fill;
    RadiusDistribution radius;
    double density = 0.0;          ///< [kg/m^3] (2-D: [kg/m^2]); 0: `mass` counts
    double mass = 0.0;             ///< of every particle [kg]
    Vec3 velocity = Vec3::Zero();  ///< [m/s]
    std::int32_t group = 0;
    std::uint64_t seed = 0;
    SourceEntry entry;  ///< of the scene file; empty for a source that comes from none
};

/// Particles that a valid source would make in an empty region, up to its boundary: known before any is
/// placed.
/// @param scale of the radii at the time of filling [-].
double expected_count(const ParticleSource& source, double scale, int dimension);

struct FillReport {
    std::int64_t asked = 0, placed = 0;
    std::int64_t refused_by_walls =
        0;                        ///< places of a lattice that overlap a wall or a particle already there
    double solid_fraction = 0.0;  ///< of the region
};

/// Adds the particles of `source` to `system`, ids following the largest present: row by row on a lattice,
/// along a space-filling curve at random places. Same particles for any
/// number of threads; the number does not depend on the unit of length. Random fills use random sequential
/// addition as far as it goes and growth with overlap-free projection beyond.
/// @throws InputError when the target can not be reached, saying how many fit.
FillReport generate(const ParticleSource& source, const SolverOptions& solver, System& system);

/// Mass of a sphere (3-D) or disc (2-D).
double particle_mass(double density, double radius, int dimension);

}  // namespace talus
