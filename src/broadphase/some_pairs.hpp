#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cell_rows.hpp"
#include "pair_collector.hpp"
#include "talus/broadphase/broad_phase.hpp"

namespace talus {

/// Finds the pairs of a few particles with all: a grid of the few, into which every particle looks that is
/// near any of them.
class SomePairs {
public:
    /// @param some particles, each once. @param centre (n) [m], finite. @param size (n) [m], finite, >= 0.
    /// @param pairs replaced by those of BroadPhase::find with at least one of `some`, sorted by (i, j).
    void find(std::span<const Index> some, std::span<const Vec3> centre, std::span<const double> size,
              std::vector<Pair>& pairs);

private:
    struct Box {
        Vec3 low, high;
    };
    void list_boxes();
    void look(Index particle, const Vec3& centre, double size, std::span<const Index> some,
              PairBuffer& out) const;

    CellRows rows_;         // of the few
    std::vector<Box> box_;  // of the centres of each level
    PairCollector found_;
    std::vector<Vec3> centre_;
    std::vector<double> size_;
    std::vector<std::uint8_t> is_some_;  // of every particle
};

}  // namespace talus
