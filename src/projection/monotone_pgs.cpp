#include "monotone_pgs.hpp"

#include <cmath>

#include "row_kernels.hpp"

namespace talus {

namespace {

/// What a sweep with momentum must gain, as a part of what it would gain at least without, (1/relaxation -
/// 1/2) times the square of its change. Any value in (0, 1) gives convergence; up to 0.2 it never intervenes,
/// 0.6 restarts stale momentum a little sooner.
constexpr double kDescent = 0.6;

}  // namespace

Status MonotonePgs::minimise() {
    y_old_ = y_;
    w_old_ = w_;
    w_fresh_.resize(w_.size());
    block_sums_.resize(layout_.blocks.size());
    theta_ = 1.0;
    beta_ = 0.0;
    change_ = 0.0;
    return iterate([this] { advance(); }, [this] { rebuild(); }, w_fresh_);
}

void MonotonePgs::advance() {
    Sums<double> sums = sweep(beta_);
    // f is quadratic along the line from y_old through y to z: its change to z follows from the last change.
    const double to_z = beta_ * (change_ + 0.5 * (1.0 + beta_) * sums.travel);
    double change = to_z + sums.change;
    if (sums.uphill > 0.0) theta_ = 1.0;
    if (beta_ > 0.0 && change > -kDescent * (1.0 / options_.relaxation - 0.5) * sums.moved) {
        change = sweep(0.0).change;
        theta_ = 1.0;
    }
    change_ = change;
    beta_ = next_beta();
    y_.swap(y_old_);
    w_.swap(w_old_);
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
    layout_.sweep_blocks([&](Index number, const RowLayout::Block& block) {
        const double travel = open_bodies(number, beta);
        block_sums_[number] = relax_rows(block, beta);
        block_sums_[number].travel = travel;
    });
    Sums<double> total;
    for (const Sums<double>& sums : block_sums_) {
        total.change += sums.change;
        total.uphill += sums.uphill;
        total.moved += sums.moved;
        total.travel += sums.travel;
    }
    return total;
}

double MonotonePgs::open_bodies(Index block, double beta) {
    const Packed* w = w_.data();
    Packed* w_old = w_old_.data();
    double travel = 0.0;
    for (const Index k : layout_.opened.of(block)) {
        const Packed step = w[k] - w_old[k];
        travel += layout_.mass[k] * dot3(step, step);
        w_old[k] = w[k] + beta * step;
    }
    return travel;
}

MonotonePgs::Sums<double> MonotonePgs::relax_rows(const RowLayout::Block& block, double beta) {
    const RowView rows(layout_);
    // Where momentum (re)starts, rows are solved exactly: one that shares no body is done after its first
    // sweep.
    const double relaxation = beta > 0.0 ? options_.relaxation : 1.0;
    const double* y = y_.data();
    double* y_old = y_old_.data();
    Packed* w = w_old_.data();

    const auto relax = [&]<class Value>(Index c, Value g, Sums<Value>& sums) {
        const Value y_now = load<Value>(y + c);
        const Value z = y_now + beta * (y_now - load<Value>(y_old + c));
        const Value y_new = positive_part(z - relaxation * g);
        const Value step = y_new - z;
        sums.change += step * (g + 0.5 * step);
        sums.uphill -= step * (y_new - y_now);
        sums.moved += step * step;
        store(y_old + c, y_new);
        return step;
    };

    Sums<Lanes> of_fours;
    for (Index c = block.begin; c < block.four_end; c += 4) {
        rows.prefetch(c, w);
        const FourRows four(rows, c, w);
        four.push(relax(c, four.slope, of_fours), w);
    }
    Sums<double> sums{sum_of_lanes(of_fours.change), sum_of_lanes(of_fours.uphill),
                      sum_of_lanes(of_fours.moved)};
    const Index single = block.single;
    for (Index c = block.four_end; c < single; ++c) {
        push_pair(rows, c, relax(c, pair_slope(rows, c, w), sums), w);
    }
    const Index end = block.end;
    for (Index c = single; c < end; ++c) {
        push_single(rows, c, relax(c, single_slope(rows, c, w), sums), w);
    }
    return sums;
}

void MonotonePgs::rebuild() {
    layout_.scatter(y_, w_);
    layout_.scatter(y_old_, w_old_);
}

}  // namespace talus
