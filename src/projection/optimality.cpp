#include "talus/projection/optimality.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "row_kernels.hpp"

namespace talus {

void OptimalityMeter::start(const RowLayout& layout) {
    partial_.resize(layout.blocks.size());
    layout.read_blocks([&](std::ptrdiff_t k, const RowLayout::Block& block) {
        Sums sums{};
        for (Index c = block.begin; c < block.end; ++c) {
            const double b = layout.direction[c][3];
            const double lack = std::min(0.0, meaningful_slope(b, layout.reach[c]));
            sums.first += lack * lack;
            sums.second += std::abs(b) + layout.direction[c].head<3>().cwiseAbs().sum() + layout.reach[c];
        }
        partial_[k] = sums;
    });
    const Sums sums = total();
    if (!std::isfinite(sums.first) || !std::isfinite(sums.second)) {
        throw std::invalid_argument(
            "projection: a rate, velocity, normal or mass is not finite or out of range");
    }
    reference_ = std::sqrt(sums.first);
}

Optimality OptimalityMeter::measure(const RowLayout& layout, std::span<const double> y,
                                    std::span<const Packed> w) {
    layout.read_blocks([&](std::ptrdiff_t k, const RowLayout::Block& block) {
        const RowView rows(layout);
        const auto add = [&]<class Value>(Index c, Value g, Value& squares, Value& largest) {
            const Value reach = load<Value>(layout.reach.data() + c);
            const Value part = smaller(load<Value>(y.data() + c), meaningful_slope(g, reach));
            squares += part * part;
            largest = larger(largest, -g * reach);
        };
        Lanes squares{}, largest{};
        for (Index c = block.begin; c < block.four_end; c += 4) {
            rows.prefetch(c, w.data());
            prefetch_values(y.data(), c);
            prefetch_values(layout.reach.data(), c);
            add(c, FourRows(rows, c, w.data()).slope, squares, largest);
        }
        for (Index c = block.single; c < block.single_four_end; c += 4) {
            add(c, FourSingles(rows, c, w.data()).slope, squares, largest);
        }
        Sums sums{};
        sums.first = sum_of_lanes(squares);
        for (int lane = 0; lane < 4; ++lane) sums.largest = std::max(sums.largest, largest[lane]);
        for (Index c = block.four_end; c < block.single; ++c) {
            add(c, pair_slope(rows, c, w.data()), sums.first, sums.largest);
        }
        for (Index c = block.single_four_end; c < block.end; ++c) {
            add(c, single_slope(rows, c, w.data()), sums.first, sums.largest);
        }
        partial_[k] = sums;
    });
    const Sums sums = total();
    const double norm = std::sqrt(sums.first);
    return {reference_ > 0.0 ? norm / reference_ : norm, sums.largest, norm};
}

double OptimalityMeter::complementarity(const RowLayout& layout, std::span<const double> y,
                                        std::span<const Packed> w) {
    layout.read_blocks([&](std::ptrdiff_t k, const RowLayout::Block& block) {
        Sums sums{};
        const RowView rows(layout);
        const auto add = [&](Index c, double g) {
            const double p = layout.scale[c] * y[c];
            const double lack = std::min(0.0, layout.direction[c][3]) / layout.scale[c];
            sums.first += y[c] * g;
            sums.second += p * p;
            sums.third += lack * lack;
        };
        for (Index c = block.begin; c < block.single; ++c) add(c, pair_slope(rows, c, w.data()));
        for (Index c = block.single; c < block.end; ++c) add(c, single_slope(rows, c, w.data()));
        partial_[k] = sums;
    });
    const Sums sums = total();
    const double size = std::sqrt(sums.second) * std::sqrt(sums.third);
    return size > 0.0 ? std::abs(sums.first) / size : 0.0;
}

OptimalityMeter::Sums OptimalityMeter::total() const {
    Sums sum{};
    for (const Sums& part : partial_) {
        sum.first += part.first;
        sum.second += part.second;
        sum.third += part.third;
        sum.largest = std::max(sum.largest, part.largest);
    }
    return sum;
}

}  // namespace talus
