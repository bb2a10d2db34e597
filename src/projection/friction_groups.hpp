#pragma once

#include <array>
#include <vector>

#include "friction_kernels.hpp"
#include "talus/projection/row_layout.hpp"

namespace talus {

/// Which contacts are solved at once: the rows of every block of a RowLayout, in its order, in groups that
/// share no body.
struct FrictionGroups {
    /// Position in the layout of each lane's row; -1: no row.
    using Members = std::array<Index, kGroupSize>;

    std::vector<GroupBlock> blocks;  ///< as in the layout
    std::vector<Members> members;    ///< (groups)

    void build(const RowLayout& layout);
    Index count() const { return static_cast<Index>(members.size()); }

private:
    void gather(Index begin, Index end);
    void group_gathered(const RowLayout& layout);

    std::vector<Index> waiting_;
    std::vector<Index> used_;  ///< (k) last group of each body
};

}  // namespace talus
