#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "packing_relaxation.hpp"
#include "placement.hpp"
#include "region_walls.hpp"
#include "talus/core/error.hpp"
#include "talus/step/initial_overlap.hpp"

namespace talus {

namespace {

struct GrowthOptions {
    /// Solid fraction at which growth starts [-]: low enough for a quick random sequential addition.
    double first_fraction_2d = 0.42, first_fraction_3d = 0.24;
    double first_retreat =
        0.85;               ///< factor of the first share of the radii when not even that finds places [-]
    int first_tries = 20;   ///< retreats before nothing fits at all
    double step = 0.02;     ///< growth of the radii in one stage, as a share of what they are [-]
    double overlap = 0.02;  ///< left after a stage, over the smaller radius [-]
    int sweeps = 1000;      ///< of one stage before it is given up
    /// The last stage grows this much further than asked and leaves half of it as overlap, so that at the
    /// radii asked for nothing overlaps although no iteration is exact [-].
    double inflation = 1e-3;
    /// Annealing after a stage that was given up: the radii shrink by a factor [-], then the packing is
    /// shaken by a share of the radii [-] and relaxed, many times. Walls and equal balls make layers, which
    /// take less room than disorder. Stronger shaking or more room undoes the layers again (tried: 0.2 and
    /// 0.97).
    double retreat = 0.98, shake = 0.1;
    int most_cycles = 1000, least_cycles = 100;
    double ball_cycles = 3e6;  ///< of one annealing, bounds its time; large packings hardly need any
    int sweeps_of_cycle = 10;
    int anneals = 8;  ///< before the packing counts as jammed
    double hopeless =
        0.93;  ///< share of the radii below which annealing does not make up for what is missing [-]
    double exact_overlap = 1e-12;  ///< asked of the projection where balls fit exactly [-]
    int rounds = 20;               ///< of that projection
};

/// The balls that grow, in a system of its own: what was there, frozen, the walls and the boundary of the
/// region.
System scratch_system(const FillSite& site, std::span<const double> radius, std::span<const Vec3> centre,
                      const System& system) {
    System scratch;
    scratch.dimension = site.dimension;
    scratch.time = system.time;
    scratch.groups.resize(1);
    scratch.walls = system.walls;
    for (Wall& wall : region_walls(site.region, site.dimension)) scratch.walls.push_back(std::move(wall));
    const double largest = *std::max_element(radius.begin(), radius.end());
    const Particles& there = system.particles;
    Particles& particles = scratch.particles;
    const Box bounds = site.region.bounds();
    for (std::size_t i = 0; i < there.position.size(); ++i) {
        const Vec3 reach = Vec3::Constant(there.radius[i] + largest);
        const Vec3 above = there.position[i] - bounds.low + reach;
        const Vec3 below = bounds.high - there.position[i] + reach;
        const Vec3 room = above.cwiseMin(below);
        if (room.head(site.dimension).minCoeff() < 0.0)
            continue;  // too far to be met by anything in the region
        particles.add({particles.size(), there.position[i], Vec3::Zero(), there.radius[i], 1.0, 0, true});
    }
    for (std::size_t k = 0; k < radius.size(); ++k) {
        const double mass = particle_mass(1.0, radius[k] / largest, site.dimension);
        particles.add({particles.size(), centre[k], Vec3::Zero(), radius[k], mass});
    }
    return scratch;
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

class Grower {
public:
    Grower(const FillSite& site, std::span<const double> radius, System scratch, std::uint64_t seed)
        : site_(site), radius_(radius), scratch_(std::move(scratch)), seed_(seed), relaxation_(scratch_) {
        first_ = scratch_.particles.position.size() - radius.size();
    }

    /// Grows from one share of the radii to all, without overlap. @return false when it jammed before.
    bool grow(double share);
    /// For balls that fit only exactly, where growing further is impossible: ends on the projection.
    bool grow_exactly(const SolverOptions& solver);
    double reached() const { return reached_; }
    std::vector<Vec3> centres() const;

private:
    void set_share(double share);
    bool stage(double share, double overlap);
    void anneal(double share);

    const GrowthOptions options_;
    const FillSite& site_;
    std::span<const double> radius_;
    System scratch_;
    std::uint64_t seed_;
    PackingRelaxation relaxation_;
    std::size_t first_ = 0;  // index of the first growing ball
    double reached_ = 0.0;   // largest share of the radii with all overlaps within options_.overlap
};

void Grower::set_share(double share) {
    for (std::size_t k = 0; k < radius_.size(); ++k)
        scratch_.particles.radius[first_ + k] = share * radius_[k];
    relaxation_.radii_changed();
}

bool Grower::stage(double share, double overlap) {
    set_share(share);
    relaxation_.shake(options_.shake * options_.step, seed_++);  // parts centres that fell on the same place
    return relaxation_.relax(overlap, options_.sweeps);
}

void Grower::anneal(double share) {
    set_share(share);
    const double affordable = options_.ball_cycles / static_cast<double>(radius_.size());
    const int cycles = std::clamp(static_cast<int>(affordable), options_.least_cycles, options_.most_cycles);
    for (int k = 0; k < cycles; ++k) {
        relaxation_.shake(options_.shake, seed_++);
        relaxation_.relax(options_.overlap, options_.sweeps_of_cycle);
    }
}

bool Grower::grow(double share) {
    int anneals = 0;
    reached_ = share;
    for (;;) {
        const bool last = share >= 1.0;
        const double next = last ? 1.0 + options_.inflation : std::min(1.0, share * (1.0 + options_.step));
        if (stage(next, last ? 0.5 * options_.inflation : options_.overlap)) {
            if (last) return is_packing(site_, radius_, centres());
            share = next;
            reached_ = std::max(reached_, share);
            continue;
        }
        if (share < options_.hopeless || anneals++ == options_.anneals) return false;
        share *= options_.retreat;
        anneal(share);
    }
}

bool Grower::grow_exactly(const SolverOptions& solver) {
    if (reached_ < 1.0 || !stage(1.0, options_.inflation)) return false;
    try {
        resolve_overlaps(scratch_, solver, options_.exact_overlap, options_.rounds);
    } catch (const StateError&) {  // no way to part them: the caller reports how far growth came
        return false;
    }
    return is_packing(site_, radius_, centres());
}

std::vector<Vec3> Grower::centres() const {
    const std::vector<Vec3>& all = scratch_.particles.position;
    return {all.begin() + static_cast<std::ptrdiff_t>(first_), all.end()};
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
    Grower grower(site, radius, scratch_system(site, radius, start.centre, system), seed);
    growth.complete = grower.grow(share) || grower.grow_exactly(solver);
    growth.reached = grower.reached();
    if (growth.complete) growth.centre = grower.centres();
    return growth;
}

}  // namespace talus
