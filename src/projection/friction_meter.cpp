#include "friction_meter.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace talus {

template <FrictionKind kind>
void FrictionMeter<kind>::start(const FrictionRows& rows) {
    const RowLayout& layout = rows.layout();
    partial_.resize(layout.blocks.size());
    layout.read_blocks([&](Index number, const RowLayout::Block& block) {
        Sums sums{};
        for (Index c = block.begin; c < block.end; ++c) {
            const ContactData<double> contact = load_contact(rows.contacts()[c]);
            const Dual<double> lifted = lifted_slope<kind>(contact.b, contact.friction);
            const Dual<double> push =
                solve_contact<FrictionKind::coulomb_relaxed>(Dual<double>{} - lifted, contact.friction);
            // What is missing at y = 0 is the normal impulse that the law asks for, if that is not rounding.
            const double lack = kind == FrictionKind::coulomb
                                    ? -contact.b.n
                                    : contact.friction * root(contact.b.t.dot(contact.b.t)) - contact.b.n;
            if (lack * layout.reach[c] > kRoundingOverlap) sums.squares += push.dot(push);
            sums.size += rows.contacts()[c].normal.cwiseAbs().sum() +
                         rows.contacts()[c].tangent.cwiseAbs().sum() + layout.reach[c];
        }
        partial_[number] = sums;
    });
    const Sums sums = total();
    if (!std::isfinite(sums.squares) || !std::isfinite(sums.size)) {
        throw std::invalid_argument(
            "projection: a rate, velocity, spin, normal, mass or inertia is not finite or out of range");
    }
    reference_ = std::sqrt(sums.squares);
}

template <FrictionKind kind>
Optimality FrictionMeter<kind>::measure(const FrictionRows& rows, std::span<const Packed> y,
                                        std::span<const BodyMotion> motion) {
    const RowLayout& layout = rows.layout();
    layout.read_blocks([&](Index number, const RowLayout::Block& block) {
        BothSums<MapSums> sums;
        visit_contacts(
            layout, rows.contacts(), block, motion.data(), [&]<class Shape>(Index c, const Shape& shape) {
                using Value = typename Shape::Value;
                MapSums<Value>& sum = sums.of(Value{});
                const Value friction = shape.contact.friction;
                const Value reach = load<Value>(layout.reach.data() + c);
                Dual<Value> g = shape.slope;
                sum.overlap = larger(sum.overlap, -g.n * reach);
                g.n = meaningful_slope(g.n, reach);
                const Dual<Value> y_now = load_dual<Value>(y.data() + c);
                const Dual<Value> map = y_now - solve_contact<FrictionKind::coulomb_relaxed>(
                                                    y_now - lifted_slope<kind>(g, friction), friction);
                sum.squares += map.dot(map);
            });
        Sums both{sums.ones.squares + sum_of_lanes(sums.fours.squares), 0.0, sums.ones.overlap};
        for (int lane = 0; lane < 4; ++lane) both.largest = std::max(both.largest, sums.fours.overlap[lane]);
        partial_[number] = both;
    });
    const Sums sums = total();
    const double norm = std::sqrt(sums.squares);
    return {reference_ > 0.0 ? norm / reference_ : norm, sums.largest};
}

template <FrictionKind kind>
void FrictionMeter<kind>::mark_sliding(const FrictionRows& rows, std::span<const Packed> y,
                                       std::span<const BodyMotion> motion, std::span<std::uint8_t> sliding) {
    const RowLayout& layout = rows.layout();
    const auto slides = [](const Dual<double>& q, double friction) {
        const Dual<double> solved = solve_contact<kind>(q, friction);
        return solved.n > 0.0 && q.t.dot(q.t) > friction * friction * solved.n * solved.n;
    };
    layout.read_blocks([&](Index, const RowLayout::Block& block) {
        visit_contacts(layout, rows.contacts(), block, motion.data(),
                       [&]<class Shape>(Index c, const Shape& shape) {
                           using Value = typename Shape::Value;
                           const Dual<Value> q = load_dual<Value>(y.data() + c) - shape.slope;
                           if constexpr (std::is_same_v<Value, double>) {
                               sliding[layout.row[c]] = slides(q, shape.contact.friction);
                           } else {
                               for (int k = 0; k < 4; ++k) {
                                   const Dual<double> one{{q.t.x[k], q.t.y[k], q.t.z[k]}, q.n[k]};
                                   sliding[layout.row[c + k]] = slides(one, shape.contact.friction[k]);
                               }
                           }
                       });
    });
}

template <FrictionKind kind>
typename FrictionMeter<kind>::Sums FrictionMeter<kind>::total() const {
    Sums sum{};
    for (const Sums& part : partial_) {
        sum.squares += part.squares;
        sum.size += part.size;
        sum.largest = std::max(sum.largest, part.largest);
    }
    return sum;
}

template class FrictionMeter<FrictionKind::coulomb>;
template class FrictionMeter<FrictionKind::coulomb_relaxed>;

}  // namespace talus
