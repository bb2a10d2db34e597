#include "monotone_pgs.hpp"

#include <cmath>

#include "row_kernels.hpp"

namespace talus {

namespace {

/// What a sweep must gain, as a part of the square of its change; a plain one gains at least half. Any value
/// in (0, 1/2) gives convergence; up to 0.1 it never intervenes, 0.3 restarts stale momentum a little sooner.
constexpr double kDescent = 0.3;
/// Updated velocities drift by rounding; formed afresh every so many sweeps.
constexpr int kRebuildEvery = 100;
/// The objective is a difference of sums that are this accurate relative to their size.
constexpr double kObjectiveRounding = 1e-14;

}  // namespace

Status MonotonePgs::minimise() {
    y_old_ = y_;
    start_ = w_;
    next_ = w_;
    block_sums_.resize(layout_.blocks.size());
    objective_ = kinetic(w_) + work(y_);
    theta_ = 1.0;
    beta_ = 0.0;
    CheckSchedule check;
    for (int k = 0;; ++k) {
        iterations_ = k;
        if (check.due(k) && is_solved(y_, w_) && is_solved_afresh(y_, next_)) return Status::converged;
        if (jam_.is_proven(layout_, k, y_)) return Status::infeasible;
        if (k == options_.max_iterations) return Status::max_iterations;
        advance();
        if ((k + 1) % kRebuildEvery == 0) rebuild();
    }
}

void MonotonePgs::advance() {
    Sums<double> sums = sweep(beta_);
    if (sums.uphill > 0.0) theta_ = 1.0;
    double beta = next_beta();
    double energy = extrapolate(beta);
    const double rounding = kObjectiveRounding * (energy + std::abs(sums.work));
    if (beta_ > 0.0 && energy + sums.work > objective_ - kDescent * sums.moved + rounding) {
        start_ = w_;
        beta_ = 0.0;
        sums = sweep(0.0);
        theta_ = 1.0;
        beta = next_beta();
        energy = extrapolate(beta);
    }
    objective_ = energy + sums.work;
    beta_ = beta;
    y_.swap(y_old_);
    w_.swap(start_);
    start_.swap(next_);
}

/// Momentum of the next sweep.
double MonotonePgs::next_beta() {
    const double squared = theta_ * theta_;
    const double next = 0.5 * (std::sqrt(squared * squared + 4.0 * squared) - squared);
    const double beta = theta_ * (1.0 - theta_) / (squared + next);
    theta_ = next;
    return beta;
}

MonotonePgs::Sums<double> MonotonePgs::sweep(double beta) {
    layout_.sweep_blocks([&](std::ptrdiff_t number, const RowLayout::Block& block) {
        block_sums_[number] = sweep_block(block, beta);
    });
    Sums<double> total;
    for (const Sums<double>& sums : block_sums_) {
        total.work += sums.work;
        total.uphill += sums.uphill;
        total.moved += sums.moved;
    }
    return total;
}

MonotonePgs::Sums<double> MonotonePgs::sweep_block(const RowLayout::Block& block, double beta) {
    const RowView rows(layout_);
    const double relaxation = options_.relaxation;
    const double* y = y_.data();
    double* y_old = y_old_.data();
    Packed* w = start_.data();

    const auto relax = [&]<class Value>(Index c, Value g, Value b, Sums<Value>& sums) {
        const Value y_now = load<Value>(y + c);
        const Value z = y_now + beta * (y_now - load<Value>(y_old + c));
        const Value y_new = positive_part(z - relaxation * g);
        const Value change = y_new - z;
        sums.work += b * y_new;
        sums.uphill -= change * (y_new - y_now);
        sums.moved += change * change;
        store(y_old + c, y_new);
        return change;
    };

    Sums<Lanes> of_fours;
    for (Index c = block.begin; c < block.four_end; c += 4) {
        const FourRows four(rows, c, w);
        four.push(relax(c, four.slope, four.b, of_fours), w);
    }
    Sums<double> sums{sum_of_lanes(of_fours.work), sum_of_lanes(of_fours.uphill),
                      sum_of_lanes(of_fours.moved)};
    const auto relax_one = [&](Index c, double g) { return relax(c, g, rows.direction[c][3], sums); };
    const Index single = block.single;
    for (Index c = block.four_end; c < single; ++c) {
        push_pair(rows, c, relax_one(c, pair_slope(rows, c, w)), w);
    }
    const Index end = block.end;
    for (Index c = single; c < end; ++c) {
        push_single(rows, c, relax_one(c, single_slope(rows, c, w)), w);
    }
    return sums;
}

double MonotonePgs::extrapolate(double beta) {
    layout_.body_chunks([&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        double sum = 0.0;
        for (std::ptrdiff_t k = begin; k < end; ++k) {
            const Packed& w = start_[k];
            next_[k] = w + beta * (w - w_[k]);
            sum += layout_.mass[k] * dot3(w, w);
        }
        partial_[chunk] = sum;
    });
    return 0.5 * sum_of(layout_.body_chunk_count());
}

void MonotonePgs::rebuild() {
    layout_.scatter(y_, w_);
    layout_.scatter(y_old_, start_);
    layout_.body_chunks([&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t k = begin; k < end; ++k) start_[k] = w_[k] + beta_ * (w_[k] - start_[k]);
    });
    objective_ = kinetic(w_) + work(y_);
}

}  // namespace talus
