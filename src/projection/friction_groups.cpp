#include "friction_groups.hpp"

#include <algorithm>
#include <utility>

namespace talus {

namespace {

constexpr std::size_t kWindow = 64;  ///< rows among which partners for a group are looked for

/// Whether two rows of one kind have a body in common.
bool share_body(const RowLayout::Ends& a, const RowLayout::Ends& b) {
    return a.i == b.i || (a.j >= 0 && (a.i == b.j || a.j == b.i || a.j == b.j));
}

}  // namespace

void FrictionGroups::build(const RowLayout& layout) {
    blocks.clear();
    members.clear();
    for (const RowLayout::Block& block : layout.blocks) {
        GroupBlock groups{};
        groups.begin = count();
        gather(block.begin, block.idle);
        gather(block.four_end, block.single);
        group_gathered(layout);
        groups.idle = count();
        gather(block.idle, block.four_end);
        group_gathered(layout);
        groups.single = count();
        gather(block.single, block.end);
        group_gathered(layout);
        groups.end = count();
        blocks.push_back(groups);
    }
}

void FrictionGroups::gather(Index begin, Index end) {
    for (Index c = begin; c < end; ++c) waiting_.push_back(c);
}

/// A row and the next ones that go with it, until all rows gathered have their group.
void FrictionGroups::group_gathered(const RowLayout& layout) {
    constexpr Index kTaken = -1;
    for (std::size_t first = 0; first < waiting_.size(); ++first) {
        if (waiting_[first] == kTaken) continue;
        Members group;
        group.fill(-1);
        int count = 0;
        const auto is_apart = [&](Index c) {
            return std::none_of(group.begin(), group.begin() + count,
                                [&](Index other) { return share_body(layout.ends[other], layout.ends[c]); });
        };
        const std::size_t last = std::min(waiting_.size(), first + kWindow);
        for (std::size_t k = first; k < last && count < kGroupSize; ++k) {
            if (waiting_[k] == kTaken || !is_apart(waiting_[k])) continue;
            group[count++] = std::exchange(waiting_[k], kTaken);
        }
        members.push_back(group);
    }
    waiting_.clear();
}

}  // namespace talus
