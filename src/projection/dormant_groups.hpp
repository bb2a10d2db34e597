#pragma once

#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "talus/projection/row_layout.hpp"

namespace talus {

/// Which groups of idle rows a sweep passes over: those that carry no impulse sleep until one of their rows
/// is violated. Groups only wake during a solve, so that in the end it iterates on one set of rows, whose
/// solution is that of all.
class DormantGroups {
public:
    /// @param groups (block number) -> {first, last} of its idle groups, named by numbers `stride` apart.
    /// @param carries (group) -> bool, whether any of its rows has an impulse.
    template <class Groups, class Carries>
    void start(const RowLayout& layout, Index stride, Groups&& groups, Carries&& carries);
    /// @param violated (group) -> bool, asked of every group that sleeps.
    template <class Violated>
    void wake(const RowLayout& layout, Violated&& violated);

    /// How many groups sleep.
    Index asleep() const {
        return static_cast<Index>(group_.size()) - std::accumulate(awake_.begin(), awake_.end(), Index{0});
    }
    /// The idle groups of a block that do not sleep.
    std::span<const Index> awake(Index block) const {
        return std::span(group_).subspan(begin_[block], awake_[block]);
    }

private:
    std::vector<Index> begin_;  ///< (blocks + 1) into group_
    std::vector<Index> group_;  ///< by block, first those awake
    std::vector<Index> awake_;  ///< (blocks) how many are
};

template <class Groups, class Carries>
void DormantGroups::start(const RowLayout& layout, Index stride, Groups&& groups, Carries&& carries) {
    const std::size_t blocks = layout.blocks.size();
    begin_.assign(blocks + 1, 0);
    awake_.assign(blocks, 0);
    for (std::size_t b = 0; b < blocks; ++b) {
        const auto [first, last] = groups(static_cast<Index>(b));
        begin_[b + 1] = begin_[b] + (last - first) / stride;
    }
    group_.resize(begin_[blocks]);
    layout.read_blocks([&](Index b, const RowLayout::Block&) {
        Index group = groups(b).first;
        for (Index k = begin_[b]; k < begin_[b + 1]; ++k, group += stride) group_[k] = group;
    });
    wake(layout, carries);
}

template <class Violated>
void DormantGroups::wake(const RowLayout& layout, Violated&& violated) {
    layout.read_blocks([&](Index b, const RowLayout::Block&) {
        for (Index k = begin_[b] + awake_[b]; k < begin_[b + 1]; ++k) {
            if (violated(group_[k])) std::swap(group_[k], group_[begin_[b] + awake_[b]++]);
        }
    });
}

}  // namespace talus
