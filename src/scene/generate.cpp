#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

#include "capacity.hpp"
#include "placement.hpp"
#include "talus/core/error.hpp"
#include "talus/core/space_filling_curve.hpp"

namespace talus {

namespace {

const Region& region_of(const ParticleSource& source) {
    return std::visit([](const auto& fill) -> const Region& { return fill.region; }, source.fill);
}

void validate_source(const ParticleSource& source, const System& system) {
    located(SourceEntry{{}, "radius"}, [&] { validate(source.radius); });
    located(SourceEntry{{}, "region"}, [&] { validate(region_of(source), system.dimension); });
    if (source.group < 0 || static_cast<std::size_t>(source.group) >= system.groups.size()) {
        throw InputError(fmt::format("particles: group number {} does not exist; there are {}", source.group,
                                     system.groups.size()));
    }
    const bool by_density = source.density != 0.0;
    const double given = by_density ? source.density : source.mass;
    if (!(std::isfinite(given) && given > 0.0)) {
        throw InputError(fmt::format("particles: the {} must be positive and finite, not {}",
                                     by_density ? "density" : "mass", given));
    }
    if (!source.velocity.allFinite()) throw InputError("particles: the velocity must be finite");
    if (system.dimension == 2 && source.velocity[2] != 0.0) {
        throw InputError("particles: in 2-D the velocity has no z component");
    }
}

std::vector<Index> as_placed(const Placement& placement) {
    std::vector<Index> order(placement.centre.size());
    std::iota(order.begin(), order.end(), Index{0});
    return order;
}

/// Order along a space-filling curve: balls that touch get ids near each other and so lie near each other in
/// memory, as long as the grains do not mix.
std::vector<Index> along_curve(const Placement& placement) {
    if (placement.centre.empty()) return {};
    const std::vector<double>& radius = placement.reference_radius;
    const double cell = 2.0 * *std::max_element(radius.begin(), radius.end());
    return curve_order(placement.centre, placement.centre.front(), cell);
}

void append(const Placement& placement, const std::vector<Index>& order, const ParticleSource& source,
            System& system) {
    Particles& particles = system.particles;
    const bool frozen = system.groups[static_cast<std::size_t>(source.group)].frozen;
    ParticleId id = particles.next_id();
    particles.reserve(particles.id.size() + placement.centre.size());
    for (const Index k : order) {
        const double radius = placement.reference_radius[k];
        const double mass =
            source.density != 0.0 ? particle_mass(source.density, radius, system.dimension) : source.mass;
        particles.add({id++, placement.centre[k], source.velocity, radius, mass, source.group, frozen});
    }
}

double filled_fraction(const Placement& placement, double scale, double volume, int dimension) {
    double sum = 0.0;
    for (const double r : placement.reference_radius)
        sum += particle_mass(1.0, scale * r, dimension) / volume;
    return sum;
}

}  // namespace

double particle_mass(double density, double radius, int dimension) {
    const double area = std::numbers::pi * radius * radius;
    return dimension == 2 ? density * area : density * (4.0 / 3.0) * area * radius;
}

double expected_count(const ParticleSource& source, double scale, int dimension) {
    const double volume = region_of(source).volume(dimension);
    if (const auto* lattice = std::get_if<LatticeFill>(&source.fill)) {
        return expected_on_lattice(*lattice, volume, dimension);
    }
    return expected_at_random(std::get<RandomFill>(source.fill), source, scale, volume, dimension);
}

FillReport generate(const ParticleSource& source, const SolverOptions& solver, System& system) {
    validate_source(source, system);
    // Radii may change with time: what must not overlap are the balls as they are at the time of the system.
    set_radii(system.particles, system.groups, system.dimension, system.time);
    const double scale = system.groups[static_cast<std::size_t>(source.group)].radius_scale.at(system.time);
    if (!(std::isfinite(scale) && scale > 0.0)) {
        throw InputError(
            fmt::format("particles: the radius scale of group '{}' is {} at t = {} s; it must be > 0",
                        system.groups[static_cast<std::size_t>(source.group)].name, scale, system.time));
    }
    check_capacity(expected_count(source, scale, system.dimension), system);
    const FreePlaces obstacles(system, system.time);
    const Region& region = region_of(source);
    const FillSite site = {region, system.dimension, obstacles};
    const auto* lattice = std::get_if<LatticeFill>(&source.fill);
    const Placement placement = lattice != nullptr ? place_on_lattice(*lattice, source, site, scale)
                                                   : place_at_random(std::get<RandomFill>(source.fill),
                                                                     source, site, scale, solver, system);
    append(placement, lattice != nullptr ? as_placed(placement) : along_curve(placement), source, system);
    set_radii(system.particles, system.groups, system.dimension, system.time);

    FillReport report;
    report.asked = placement.asked;
    report.placed = static_cast<std::int64_t>(placement.centre.size());
    report.refused_by_walls = placement.refused;
    report.solid_fraction =
        filled_fraction(placement, scale, region.volume(system.dimension), system.dimension);
    return report;
}

}  // namespace talus
