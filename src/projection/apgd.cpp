#include "apgd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "momentum.hpp"
#include "row_kernels.hpp"

namespace talus {

namespace {

constexpr double kCurvatureDecay = 0.9;  ///< a curvature found too small is doubled, otherwise it shrinks

}  // namespace

Status Apgd::minimise() {
    slope_.resize(y_.size());
    y_new_.resize(y_.size());
    w_new_.resize(w_.size());
    const double bound = eigenvalue_bound();
    double curvature = std::min(bound, first_curvature());
    z_ = y_;
    w_z_ = w_;
    y_best_ = y_;
    best_ = std::numeric_limits<double>::infinity();
    Momentum momentum;
    CheckSchedule check;
    const auto advance = [&] {
        layout_.gather(w_z_, slope_);
        // A step at the bound descends whatever rounding makes of the test.
        while (bent_step(curvature) && curvature < bound) curvature = std::min(bound, 2.0 * curvature);
        if (points_uphill()) momentum.restart();
        extrapolate(momentum.next());
        curvature *= kCurvatureDecay;
    };
    const Status status = talus::iterate(
        IterationParts{[&](int k) { return check.due(k); }, [&] { return is_solved_keeping_best(); },
                       [&](int k) { return jam_.is_proven(layout_, k, y_); }, advance, [] {},
                       std::numeric_limits<int>::max()},
        options_.max_iterations, iterations_);
    if (status == Status::max_iterations) y_ = y_best_;
    return status;
}

double Apgd::first_curvature() {
    std::fill(y_new_.begin(), y_new_.end(), 1.0);
    layout_.scatter(y_new_, w_new_);
    layout_.gather(w_new_, slope_);
    double square = 0.0;
    for (const double a : slope_) square += a * a;
    // At least the diagonal of A, which is 1: rows that balance each other say nothing about the others.
    return std::max(1.0, std::sqrt(square / static_cast<double>(slope_.size())));
}

bool Apgd::bent_step(double curvature) {
    layout_.read_blocks([&](std::ptrdiff_t number, const RowLayout::Block& block) {
        double sum = 0.0;
        for (Index c = block.begin; c < block.end; ++c) {
            const double slope = slope_[c] + layout_.direction[c][3];
            y_new_[c] = std::max(0.0, z_[c] - slope / curvature);
            sum += (y_new_[c] - z_[c]) * (y_new_[c] - z_[c]);
        }
        partial_[number] = sum;
    });
    const double square = sum_of(layout_.blocks.size());
    layout_.scatter(y_new_, w_new_);
    layout_.body_chunks([&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        double sum = 0.0;
        for (std::ptrdiff_t k = begin; k < end; ++k) {
            const Packed change = w_new_[k] - w_z_[k];
            sum += layout_.mass[k] * dot3(change, change);
        }
        partial_[chunk] = sum;
    });
    return sum_of(layout_.body_chunk_count()) > curvature * square;
}

bool Apgd::points_uphill() {
    layout_.read_blocks([&](std::ptrdiff_t number, const RowLayout::Block& block) {
        double sum = 0.0;
        for (Index c = block.begin; c < block.end; ++c) {
            sum += (slope_[c] + layout_.direction[c][3]) * (y_new_[c] - y_[c]);
        }
        partial_[number] = sum;
    });
    return sum_of(layout_.blocks.size()) > 0.0;
}

/// z = y_new + beta (y_new - y), the same for w; then y = y_new.
void Apgd::extrapolate(double beta) {
    layout_.read_blocks([&](std::ptrdiff_t, const RowLayout::Block& block) {
        for (Index c = block.begin; c < block.end; ++c) z_[c] = y_new_[c] + beta * (y_new_[c] - y_[c]);
    });
    layout_.body_chunks([&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t k = begin; k < end; ++k) w_z_[k] = w_new_[k] + beta * (w_new_[k] - w_[k]);
    });
    y_.swap(y_new_);
    w_.swap(w_new_);
}

/// The residual does not fall in every step: the best iterate is the answer if the iterations run out.
bool Apgd::is_solved_keeping_best() {
    const Optimality reached = meter_.measure(layout_, y_, w_);
    if (reached.residual < best_) {
        best_ = reached.residual;
        y_best_ = y_;
    }
    return reached.residual <= options_.tolerance && reached.overlap <= options_.overlap_tolerance;
}

}  // namespace talus
