#include "friction_groups.hpp"

#include <algorithm>
#include <utility>

namespace talus {

namespace {

constexpr std::size_t kWindow = 64;  ///< rows among which partners for a group are looked for
/// Groups that a body should rest for before it comes again: a group waits for the results of one just
/// before.
constexpr Index kRest = 1;
constexpr Index kLongAgo = -kRest - 1;

}  // namespace

void FrictionGroups::build(const RowLayout& layout) {
    blocks.clear();
    members.clear();
    used_.assign(layout.body.size(), kLongAgo);
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

/// The next rows whose bodies have rested, then the next ones at all, until all rows gathered have a group.
void FrictionGroups::group_gathered(const RowLayout& layout) {
    constexpr Index kTaken = -1;
    for (std::size_t first = 0; first < waiting_.size();) {
        if (waiting_[first] == kTaken) {
            ++first;
            continue;
        }
        Members group;
        group.fill(-1);
        int filled = 0;
        const Index number = count();
        const auto have_rested = [&](const RowLayout::Ends& ends, Index rest) {
            return number - used_[ends.i] > rest && (ends.j < 0 || number - used_[ends.j] > rest);
        };
        const std::size_t last = std::min(waiting_.size(), first + kWindow);
        for (const Index rest : {kRest, Index{0}}) {
            for (std::size_t k = first; k < last && filled < kGroupSize; ++k) {
                if (waiting_[k] == kTaken) continue;
                const RowLayout::Ends& ends = layout.ends[waiting_[k]];
                if (!have_rested(ends, rest)) continue;
                used_[ends.i] = number;
                if (ends.j >= 0) used_[ends.j] = number;
                group[filled++] = std::exchange(waiting_[k], kTaken);
            }
        }
        members.push_back(group);
    }
    waiting_.clear();
}

}  // namespace talus
