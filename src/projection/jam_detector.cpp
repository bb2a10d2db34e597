#include "jam_detector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "row_kernels.hpp"

namespace talus {

namespace {

/// A least speed that means more than this many times the motion which the worst overlap asks for is no
/// motion of a packing any more; geometry that multiplies motions so much is parallel to one part in a
/// million.
constexpr double kLargestAmplification = 1e6;
/// Weighted mean overlap of the rows, over the radius, below which a jam is rounding of coordinates.
constexpr double kLeastJam = 1e-10;

}  // namespace

void JamDetector::start(const RowLayout& layout, std::span<const double> rate, double time_step) {
    next_ = kFirst;
    time_step_ = time_step;
    least_speed_ = 0.0;
    rate_.resize(layout.row.size());
    for (Index c = 0; c < layout.row_count(); ++c) rate_[c] = layout.scale[c] * rate[layout.row[c]];
    seen_.assign(layout.row.size(), 0.0);
}

bool JamDetector::is_proven(const RowLayout& layout, int iteration, std::span<const double> y) {
    if (iteration < next_) return false;
    next_ = 2 * iteration;
    d_.resize(y.size());
    for (std::size_t c = 0; c < y.size(); ++c) d_[c] = std::max(0.0, y[c] - seen_[c]);
    std::copy(y.begin(), y.end(), seen_.begin());
    return weights_prove(layout);
}

bool JamDetector::proves(const RowLayout& layout, std::span<const double> weights) {
    d_.assign(weights.begin(), weights.end());
    return weights_prove(layout);
}

bool JamDetector::weights_prove(const RowLayout& layout) {
    push_.resize(layout.body.size());
    touched_.assign(layout.body.size(), 0);
    layout.scatter(d_, push_);
    double lack = 0.0;    // -(S rate . d)
    double length = 0.0;  // sum of the impulses' radii
    double worst = 0.0;   // fastest rate at which a row of the weights overlaps [m/s]
    double radius = 0.0;
    for (Index c = 0; c < layout.row_count(); ++c) {
        if (!(d_[c] > 0.0)) continue;
        const double row_radius = time_step_ / (layout.reach[c] * layout.scale[c]);
        lack -= rate_[c] * d_[c];
        length += layout.scale[c] * d_[c] * row_radius;
        worst = std::max(worst, -rate_[c] / layout.scale[c]);
        radius = std::max(radius, row_radius);
        touched_[layout.ends[c].i] = 1;
        if (layout.ends[c].j >= 0) touched_[layout.ends[c].j] = 1;
    }
    if (!(lack * time_step_ > kLeastJam * length)) return false;
    double mass = 0.0;
    double push = 0.0;
    for (Index k = 0; k < layout.body_count(); ++k) {
        if (touched_[k] != 0) mass += layout.mass[k];
        push += layout.mass[k] * dot3(push_[k], push_[k]);
    }
    least_speed_ = push > 0.0 ? lack / std::sqrt(push) : std::numeric_limits<double>::max();
    return least_speed_ > std::sqrt(mass) * std::max(kLargestAmplification * worst, radius / time_step_);
}

JamProof JamDetector::proof(const RowLayout& layout) const {
    JamProof proof;
    proof.least_speed = least_speed_;
    proof.weights.assign(layout.row.size(), 0.0);
    double largest = 0.0;
    for (Index c = 0; c < layout.row_count(); ++c) largest = std::max(largest, layout.scale[c] * d_[c]);
    for (Index c = 0; c < layout.row_count(); ++c) {
        proof.weights[layout.row[c]] = layout.scale[c] * d_[c] / largest;
    }
    return proof;
}

}  // namespace talus
