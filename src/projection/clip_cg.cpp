#include "clip_cg.hpp"

#include <algorithm>
#include <cmath>

#include "row_kernels.hpp"

namespace talus {

namespace {

/// What a step must gain, as a part of |min(y, g)|^2. Any positive value gives convergence; a step along the
/// slope gains 1/2 over the largest eigenvalue, which is 5 to 15 in packings.
constexpr double kLeastGain = 1e-3;
/// The objective is a difference of sums that are this accurate relative to their size.
constexpr double kSumRounding = 1e-14;
/// A curvature is a difference too: below this part of its terms it is rounding.
constexpr double kLeastCurvature = 1e-12;

/// (t, t, t, 0): a factor of velocities that leaves the inverse mass beside them out.
Packed of_velocity(double t) {
    return {t, t, t, 0.0};
}

void push(const RowView& rows, const RowLayout::Block& block, Index c, double dy, Packed* w) {
    if (c < block.single) {
        push_pair(rows, c, dy, w);
    } else {
        push_single(rows, c, dy, w);
    }
}

}  // namespace

Status ClipCg::minimise() {
    pull_.resize(y_.size());
    y_next_.resize(y_.size());
    search_.assign(y_.size(), 0.0);
    w_next_ = w_;
    w_pull_ = w_;
    w_search_ = w_;
    row_sums_.resize(layout_.blocks.size());
    body_sums_.resize(layout_.body_chunk_count());
    restart_ = true;
    measure();
    return iterate([this] { advance(); }, [this] { rebuild(); }, w_next_);
}

void ClipCg::advance() {
    const double enough = objective_ - kLeastGain * rows_.natural;
    const Step step = choose_step();
    if (std::isfinite(step.length)) {
        take(step);
        y_.swap(y_next_);
        w_.swap(w_next_);
        measure();
        const double rounding = kSumRounding * (0.5 * bodies_.speed + std::abs(rows_.work));
        restart_ = !(objective_ <= enough + rounding);
        if (!restart_) return;
        y_.swap(y_next_);
        w_.swap(w_next_);
    }
    sweep();
    measure();
    restart_ = true;
}

ClipCg::Step ClipCg::choose_step() const {
    const double beta = bodies_.mixed / bodies_.curvature;
    const double descent = rows_.square - beta * rows_.along;
    const double curvature = bodies_.steepest - beta * bodies_.mixed;
    const bool is_conjugate = !restart_ && descent > 0.0 && curvature > kLeastCurvature * bodies_.steepest;
    if (is_conjugate) return {descent / curvature, beta};
    return {rows_.square / bodies_.steepest, 0.0};
}

void ClipCg::take(const Step& step) {
    const Packed beta = of_velocity(step.beta);
    const Packed length = of_velocity(step.length);
    layout_.body_chunks([&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t k = begin; k < end; ++k) {
            w_search_[k] = w_pull_[k] - beta.cwiseProduct(w_search_[k]);
            w_next_[k] = w_[k] - length.cwiseProduct(w_search_[k]);
        }
    });
    layout_.sweep_blocks([&](std::ptrdiff_t, const RowLayout::Block& block) { take_rows(block, step); });
}

void ClipCg::take_rows(const RowLayout::Block& block, const Step& step) {
    const double* y = y_.data();
    const double* pull = pull_.data();
    double* y_next = y_next_.data();
    double* search = search_.data();
    double clipped = 0.0;  // a number, so that the compiler takes many rows at once
    for (Index c = block.begin; c < block.end; ++c) {
        search[c] = pull[c] - step.beta * search[c];
        y_next[c] = y[c] - step.length * search[c];
        clipped += y_next[c] < 0.0 ? 1.0 : 0.0;
    }
    if (clipped > 0.0) clip_rows(block);
}

void ClipCg::clip_rows(const RowLayout::Block& block) {
    const RowView rows(layout_);
    for (Index c = block.begin; c < block.end; ++c) {
        if (!(y_next_[c] < 0.0)) continue;
        push(rows, block, c, -y_next_[c], w_next_.data());
        push(rows, block, c, -search_[c], w_search_.data());
        y_next_[c] = 0.0;
        search_[c] = 0.0;
    }
}

void ClipCg::sweep() {
    layout_.sweep_blocks([&](std::ptrdiff_t, const RowLayout::Block& block) {
        const RowView rows(layout_);
        Packed* w = w_.data();
        const auto relax = [&](Index c, double g) {
            const double before = y_[c];
            y_[c] = positive_part(before - g);
            return y_[c] - before;
        };
        for (Index c = block.begin; c < block.single; ++c) {
            push_pair(rows, c, relax(c, pair_slope(rows, c, w)), w);
        }
        for (Index c = block.single; c < block.end; ++c) {
            push_single(rows, c, relax(c, single_slope(rows, c, w)), w);
        }
    });
}

void ClipCg::measure() {
    const Packed inverse_mass(0.0, 0.0, 0.0, 1.0);
    layout_.body_chunks([&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t k = begin; k < end; ++k) w_pull_[k] = inverse_mass.cwiseProduct(w_[k]);
    });
    layout_.sweep_blocks([&](std::ptrdiff_t number, const RowLayout::Block& block) {
        row_sums_[number] = measure_rows(block);
    });
    rows_ = {};
    for (const RowSums<double>& sums : row_sums_) {
        rows_.work += sums.work;
        rows_.square += sums.square;
        rows_.along += sums.along;
        rows_.natural += sums.natural;
    }
    sum_bodies();
    objective_ = 0.5 * bodies_.speed + rows_.work;
}

ClipCg::RowSums<double> ClipCg::measure_rows(const RowLayout::Block& block) {
    const RowView rows(layout_);
    const double* y = y_.data();
    const double* search = search_.data();
    double* pull = pull_.data();
    const Packed* w = w_.data();
    Packed* w_pull = w_pull_.data();

    const auto add = [&]<class Value>(Index c, Value g, Value b, RowSums<Value>& sums) {
        const Value multiplier = load<Value>(y + c);
        const Value natural = smaller(multiplier, g);
        const Value d = multiplier > 0.0 ? g : natural;
        sums.work += b * multiplier;
        sums.square += d * d;
        sums.along += g * load<Value>(search + c);
        sums.natural += natural * natural;
        store(pull + c, d);
        return d;
    };

    RowSums<Lanes> of_fours;
    for (Index c = block.begin; c < block.four_end; c += 4) {
        const FourRows four(rows, c, w);
        const Lanes d = add(c, four.slope, four.b, of_fours);
        for (int k = 0; k < 4; ++k) push_pair(rows, c + k, d[k], w_pull);
    }
    RowSums<double> sums{sum_of_lanes(of_fours.work), sum_of_lanes(of_fours.square),
                         sum_of_lanes(of_fours.along), sum_of_lanes(of_fours.natural)};
    const auto add_one = [&](Index c, double g) { return add(c, g, rows.direction[c][3], sums); };
    for (Index c = block.four_end; c < block.single; ++c) {
        push_pair(rows, c, add_one(c, pair_slope(rows, c, w)), w_pull);
    }
    for (Index c = block.single; c < block.end; ++c) {
        push_single(rows, c, add_one(c, single_slope(rows, c, w)), w_pull);
    }
    return sums;
}

void ClipCg::sum_bodies() {
    layout_.body_chunks([&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        BodySums sums;
        for (std::ptrdiff_t k = begin; k < end; ++k) {
            const double mass = layout_.mass[k];
            sums.speed += mass * dot3(w_[k], w_[k]);
            sums.steepest += mass * dot3(w_pull_[k], w_pull_[k]);
            sums.mixed += mass * dot3(w_pull_[k], w_search_[k]);
            sums.curvature += mass * dot3(w_search_[k], w_search_[k]);
        }
        body_sums_[chunk] = sums;
    });
    bodies_ = {};
    for (const BodySums& sums : body_sums_) {
        bodies_.speed += sums.speed;
        bodies_.steepest += sums.steepest;
        bodies_.mixed += sums.mixed;
        bodies_.curvature += sums.curvature;
    }
}

void ClipCg::rebuild() {
    layout_.scatter(y_, w_);
    layout_.scatter(search_, w_search_);
    measure();
}

}  // namespace talus
