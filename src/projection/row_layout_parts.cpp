#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>

#include "talus/projection/row_layout.hpp"

namespace talus {

namespace {

/// Counting sort of the bodies by block.
void list_by_block(std::span<const Index> block_of, std::size_t blocks, RowLayout::BodyLists& lists) {
    lists.begin.assign(blocks + 1, 0);
    for (const Index block : block_of) ++lists.begin[block + 1];
    std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
    lists.body.resize(block_of.size());
    for (std::size_t k = 0; k < block_of.size(); ++k) {
        lists.body[lists.begin[block_of[k]]++] = static_cast<Index>(k);
    }
    // Each begin has moved to its end, which is the next one's begin.
    std::shift_right(lists.begin.begin(), lists.begin.end(), 1);
    lists.begin.front() = 0;
}

}  // namespace

void RowLayoutBuilder::list_bodies(RowLayout& layout) {
    constexpr Index kNone = -1;
    first_block_.assign(layout.body.size(), kNone);
    // In the order of a sweep, so that the first to touch a body is the first of a sweep.
    layout.sweep_blocks([&](Index number, const RowLayout::Block& block) {
        const auto touch = [&](Index body) {
            if (first_block_[body] == kNone) first_block_[body] = number;
        };
        for (Index c = block.begin; c < block.end; ++c) {
            touch(layout.ends[c].i);
            if (layout.ends[c].j >= 0) touch(layout.ends[c].j);
        }
    });
    list_by_block(first_block_, layout.blocks.size(), layout.opened);
}

/// Cuts every colour along the curve into one part a thread, so that after every colour all have had about as
/// many rows. (One cut for all colours would keep a part in one place, but where the bodies fill few cubes,
/// some colours would then lie in one part only.)
void RowLayoutBuilder::share_out(RowLayout& layout) {
    layout.part_count = thread_count();
    rows_of_part_.assign(static_cast<std::size_t>(layout.part_count), 0);
    part_.clear();
    for (std::size_t colour = 0; colour < layout.colour_count(); ++colour) {
        share_colour(layout, layout.colour_begin[colour], layout.colour_begin[colour + 1]);
    }
    mark_shared_blocks(layout);
    layout.parts.clear();
    layout.turns.clear();
    for (std::size_t colour = 0; colour < layout.colour_count(); ++colour) {
        Index block = layout.colour_begin[colour];
        for (int part = 0; part < layout.part_count; ++part) {
            const Index first = block;
            while (block < layout.colour_begin[colour + 1] && part_[block] == part) ++block;
            add_turns(first, block, layout);
        }
    }
}

/// A block goes where its middle row falls.
void RowLayoutBuilder::share_colour(const RowLayout& layout, Index first_block, Index last_block) {
    const auto rows_until = [&](Index block) -> std::int64_t {
        return block == 0 ? 0 : layout.blocks[block - 1].end;
    };
    const std::int64_t all = rows_until(last_block);
    const auto wanted = [&](int part) {
        const std::int64_t fair =
            share_begin(all, part + 1, layout.part_count) - share_begin(all, part, layout.part_count);
        return std::max<std::int64_t>(0, fair - rows_of_part_[part]);
    };
    int part = 0;
    std::int64_t cut = rows_until(first_block) + wanted(part);
    for (Index b = first_block; b < last_block; ++b) {
        const std::int64_t begin = rows_until(b), end = rows_until(b + 1);
        while (part + 1 < layout.part_count && begin + end > 2 * cut) cut += wanted(++part);
        rows_of_part_[part] += end - begin;
        part_.push_back(part);
    }
}

/// A part's blocks of one colour: those that other parts wait for come first.
void RowLayoutBuilder::add_turns(Index first_block, Index last_block, RowLayout& layout) {
    RowLayout::Part part{};
    part.begin = static_cast<Index>(layout.turns.size());
    for (Index b = first_block; b < last_block; ++b) {
        if (shared_[b] != 0) layout.turns.push_back(b);
    }
    part.own = static_cast<Index>(layout.turns.size());
    for (Index b = first_block; b < last_block; ++b) {
        if (shared_[b] == 0) layout.turns.push_back(b);
    }
    part.end = static_cast<Index>(layout.turns.size());
    layout.parts.push_back(part);
}

/// Finds the blocks with a body that a block of another part has too.
void RowLayoutBuilder::mark_shared_blocks(const RowLayout& layout) {
    constexpr int kNone = -1;
    constexpr int kSeveral = -2;
    shared_.assign(layout.blocks.size(), 0);
    if (layout.part_count == 1) return;
    part_of_body_.assign(layout.body.size(), kNone);
    const auto mark = [&](Index body, int part) {
        const std::atomic_ref holder(part_of_body_[body]);
        int before = kNone;
        if (!holder.compare_exchange_strong(before, part, std::memory_order_relaxed) && before != part)
            holder.store(kSeveral, std::memory_order_relaxed);
    };
    const auto blocks = std::ssize(layout.blocks);
    const std::ptrdiff_t serial_below = layout.row_count() < small_loop() ? blocks + 1 : 2;
    const auto mark_bodies = [&](std::ptrdiff_t b) {
        for (Index c = layout.blocks[b].begin; c < layout.blocks[b].end; ++c) {
            mark(layout.ends[c].i, part_[b]);
            if (layout.ends[c].j >= 0) mark(layout.ends[c].j, part_[b]);
        }
    };
    parallel_for(blocks, mark_bodies, serial_below);
    const auto is_shared = [&](Index body) { return body >= 0 && part_of_body_[body] == kSeveral; };
    const auto look = [&](std::ptrdiff_t b) {
        for (Index c = layout.blocks[b].begin; c < layout.blocks[b].end; ++c) {
            if (is_shared(layout.ends[c].i) || is_shared(layout.ends[c].j)) shared_[b] = 1;
        }
    };
    parallel_for(blocks, look, serial_below);
}

}  // namespace talus
