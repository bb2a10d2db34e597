#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "placement.hpp"
#include "talus/core/error.hpp"

namespace talus {

namespace {

// Random sequential addition saturates at 0.38 in 3-D and 0.547 in 2-D; up to these fractions it is quick.
double addition_limit(int dimension) {
    return dimension == 2 ? 0.50 : 0.30;
}

// Random packings jam at about 0.64 in 3-D and 0.84 in 2-D; close to that only order would make room.
double growth_limit(int dimension) {
    return dimension == 2 ? 0.80 : 0.60;
}

double ball_volume(double radius, int dimension) {
    return particle_mass(1.0, radius, dimension);
}

void refuse_fraction(double fraction, int dimension) {
    throw InputError(
        fmt::format("random fill: a solid fraction of {:.4g} is more than {:.2f}, the most that is filled at "
                    "random in {}-D "
                    "(disordered packings jam at about {:.2f}); use a lattice or let particles settle",
                    fraction, growth_limit(dimension), dimension, dimension == 2 ? 0.84 : 0.64));
}

void validate_target(const RandomFill& fill, int dimension) {
    const bool by_count = fill.count >= 0;
    const bool by_fraction = fill.solid_fraction >= 0.0;
    if (by_count == by_fraction) {
        throw InputError("random fill: give a count >= 0 or a solid fraction > 0, one of the two");
    }
    if (by_fraction && !(fill.solid_fraction > 0.0))
        throw InputError("random fill: the solid fraction must be > 0");
    if (fill.solid_fraction > growth_limit(dimension)) refuse_fraction(fill.solid_fraction, dimension);
    if (fill.count > std::numeric_limits<Index>::max()) {
        throw InputError(fmt::format("random fill: {} particles are more than {}", fill.count,
                                     std::numeric_limits<Index>::max()));
    }
}

/// Radii whose volume comes as close to `target` as whole particles can. Volumes are shares of the region's,
/// so that the number does not depend on the unit of length.
std::vector<double> radii_for_fraction(const ParticleSource& source, double scale, double target,
                                       double volume, int dimension) {
    const double mean_share = ball_volume(scale, dimension) * source.radius.mean_power(dimension) / volume;
    std::vector<double> radii;
    double filled = 0.0;
    for (std::uint64_t item = 0;; ++item) {
        const double radius = source.radius.draw(source.seed, item);
        const double share = ball_volume(scale * radius, dimension) / volume;
        if (filled + 0.5 * share > target) break;
        filled += share;
        radii.push_back(radius);
    }
    if (radii.empty()) {
        throw InputError(
            fmt::format("random fill: a solid fraction of {} is less than one particle (on average {:.3g})",
                        target, mean_share));
    }
    return radii;
}

std::vector<double> draw_radii(const RandomFill& fill, const ParticleSource& source, double scale,
                               int dimension) {
    const double volume = fill.region.volume(dimension);
    if (fill.count < 0) return radii_for_fraction(source, scale, fill.solid_fraction, volume, dimension);
    const double mean_share = ball_volume(scale, dimension) * source.radius.mean_power(dimension) / volume;
    std::vector<double> radii;  // grows as it is filled: a count far beyond what fits must cost nothing
    double fraction = 0.0;
    for (std::int64_t item = 0; item < fill.count; ++item) {
        radii.push_back(source.radius.draw(source.seed, static_cast<std::uint64_t>(item)));
        fraction += ball_volume(scale * radii.back(), dimension) / volume;
        if (fraction > growth_limit(dimension)) {
            throw InputError(
                fmt::format("random fill: {} particles would fill more than {:.2f} of the region, the most "
                            "that is filled at random "
                            "in {}-D; about {:.0f} fit",
                            fill.count, growth_limit(dimension), dimension,
                            std::floor(growth_limit(dimension) / mean_share)));
        }
    }
    return radii;
}

double fraction_of(std::span<const double> radius, double volume, int dimension) {
    double sum = 0.0;
    for (const double r : radius) sum += ball_volume(r, dimension) / volume;
    return sum;
}

[[noreturn]] void refuse_jammed(std::size_t asked, const Addition& addition, double reached_fraction) {
    throw InputError(
        fmt::format("random fill: {} particles do not fit: random sequential addition placed {}, growth "
                    "jammed at a solid fraction "
                    "of {:.4g}; ask for less, enlarge the region or remove what stands in it",
                    asked, addition.placed, reached_fraction));
}

}  // namespace

double expected_at_random(const RandomFill& fill, const ParticleSource& source, double scale, double volume,
                          int dimension) {
    const double most = fill.count < 0 ? fill.solid_fraction : growth_limit(dimension);
    const double mean_share = ball_volume(scale, dimension) * source.radius.mean_power(dimension) / volume;
    const double number = most / mean_share;
    return fill.count < 0 ? number : std::min(number, static_cast<double>(fill.count));
}

Placement place_at_random(const RandomFill& fill, const ParticleSource& source, const FillSite& site,
                          double scale, const SolverOptions& solver, const System& system) {
    validate_target(fill, site.dimension);
    Placement result;
    result.reference_radius = draw_radii(fill, source, scale, site.dimension);
    result.asked = static_cast<std::int64_t>(result.reference_radius.size());
    std::vector<double> radius = result.reference_radius;
    for (double& r : radius) r *= scale;
    const double fraction = fraction_of(radius, fill.region.volume(site.dimension), site.dimension);

    // The radii use the stream `seed`, the places another one.
    const std::uint64_t places_seed = ~source.seed;
    Addition addition;
    if (fraction <= addition_limit(site.dimension)) addition = add_at_random(site, radius, 1.0, places_seed);
    if (addition.complete) {
        result.centre = std::move(addition.centre);
        return result;
    }
    Growth growth = grow_packing(site, radius, places_seed, solver, system);
    if (!growth.complete) {
        refuse_jammed(radius.size(), addition, fraction * std::pow(growth.reached, site.dimension));
    }
    result.centre = std::move(growth.centre);
    return result;
}

}  // namespace talus
