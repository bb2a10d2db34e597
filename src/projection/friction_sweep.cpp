#include "friction_sweep.hpp"

namespace talus {

template <FrictionKind kind>
void FrictionSweep<kind>::start() {
    y_old_ = y;
    if constexpr (kind == FrictionKind::coulomb) slip_.resize(y.size());
    sweeps_ = 0;
    motion_old_ = motion;
    block_sums_.resize(rows_.layout().blocks.size());
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::sweep(double beta) {
    rows_.layout().sweep_blocks([&](Index number, const RowLayout::Block& block) {
        const double travel = open_bodies(number, beta);
        block_sums_[number] = relax_contacts(block, beta);
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
        const Motion& now = motion[k];
        Motion& old = motion_old_[k];
        const Packed step = now.velocity - old.velocity;
        const Packed turn = now.spin - old.spin;
        travel += rows_.square(k, step, turn);
        old.velocity = now.velocity + beta * step;
        old.spin = now.spin + beta * turn;
    }
    return travel;
}

template <FrictionKind kind>
template <class Value>
[[gnu::always_inline]] inline Dual<Value> FrictionSweep<kind>::solve(Index c, const Dual<Value>& z,
                                                                     const Dual<Value>& g, Value friction) {
    Dual<Value> q = z - g;
    if constexpr (kind == FrictionKind::coulomb_relaxed) {
        return solve_contact<kind>(q, friction);
    } else {
        const auto slip_after = [&](const Dual<Value>& y_new) {
            const Triple<Value> across = g.t + (y_new.t - z.t);
            return root(across.dot(across));
        };
        if (sweeps_ < kExactSweeps) {
            const Dual<Value> exact = solve_contact<kind>(q, friction);
            if (sweeps_ == kExactSweeps - 1) store(slip_.data() + c, slip_after(exact));
            return exact;
        }
        const Value slip = load<Value>(slip_.data() + c);
        q.n = q.n - friction * slip;
        const Dual<Value> y_new = solve_contact<FrictionKind::coulomb_relaxed>(q, friction);
        const Value part = constant(1.0, Value{}) / (constant(1.0, Value{}) + friction * friction);
        store(slip_.data() + c, slip + part * (slip_after(y_new) - slip));
        return y_new;
    }
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::relax_contacts(const RowLayout::Block& block, double beta) {
    BothSums<SweepSums> sums;
    const Packed* now = y.data();
    Packed* old = y_old_.data();
    Motion* bodies = motion_old_.data();
    visit_contacts(
        rows_.layout(), rows_.contacts(), block,
        bodies, [&]<class Shape>(Index c, const Shape& shape) __attribute__((always_inline)) {
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
        });
    sums.ones += sum_of_lanes(sums.fours);
    return sums.ones;
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
