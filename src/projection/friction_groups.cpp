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
        group_rows(layout, block.begin, block.single);
        groups.single = count();
        group_rows(layout, block.single, block.end);
        groups.end = count();
        blocks.push_back(groups);
    }
}

/// A row and the next ones that go with it, until all rows have their group.
void FrictionGroups::group_rows(const RowLayout& layout, Index begin, Index end) {
    constexpr Index kTaken = -1;
    waiting_.clear();
    for (Index c = begin; c < end; ++c) waiting_.push_back(c);
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
}

}  // namespace talus
