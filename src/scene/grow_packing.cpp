#include <algorithm>
#include <cmath>

#include "placement.hpp"
#include "region_profile.hpp"
#include "talus/core/error.hpp"
#include "talus/core/random.hpp"
#include "talus/step/initial_overlap.hpp"

namespace talus {

namespace {

struct GrowthOptions {
    /// Solid fraction at which growth starts [-]: low enough for a quick random sequential addition.
    double first_fraction_2d = 0.42, first_fraction_3d = 0.24;
    double first_retreat =
        0.85;              ///< factor of the first share of the radius when not even that finds places [-]
    int first_tries = 20;  ///< retreats before nothing fits at all
    double step = 0.03;    ///< growth of the radii in one stage, as a share of what they are [-]
    double least_step = 1e-3;     ///< smaller steps are not tried: the packing is jammed
    double stage_overlap = 1e-2;  ///< left between stages, over the smaller radius [-]
    double shake = 0.1;           ///< longest random move before a stage, as a share of the radius [-]
    /// The last stage grows a little further than asked and leaves half of that as overlap, so that at the
    /// radii asked for nothing overlaps although no solve is exact [-]. Tried in this order: 0 is for places
    /// where balls fit exactly.
    double inflation[3] = {1e-3, 1e-5, 0.0};
    double exact_overlap = 1e-12;  ///< asked of the last stage without inflation [-]
    int rounds = 100;              ///< of resolve_overlaps in a stage
    int failures = 12;             ///< stages that may fail before the packing counts as jammed
};

/// A system of its own: what was there, frozen, and the balls that grow between it, the walls and the
/// boundary of the region.
class GrowingPacking {
public:
    GrowingPacking(const FillSite& site, std::span<const double> radius, std::vector<Vec3> centre,
                   const System& system, std::uint64_t seed);

    /// Random inelastic motion, each ball by up to `shaking` radii; then the radii become `share` of the
    /// final ones and overlaps above `overlap` are resolved. @return false and the state before when that can
    /// not be done in so many rounds.
    bool stage(double share, double shaking, double overlap, const SolverOptions& solver, int rounds);
    std::vector<Vec3> centres() const;

private:
    void shake(double length);

    System scratch_;
    std::vector<double> radius_;
    std::size_t first_ = 0;  // index of the first growing ball
    std::uint64_t seed_, shakes_ = 0;
};

GrowingPacking::GrowingPacking(const FillSite& site, std::span<const double> radius, std::vector<Vec3> centre,
                               const System& system, std::uint64_t seed)
    : radius_(radius.begin(), radius.end()), seed_(seed) {
    scratch_.dimension = site.dimension;
    scratch_.time = system.time;
    scratch_.groups.resize(1);
    scratch_.walls = system.walls;
    for (Wall& wall : region_walls(site.region, site.dimension)) scratch_.walls.push_back(std::move(wall));
    const double largest = *std::max_element(radius_.begin(), radius_.end());
    const Particles& there = system.particles;
    Particles& particles = scratch_.particles;
    const Box bounds = site.region.bounds();
    for (std::size_t i = 0; i < there.position.size(); ++i) {
        const Vec3 reach = Vec3::Constant(there.radius[i] + largest);
        const Vec3& x = there.position[i];
        const bool near = ((x - bounds.low + reach).array() >= 0.0).all() &&
                          ((bounds.high + reach - x).array() >= 0.0).all();
        if (near)
            particles.add(static_cast<ParticleId>(first_++), x, Vec3::Zero(), there.radius[i], 1.0, 0, true);
    }
    for (std::size_t k = 0; k < radius_.size(); ++k) {
        const double mass = particle_mass(1.0, radius_[k] / largest, site.dimension);
        particles.add(static_cast<ParticleId>(first_ + k), centre[k], Vec3::Zero(), radius_[k], mass, 0,
                      false);
    }
}

void GrowingPacking::shake(double length) {
    for (std::size_t k = 0; k < radius_.size(); ++k) {
        Random random(seed_ + shakes_, k);
        Vec3 move(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
        if (scratch_.dimension == 2) move[2] = 0.0;
        scratch_.particles.position[first_ + k] += length * radius_[k] / std::max(1.0, move.norm()) * move;
    }
    ++shakes_;
}

bool GrowingPacking::stage(double share, double shaking, double overlap, const SolverOptions& solver,
                           int rounds) {
    Particles& particles = scratch_.particles;
    const std::vector<Vec3> before = particles.position;
    shake(shaking * share);
    for (std::size_t k = 0; k < radius_.size(); ++k) particles.radius[first_ + k] = share * radius_[k];
    try {
        resolve_overlaps(scratch_, solver, overlap, rounds);
        return true;
    } catch (const StateError&) {  // jammed, or too slow to be worth it: the caller tries something else
        particles.position = before;
        return false;
    }
}

std::vector<Vec3> GrowingPacking::centres() const {
    return {scratch_.particles.position.begin() + static_cast<std::ptrdiff_t>(first_),
            scratch_.particles.position.end()};
}

/// The judge: every ball admissible and free of all others.
bool is_packing(const FillSite& site, std::span<const double> radius, std::span<const Vec3> centre) {
    FreePlaces fresh;
    for (std::size_t k = 0; k < radius.size(); ++k) {
        if (!site.admits(centre[k], radius[k]) || !fresh.is_free_of_balls(centre[k], radius[k])) return false;
        fresh.add(centre[k], radius[k]);
    }
    return true;
}

/// Share of the radii at which all balls together fill a fraction that random sequential addition reaches
/// quickly.
double first_share(const FillSite& site, std::span<const double> radius, const GrowthOptions& options) {
    const double volume = site.region.volume(site.dimension);
    double fraction = 0.0;
    for (const double r : radius) fraction += particle_mass(1.0, r, site.dimension) / volume;
    const double first = site.dimension == 2 ? options.first_fraction_2d : options.first_fraction_3d;
    return std::min(1.0, site.dimension == 2 ? std::sqrt(first / fraction) : std::cbrt(first / fraction));
}

/// @return share of the radii that was reached: 1 or where it jammed.
double grow(GrowingPacking& packing, double share, const GrowthOptions& options,
            const SolverOptions& solver) {
    double step = options.step;
    int failures = 0;
    while (share < 1.0) {
        const double next = std::min(1.0, share * (1.0 + step));
        if (packing.stage(next, options.shake, options.stage_overlap, solver, options.rounds)) {
            share = next;
            step = std::min(options.step, 1.5 * step);
            continue;
        }
        step = std::max(options.least_step, 0.5 * step);
        if (++failures == options.failures) break;
    }
    return share;
}

}  // namespace

Growth grow_packing(const FillSite& site, std::span<const double> radius, std::uint64_t seed,
                    const SolverOptions& solver, const System& system) {
    const GrowthOptions options;
    double share = first_share(site, radius, options);
    Addition start = add_at_random(site, radius, share, seed);
    for (int k = 0; k < options.first_tries && !start.complete; ++k) {
        share *= options.first_retreat;
        start = add_at_random(site, radius, share, seed);
    }
    Growth growth;
    if (!start.complete) return growth;
    GrowingPacking packing(site, radius, std::move(start.centre), system, seed);
    growth.reached = grow(packing, share, options, solver);
    if (growth.reached < 1.0) return growth;
    for (const double inflation : options.inflation) {
        const double overlap = inflation > 0.0 ? 0.5 * inflation : options.exact_overlap;
        if (!packing.stage(1.0 + inflation, 0.0, overlap, solver, options.rounds)) continue;
        growth.centre = packing.centres();
        growth.complete = is_packing(site, radius, growth.centre);
        if (growth.complete) break;
    }
    return growth;
}

}  // namespace talus
