#include "friction_sweep.hpp"

namespace talus {

namespace {

/// |g_t| of a contact after a step of its y: its own block of the matrix is the identity.
template <class Value>
Value slip_after(const Dual<Value>& g, const Dual<Value>& step) {
    const Triple<Value> across = g.t + step.t;
    return root(across.dot(across));
}

/// The part of the way that s follows the slip in a sweep.
template <class Value>
Value following(Value friction) {
    const Value one = constant(1.0, Value{});
    return one / (one + friction * friction);
}

}  // namespace

template <FrictionKind kind>
void FrictionSweep<kind>::start(Unknowns unknowns) {
    unknowns_ = unknowns;
    y_old_ = y;
    if constexpr (kind == FrictionKind::coulomb) slip_.resize(y.size());
    sweeps_ = 0;
    motion_old_ = motion;
    block_sums_.resize(rows_.layout().blocks.size());
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::sweep(double beta) {
    if (kind == FrictionKind::coulomb && sweeps_ == kExactSweeps) rows_.slips(motion, slip_);
    const bool is_exact = kind == FrictionKind::coulomb_relaxed || sweeps_ < kExactSweeps;
    const auto relax_block = [&](const RowLayout::Block& block) {
        if (unknowns_ == Unknowns::normal) return relax_normal(block, beta);
        return is_exact ? relax_exactly(block, beta) : relax_following_slip(block, beta);
    };
    rows_.layout().sweep_blocks([&](Index number, const RowLayout::Block& block) {
        const double travel = open_bodies(number, beta);
        block_sums_[number] = relax_block(block);
        block_sums_[number].travel = travel;
    });
    ++sweeps_;
    SweepSums<double> total;
    for (const SweepSums<double>& sums : block_sums_) total += sums;
    return total;
}

template <FrictionKind kind>
double FrictionSweep<kind>::open_bodies(Index block, double beta) {
    double travel = 0.0;
    for (const Index k : rows_.layout().opened.of(block)) {
        const BodyMotion& now = motion[k];
        BodyMotion& old = motion_old_[k];
        const Packed step = now.velocity - old.velocity;
        const Packed turn = now.spin - old.spin;
        travel += rows_.square(k, step, turn);
        old.velocity = now.velocity + beta * step;
        old.spin = now.spin + beta * turn;
    }
    return travel;
}

template <FrictionKind kind>
template <class Solve>
[[gnu::always_inline]] inline SweepSums<double> FrictionSweep<kind>::relax(const RowLayout::Block& block,
                                                                           double beta, Solve&& solve) {
    BothSums<SweepSums> sums;
    const Packed* now = y.data();
    Packed* old = y_old_.data();
    BodyMotion* bodies = motion_old_.data();
    const auto visit = [&]<class Shape>(Index c, const Shape& shape) __attribute__((always_inline)) {
        using Value = typename Shape::Value;
        const Dual<Value> y_now = load_dual<Value>(now + c);
        const Dual<Value> z = y_now + constant(beta, Value{}) * (y_now - load_dual<Value>(old + c));
        const Dual<Value> y_new = solve(c, z, shape.slope, shape.contact.friction);
        const Dual<Value> step = y_new - z;
        const Value moved = step.dot(step);
        SweepSums<Value>& sum = sums.of(Value{});
        sum.change += step.dot(shape.slope) + constant(0.5, Value{}) * moved;
        sum.uphill -= step.dot(y_new - y_now);
        sum.moved += moved;
        store_dual(old + c, y_new);
        shape.push(step, bodies);
    };
    visit_contacts(rows_.layout(), rows_.contacts(), block, bodies, visit);
    sums.ones += sum_of_lanes(sums.fours);
    return sums.ones;
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::relax_exactly(const RowLayout::Block& block, double beta) {
    return relax(
        block, beta,
        [](Index, const auto& z, const auto& g, const auto& friction)
            __attribute__((always_inline)) { return solve_contact<kind>(z - g, friction); });
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::relax_normal(const RowLayout::Block& block, double beta) {
    return relax(
        block, beta,
        []<class Value>(Index, const Dual<Value>& z, const Dual<Value>& g, const Value&)
            __attribute__((always_inline)) {
                return Dual<Value>{z.t, positive_part(z.n - g.n)};
            });
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::relax_following_slip(const RowLayout::Block& block, double beta) {
    double* slip = slip_.data();
    return relax(
        block, beta,
        [slip]<class Value>(Index c, const Dual<Value>& z, const Dual<Value>& g, const Value& friction)
            __attribute__((always_inline)) {
                const Value s = load<Value>(slip + c);
                const Dual<Value> q{z.t - g.t, z.n - g.n - friction * s};
                const Dual<Value> y_new = solve_contact<FrictionKind::coulomb_relaxed>(q, friction);
                store(slip + c, s + following(friction) * (slip_after(g, y_new - z) - s));
                return y_new;
            });
}

template <FrictionKind kind>
void FrictionSweep<kind>::accept() {
    y.swap(y_old_);
    motion.swap(motion_old_);
}

template <FrictionKind kind>
void FrictionSweep<kind>::rebuild() {
    rows_.scatter(y, motion);
    rows_.scatter(y_old_, motion_old_);
}

template class FrictionSweep<FrictionKind::coulomb>;
template class FrictionSweep<FrictionKind::coulomb_relaxed>;

}  // namespace talus
