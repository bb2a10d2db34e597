#pragma once

#include <memory>
#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/broadphase/broad_phase.hpp"

namespace talus {

/// Candidate pairs that stay valid over several steps (Verlet list).
///
/// The list is built with a size radius_i + reach_i + skin_i for each particle, and remembers the centres and
/// radii it was built for. It holds every pair with gap <= reach_i + reach_j as long as, for every particle
/// on its own, |displacement| + radius growth + reach <= reach at the build + skin. Pairs of two frozen
/// particles are left out.
class NeighbourList {
public:
    /// @param skin extra reach as a fraction of the particle's radius [-], >= 0; 0 rebuilds whenever anything
    /// moves.
    NeighbourList(BroadPhaseKind kind, double skin);

    /// Makes the list valid for these particles and reaches. @param reach (n) [m], >= 0. @return true if it
    /// was rebuilt.
    bool update(const Particles& particles, const std::vector<double>& reach);
    /// Forgets the list: the next update rebuilds it (particles were added or removed).
    void invalidate();

    const std::vector<Pair>& pairs() const { return pairs_; }

private:
    bool valid_for(const Particles& particles, const std::vector<double>& reach) const;
    bool oversized(const Particles& particles, const std::vector<double>& reach) const;
    void build(const Particles& particles, const std::vector<double>& reach);

    std::unique_ptr<BroadPhase> broad_phase_;
    double skin_;
    bool built_ = false;
    std::vector<Pair> pairs_;
    std::vector<Vec3> built_position_;
    std::vector<double> size_;  // radius + reach + skin at the build [m]
};

}  // namespace talus
