#include "uzawa.hpp"

#include <algorithm>

namespace talus {

Status Uzawa::minimise() {
    slope_.resize(y_.size());
    w_fresh_.resize(w_.size());
    const double step = 1.0 / eigenvalue_bound();
    return iterate([&] { descend(step); }, [] {}, w_fresh_);  // descend forms w afresh
}

/// y <- max(0, y - step (A y + b)), w <- M^-1 G' S y.
void Uzawa::descend(double step) {
    layout_.gather(w_, slope_);
    layout_.read_blocks([&](std::ptrdiff_t, const RowLayout::Block& block) {
        for (Index c = block.begin; c < block.end; ++c) {
            y_[c] = std::max(0.0, y_[c] - step * (slope_[c] + layout_.direction[c][3]));
        }
    });
    layout_.scatter(y_, w_);
}

}  // namespace talus
