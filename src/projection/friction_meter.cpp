#include "friction_meter.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace talus {

namespace {

Wide size_of(const Triple& v) {
    return absolute(v.x) + absolute(v.y) + absolute(v.z);
}

/// |P(-b)|^2 of contacts whose lack at y = 0 is more than rounding, P the projection onto the cone and b
/// lifted as the law asks for.
template <FrictionKind kind>
Wide reference_squares(const Dual& b, Wide friction, Wide reach) {
    const Dual push =
        solve_contact<FrictionKind::coulomb_relaxed>(Dual{} - lifted_slope<kind>(b, friction), friction);
    // What is missing at y = 0 is the normal impulse that the law asks for.
    const Wide lack = kind == FrictionKind::coulomb ? -b.n : friction * root(b.t.dot(b.t)) - b.n;
    return lack * reach > kRoundingOverlap ? push.dot(push) : Wide{};
}

/// The natural map |y - P(y - g)|^2 with g lifted as the law asks for.
template <FrictionKind kind>
[[gnu::always_inline]] inline Wide map_squares(const Dual& y, const Dual& g, Wide friction) {
    const Dual map =
        y - solve_contact<FrictionKind::coulomb_relaxed>(y - lifted_slope<kind>(g, friction), friction);
    return map.dot(map);
}

/// That of the moments: zero iff they are within their bound and, where the bodies roll, at it and against
/// it.
template <class Contacts>
[[gnu::always_inline]] inline Wide rolling_squares(const FrictionRows& rows, Index number, int part,
                                                   const ScaledImpulses& y, const Contacts& contacts) {
    const RollingGroup& group = rows.rolling()[number];
    const Triple y_r = y.moment[number].part(part);
    const Wide normal = y.contact[number].n.part(part);
    const Triple map = y_r - group.solve(part, y_r - group.slope(part, contacts), normal);
    return map.dot(map);
}

}  // namespace

template <FrictionKind kind>
void FrictionMeter<kind>::start(const FrictionRows& rows, double least_reference) {
    partial_.resize(rows.layout().blocks.size());
    rows.layout().read_blocks([&](Index number, const RowLayout::Block&) {
        Wide squares[kGroupParts]{}, size[kGroupParts]{};
        for (Index g = rows.block(number).begin; g < rows.block(number).end; ++g) {
            const ContactGroup& group = rows.contacts()[g];
            for (int part = 0; part < kGroupParts; ++part) {
                const Dual b = group.b.part(part);
                const Wide friction = group.friction.part(part);
                const Wide reach = rows.reach(g).part(part);
                squares[part] += reference_squares<kind>(b, friction, reach);
                size[part] +=
                    size_of(group.normal.part(part)) + size_of(b.t) + absolute(b.n) + friction + reach;
                if (!rows.has_rolling()) continue;
                const RollingGroup& rolling = rows.rolling()[g];
                size[part] += size_of(rolling.b.part(part)) + rolling.limit.part(part);
            }
        }
        partial_[number] = {sum_of_parts(squares), sum_of_parts(size), 0.0};
    });
    const Sums sums = total();
    if (!std::isfinite(sums.squares) || !std::isfinite(sums.size)) {
        throw std::invalid_argument(
            "projection: a rate, velocity, spin, normal, mass or inertia is not finite or out of range");
    }
    at_zero_ = std::sqrt(sums.squares);
    reference_ = std::max(at_zero_, least_reference);
}

template <FrictionKind kind>
Optimality FrictionMeter<kind>::measure(const FrictionRows& rows, const ScaledImpulses& y,
                                        std::span<const BodyMotion> motion) {
    with_or_without_rolling<kind>(
        rows.has_rolling(), [&](auto rolling) { measure_blocks<decltype(rolling)::value>(rows, y, motion); });
    const Sums sums = total();
    const double norm = std::sqrt(sums.squares);
    return {reference_ > 0.0 ? norm / reference_ : norm, sums.largest, norm};
}

template <FrictionKind kind>
template <bool rolling>
void FrictionMeter<kind>::measure_blocks(const FrictionRows& rows, const ScaledImpulses& y,
                                         std::span<const BodyMotion> motion) {
    rows.layout().read_blocks([&](Index number, const RowLayout::Block&) {
        Wide squares[kGroupParts]{}, overlap[kGroupParts]{};
        visit_contacts(rows.contacts(), rows.block(number), motion.data(),
                       [&](Index group, int part, const auto& contacts) {
                           const Wide reach = rows.reach(group).part(part);
                           Dual g = contacts.slope;
                           overlap[part] = larger(overlap[part], -g.n * reach);
                           g.n = meaningful_slope(g.n, reach);
                           const Dual of = y.contact[group].part(part);
                           squares[part] += map_squares<kind>(of, g, contacts.friction());
                           if constexpr (rolling)
                               squares[part] += rolling_squares(rows, group, part, y, contacts);
                       });
        partial_[number] = {sum_of_parts(squares), 0.0, largest_of_parts(overlap)};
    });
}

template <FrictionKind kind>
void FrictionMeter<kind>::mark_sliding(const FrictionRows& rows, const ScaledImpulses& y,
                                       std::span<const BodyMotion> motion, std::span<std::uint8_t> sliding) {
    const RowLayout& layout = rows.layout();
    layout.read_blocks([&](Index number, const RowLayout::Block&) {
        visit_contacts(rows.contacts(), rows.block(number), motion.data(),
                       [&](Index group, int part, const auto& contacts) {
                           const Dual q = y.contact[group].part(part) - contacts.slope;
                           const Wide n = solve_contact<kind>(q, contacts.friction()).n;
                           const Wide edge = contacts.friction() * n;
                           const Wide beyond = q.t.dot(q.t) - edge * edge;
                           for (int k = 0; k < kWide; ++k) {
                               const Index c = rows.members(group)[part * kWide + k];
                               if (c >= 0) sliding[layout.row[c]] = n[k] > 0.0 && beyond[k] > 0.0;
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
