#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "support/builders.hpp"
#include "talus/core/error.hpp"
#include "talus/scene/generators.hpp"

/// What every fill must satisfy, checked pair by pair.
namespace talus::test {

/// Promise of the generators: overlap over the smaller radius, beyond which nothing is placed [-].
constexpr double kPromise = 1e-10;

/// Largest overlap of particle i >= first with any other, over the smaller radius; brute force.
inline double worst_pair_overlap(const Particles& p, std::size_t first) {
    double worst = -1e300;
    for (std::size_t i = first; i < p.position.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const double gap = (p.position[i] - p.position[j]).norm() - p.radius[i] - p.radius[j];
            worst = std::max(worst, -gap / std::min(p.radius[i], p.radius[j]));
        }
    }
    return worst;
}

inline double worst_wall_overlap(const System& system, std::size_t first) {
    double worst = -1e300;
    const Particles& p = system.particles;
    for (const Wall& wall : system.walls) {
        if (!wall.present(system.time)) continue;
        const Pose pose = wall.motion.pose(system.time);
        for (std::size_t i = first; i < p.position.size(); ++i) {
            const double gap = wall.shape->distance(pose.to_local(p.position[i])) - p.radius[i];
            worst = std::max(worst, -gap / p.radius[i]);
        }
    }
    return worst;
}

inline bool all_inside(const System& system, const Region& region, std::size_t first) {
    const Particles& p = system.particles;
    for (std::size_t i = first; i < p.position.size(); ++i) {
        if (!region.contains(p.position[i], p.radius[i] * (1.0 - kPromise), system.dimension)) return false;
        if (system.dimension == 2 && p.position[i][2] != 0.0) return false;
    }
    return true;
}

inline double solid_fraction(const System& system, const Region& region, std::size_t first) {
    double sum = 0.0;
    for (std::size_t i = first; i < system.particles.radius.size(); ++i) {
        sum += particle_mass(1.0, system.particles.radius[i], system.dimension);
    }
    return sum / region.volume(system.dimension);
}

inline Region box_region(const Vec3& low, const Vec3& high) {
    Region region;
    region.low = low;
    region.high = high;
    return region;
}

inline Region cylinder_region(double radius, double height) {
    Region region;
    region.kind = Region::Kind::cylinder;
    region.radius = radius;
    region.height = height;
    return region;
}

/// Outlet pipe, cone, cylinder; in 2-D its section.
inline Region hopper_region(int dimension, double size) {
    Region region;
    region.kind = Region::Kind::revolved;
    region.axis = dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
    region.profile = {{0.3 * size, 0.0}, {0.3 * size, 0.2 * size}, {size, 0.9 * size}, {size, 1.6 * size}};
    return region;
}

inline RadiusDistribution radius_between(double low, double high) {
    RadiusDistribution law;
    law.kind = low < high ? RadiusDistribution::Kind::uniform : RadiusDistribution::Kind::constant;
    law.mean = law.low = low;
    law.high = high;
    return law;
}

template <class Fill>
ParticleSource source_of(const Fill& fill, const RadiusDistribution& radius, std::uint64_t seed = 1) {
    ParticleSource source;
    source.fill = fill;
    source.radius = radius;
    source.density = 2500.0;
    source.seed = seed;
    return source;
}

inline RandomFill fill_to(const Region& region, double solid_fraction) {
    RandomFill fill;
    fill.region = region;
    fill.solid_fraction = solid_fraction;
    return fill;
}

inline RandomFill fill_with(const Region& region, std::int64_t count) {
    RandomFill fill;
    fill.region = region;
    fill.count = count;
    return fill;
}

inline std::string refusal(const ParticleSource& source, System system) {
    try {
        generate(source, SolverOptions{}, system);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

inline bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace talus::test
