#include "jam_detector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "row_kernels.hpp"

namespace talus {

namespace {

/// A least speed above this many times the speed that the worst overlap asks for is no motion of a packing
/// any more: a column of N spheres multiplies motions by N, a row that buckles by the inverse of its angle,
/// and near jamming larger factors were only seen where no motion exists.
constexpr double kLargestAmplification = 1e4;
/// Weighted mean overlap of the rows over the radius [-] below which a jam is rounding of coordinates.
constexpr double kLeastJam = 1e-10;
constexpr int kFirstLook = 32;    ///< iterations
constexpr int kLateLook = 1024;   ///< the same where standing still is admissible but for its overlap
constexpr int kSearchShare = 4;   ///< steps of the search: this part of the iterations so far
constexpr int kProofEvery = 8;    ///< steps of the search between attempts at a proof
constexpr int kNewtonSteps = 10;  ///< of the line search; the slope has a kink at every row

/// Derivatives along the line.
struct Bend {
    double slope = 0.0;
    double curvature = 0.0;
};

double mass_dot(const RowLayout& layout, std::span<const Packed> a, std::span<const Packed> b) {
    return parallel_sum(layout.body_count(),
                        [&](std::ptrdiff_t k) { return layout.mass[k] * dot3(a[k], b[k]); });
}

}  // namespace

void JamDetector::start(const RowLayout& layout, std::span<const double> rate, double time_step,
                        double overlap_tolerance) {
    time_step_ = time_step;
    rate_.resize(layout.row.size());
    parallel_for(layout.row_count(),
                 [&](std::ptrdiff_t c) { rate_[c] = layout.scale[c] * rate[layout.row[c]]; });
    const double overlap_at_rest =
        parallel_max(layout.row_count(), 0.0, [&](std::ptrdiff_t c) { return -rate_[c] * layout.reach[c]; });
    first_ = overlap_at_rest <= overlap_tolerance ? kLateLook : kFirstLook;
    restart();
}

void JamDetector::restart() {
    next_ = first_;
    violation_ = std::numeric_limits<double>::infinity();
}

bool JamDetector::is_proven(const RowLayout& layout, int iteration, std::span<const double> y) {
    return is_proven_from(layout, iteration, [&](std::span<double> slope) {
        push_.resize(layout.body.size());
        layout.scatter(y, push_);
        layout.gather(push_, slope);
        parallel_for(layout.row_count(), [&](std::ptrdiff_t c) { slope[c] += layout.direction[c][3]; });
    });
}

bool JamDetector::is_proven_from(const RowLayout& layout, int iteration,
                                 FunctionRef<void(std::span<double>)> slopes) {
    if (iteration < next_) return false;
    next_ = 2 * iteration;
    push_.resize(layout.body.size());
    g_.resize(layout.row.size());
    slopes(g_);
    const double square =
        parallel_sum(layout.row_count(), [&](std::ptrdiff_t c) { return g_[c] < 0.0 ? g_[c] * g_[c] : 0.0; });
    const double before = violation_;
    violation_ = std::sqrt(square);
    return violation_ > 0.5 * before && search(layout, iteration / kSearchShare);
}

/// Conjugate gradients (Polak and Ribiere, restarted when beta < 0) on phi with an exact line search.
bool JamDetector::search(const RowLayout& layout, int steps) {
    d_.resize(g_.size());
    turn_.resize(g_.size());
    direction_.assign(layout.body.size(), Packed::Zero());
    push_before_.assign(layout.body.size(), Packed::Zero());
    double square_before = 0.0;
    for (int step = 1;; ++step) {
        parallel_for(layout.row_count(), [&](std::ptrdiff_t c) { d_[c] = std::max(0.0, -g_[c]); });
        layout.scatter(d_, push_);
        const bool last = step > steps;
        if ((last || step % kProofEvery == 0) && weights_prove(layout)) return true;
        if (last) return false;
        const double square = mass_dot(layout, push_, push_);
        const double change = square - mass_dot(layout, push_, push_before_);
        const double beta = square_before > 0.0 ? std::max(0.0, change / square_before) : 0.0;
        parallel_for(layout.body_count(),
                     [&](std::ptrdiff_t k) { direction_[k] = push_[k] + beta * direction_[k]; });
        layout.gather(direction_, turn_);
        const double length = line_search();
        if (!(length > 0.0)) return weights_prove(layout);
        parallel_for(layout.row_count(), [&](std::ptrdiff_t c) { g_[c] += length * turn_[c]; });
        push_.swap(push_before_);
        square_before = square;
    }
}

/// Minimises 1/2 |min(0, g + t turn)|^2 over t by Newton's method: convex, quadratic between kinks.
double JamDetector::line_search() const {
    double t = 0.0;
    for (int step = 0; step < kNewtonSteps; ++step) {
        const Bend bend = parallel_reduce(
            std::ssize(g_), Bend{},
            [&](std::ptrdiff_t c) {
                const double g = g_[c] + t * turn_[c];
                return g < 0.0 ? Bend{g * turn_[c], turn_[c] * turn_[c]} : Bend{};
            },
            [](const Bend& a, const Bend& b) {
                return Bend{a.slope + b.slope, a.curvature + b.curvature};
            });
        if (!(bend.curvature > 0.0)) break;
        const double next = t - bend.slope / bend.curvature;
        if (next == t) break;
        t = next;
    }
    return t;
}

bool JamDetector::proves(const RowLayout& layout, std::span<const double> weights) {
    d_.assign(weights.begin(), weights.end());
    push_.resize(layout.body.size());
    layout.scatter(d_, push_);
    return weights_prove(layout);
}

/// With push_ = M^-1 G' S d: is the least speed of d beyond every sensible motion of the bodies in its rows?
/// Sensible is: on average (by mass) not above a radius per step, nor kLargestAmplification times what the
/// worst overlap asks for.
bool JamDetector::weights_prove(const RowLayout& layout) {
    touched_.assign(layout.body.size(), 0);
    double lack = 0.0;    // -(S rate . d)
    double length = 0.0;  // sum of impulse times radius
    double worst = 0.0;   // fastest speed that an overlap asks for [m/s]
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
    for (Index k = 0; k < layout.body_count(); ++k) mass += touched_[k] != 0 ? layout.mass[k] : 0.0;
    const double push = std::sqrt(mass_dot(layout, push_, push_));
    least_speed_ = push > 0.0 ? lack / push : std::numeric_limits<double>::max();
    const double sensible = std::sqrt(mass) * std::max(kLargestAmplification * worst, radius / time_step_);
    return least_speed_ > sensible;
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
