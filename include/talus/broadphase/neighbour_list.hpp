#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/broadphase/broad_phase.hpp"
#include "talus/core/chunked_append.hpp"

namespace talus {

class SomePairs;

/// Candidate pairs that stay valid over several steps (Verlet list).
///
/// The list is built with a size radius_i + reach_i + skin_i for each particle, and remembers the centres and
/// radii it was built for. It holds every pair with gap <= reach_i + reach_j as long as, for every particle
/// on its own, |displacement| + radius growth + reach <= reach at the build + skin. Where a few particles
/// outgrow that, the pairs of these alone are looked for anew, until they add up to half of all. Pairs of two
/// frozen particles are left out.
class NeighbourList {
public:
    /// @param skin extra reach as a fraction of the particle's radius [-], >= 0; with 0 every motion outgrows
    /// it.
    NeighbourList(BroadPhaseKind kind, double skin);
    ~NeighbourList();

    /// Makes the list valid for these particles and reaches. Particles that were added since stand behind the
    /// others. @param reach (n) [m], >= 0. @return true if it was built anew.
    bool update(const Particles& particles, const std::vector<double>& reach);
    /// Particles with a flag other than 0 were removed, the others kept their order.
    void remove(const std::vector<std::uint8_t>& flags);
    /// Forgets the list: the next update rebuilds it (particles were arranged in another order).
    void invalidate();

    const std::vector<Pair>& pairs() const { return pairs_; }

private:
    void find_outgrown(const Particles& particles, const std::vector<double>& reach);
    bool oversized(const Particles& particles, const std::vector<double>& reach) const;
    void build(const Particles& particles, const std::vector<double>& reach);
    void refresh(const Particles& particles, const std::vector<double>& reach);
    void drop_frozen(const Particles& particles, std::vector<Pair>& pairs) const;
    double size_of(const Particles& particles, const std::vector<double>& reach, std::ptrdiff_t i) const {
        return (particles.radius[i] + reach[i]) + skin_ * particles.radius[i];
    }

    std::unique_ptr<BroadPhase> broad_phase_;
    std::unique_ptr<SomePairs> some_pairs_;
    double skin_;
    bool built_ = false;
    std::vector<Pair> pairs_;
    std::vector<Pair> fresh_, merged_;
    std::vector<Vec3> built_position_;
    std::vector<double> size_;  // radius + reach + skin at the build [m]
    std::vector<Index> outgrown_;
    std::size_t mended_ = 0;  // particles since the build, those that came or went among them
    std::vector<std::uint8_t> is_outgrown_;
    std::vector<Index> number_;
    ChunkedAppend<Index> append_;
};

}  // namespace talus
