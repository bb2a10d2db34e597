#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// Two particles, i < j.
struct Pair {
    Index i, j;
    bool operator==(const Pair&) const = default;
    auto operator<=>(const Pair&) const = default;
};

enum class BroadPhaseKind { cell_grid, kd_tree, r_tree, brute_force };

/// Finds every pair whose size balls overlap: |centre_i - centre_j| <= size_i + size_j, sorted by (i, j).
/// All kinds return exactly the same pairs, for any number of threads, wherever the centres are (finite).
class BroadPhase {
public:
    virtual ~BroadPhase() = default;
    /// @param centre (n) [m]. @param size (n) [m], >= 0. @param pairs replaced.
    virtual void find(std::span<const Vec3> centre, std::span<const double> size,
                      std::vector<Pair>& pairs) = 0;
};

std::unique_ptr<BroadPhase> make_broad_phase(BroadPhaseKind kind);

}  // namespace talus
