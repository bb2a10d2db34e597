#include "overlap_mender.hpp"

#include "row_kernels.hpp"

namespace talus {

void OverlapMender::start(const RowLayout& layout) {
    is_added_.assign(layout.blocks.size(), 0);
    rows_ = 0;
}

bool OverlapMender::add_blocks(const RowLayout& layout, const OptimalityMeter& meter, double tolerance) {
    constexpr Index kPart = 16;  // of the rows: four sweeps of them take a quarter of one of all
    for (std::size_t k = 0; k < is_added_.size(); ++k) {
        if (is_added_[k] != 0 || meter.overlap_in(k) <= tolerance) continue;
        is_added_[k] = 1;
        rows_ += layout.blocks[k].end - layout.blocks[k].begin;
    }
    return rows_ <= layout.row_count() / kPart;
}

void OverlapMender::sweep(const RowLayout& layout, std::span<double> y, std::span<Packed> w) const {
    constexpr int kSweeps = 4;
    const RowView rows(layout);
    const auto relaxed = [&](Index c, double g) {
        const double before = y[c];
        y[c] = positive_part(before - g);
        return y[c] - before;
    };
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (std::size_t k = 0; k < is_added_.size(); ++k) {
            if (is_added_[k] == 0) continue;
            const RowLayout::Block& block = layout.blocks[k];
            for (Index c = block.begin; c < block.single; ++c)
                push_pair(rows, c, relaxed(c, pair_slope(rows, c, w.data())), w.data());
            for (Index c = block.single; c < block.end; ++c)
                push_single(rows, c, relaxed(c, single_slope(rows, c, w.data())), w.data());
        }
    }
}

}  // namespace talus
