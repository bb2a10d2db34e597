#include "friction_sweep.hpp"

#include <algorithm>
#include <utility>

namespace talus {

namespace {

/// |g_t| of a contact after a step of its y: its own block of the matrix is the identity.
Wide slip_after(const Dual& g, const Dual& step) {
    const Triple across = g.t + step.t;
    return root(across.dot(across));
}

/// The part of the way that s follows the slip in a sweep.
Wide following(Wide friction) {
    return 1.0 / (1.0 + friction * friction);
}

/// The sums of the parts of groups.
SweepSums<double> total(const SweepSums<Wide> (&parts)[kGroupParts]) {
    const auto sum = [&](Wide SweepSums<Wide>::*member) {
        Wide values[kGroupParts];
        for (int part = 0; part < kGroupParts; ++part) values[part] = parts[part].*member;
        return sum_of_parts(values);
    };
    return {sum(&SweepSums<Wide>::change), sum(&SweepSums<Wide>::uphill), sum(&SweepSums<Wide>::moved)};
}

}  // namespace

template <FrictionKind kind>
void FrictionSweep<kind>::start() {
    pushes_apart_ = false;
    y_old_ = y;
    if constexpr (kind == FrictionKind::coulomb) slip_.resize(y.contact.size());
    sweeps_ = 0;
    motion_old_ = motion;
    block_sums_.resize(rows_.layout().blocks.size());
    start_dormancy();
}

/// How far contacts with these slopes are from pressing, once they do not.
template <FrictionKind kind>
Wide FrictionSweep<kind>::opening(const Dual& g, Wide friction) {
    return kind == FrictionKind::coulomb ? g.n : g.n - friction * root(g.t.dot(g.t));
}

template <FrictionKind kind>
void FrictionSweep<kind>::start_dormancy() {
    wake_ = {};
    const auto idle_groups = [&](Index block) {
        return std::pair(rows_.block(block).idle, rows_.block(block).single);
    };
    const auto carries = [&](Index group) {
        const GroupValues& normal = y.contact[group].n;
        return std::any_of(normal.value, normal.value + kGroupSize, [](double n) { return n > 0.0; });
    };
    dormant_.start(rows_.layout(), 1, idle_groups, carries);
}

template <FrictionKind kind>
void FrictionSweep<kind>::wake_violated() {
    dormant_.wake(rows_.layout(), [&](Index group) {
        bool any = false;
        for (int part = 0; part < kGroupParts; ++part) {
            const ContactLanes<true> contacts(rows_.contacts()[group], part, motion.data());
            const Wide open = opening(contacts.slope, contacts.friction());
            for (int k = 0; k < kWide; ++k) any = any || open[k] < 0.0;
        }
        return any;
    });
}

template <FrictionKind kind>
void FrictionSweep<kind>::start_pushing_apart(double allowed) {
    start();
    pushes_apart_ = true;
    allowed_ = allowed;
    least_.resize(y.contact.size());
    parallel_for(std::ssize(least_), [&](std::ptrdiff_t g) { least_[g] = y.contact[g].n; });
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::sweep(double beta) {
    if (kind == FrictionKind::coulomb && !pushes_apart_ && sweeps_ == kExactSweeps)
        rows_.slips(motion, slip_);
    const bool is_exact = kind == FrictionKind::coulomb_relaxed || sweeps_ < kExactSweeps;
    if (wake_.due(sweeps_)) wake_violated();
    const auto relax_block = [&](Index block) {
        if (pushes_apart_) return push_apart(block, beta);
        return is_exact ? relax_exactly(block, beta) : relax_following_slip(block, beta);
    };
    rows_.layout().sweep_blocks([&](Index number, const RowLayout::Block&) {
        const double travel = open_bodies(number, beta);
        block_sums_[number] = relax_block(number);
        block_sums_[number].travel = travel;
    });
    ++sweeps_;
    SweepSums<double> total;
    for (const SweepSums<double>& sums : block_sums_) total += sums;
    return total;
}

template <FrictionKind kind>
double FrictionSweep<kind>::open_bodies(Index block, double beta) {
    Lanes travel{};
    for (const Index k : rows_.layout().opened.of(block)) {
        const BodyMotion& now = motion[k];
        BodyMotion& old = motion_old_[k];
        const Lanes step = *lanes(&now.velocity) - *lanes(&old.velocity);
        const Lanes turn = *lanes(&now.spin) - *lanes(&old.spin);
        // The fourth of each is 0.
        travel += rows_.layout().mass[k] * (step * step) + rows_.inertia(k) * (turn * turn);
        *lanes(&old.velocity) = *lanes(&now.velocity) + beta * step;
        *lanes(&old.spin) = *lanes(&now.spin) + beta * turn;
    }
    return sum_of_lanes(travel);
}

template <FrictionKind kind>
template <bool rolling, class Solve>
[[gnu::always_inline]] inline SweepSums<double> FrictionSweep<kind>::relax_contacts(Index block, double beta,
                                                                                    Solve&& solve) {
    SweepSums<Wide> sums[kGroupParts];
    const GroupDual* now = y.contact.data();
    GroupDual* old = y_old_.contact.data();
    BodyMotion* bodies = motion_old_.data();
    const RollingSweep moments{rows_.rolling().data(), y.moment.data(), y_old_.moment.data()};
    const auto visit = [&](Index g, int part, auto&& contacts) __attribute__((always_inline)) {
        const Dual y_now = now[g].part(part);
        const Dual z = y_now + constant(beta) * (y_now - old[g].part(part));
        Dual slope = contacts.slope;
        const Dual y_new = solve(g, part, z, slope, contacts.friction());
        const Dual step = y_new - z;
        const Wide moved = step.dot(step);
        SweepSums<Wide>& sum = sums[part];
        sum.change += step.dot(slope) + 0.5 * moved;
        sum.uphill -= step.dot(y_new - y_now);
        sum.moved += moved;
        old[g].set_part(part, y_new);
        contacts.push(step);
        if constexpr (rolling) moments.relax(g, part, constant(beta), y_new.n, contacts, sum);
        contacts.write(bodies);
    };
    visit_contacts(rows_.contacts(), rows_.block(block), dormant_.awake(block), bodies, visit);
    return total(sums);
}

template <FrictionKind kind>
template <class Solve>
[[gnu::always_inline]] inline SweepSums<double> FrictionSweep<kind>::relax(Index block, double beta,
                                                                           Solve&& solve) {
    return with_or_without_rolling<kind>(rows_.has_rolling(), [&](auto rolling) {
        return relax_contacts<decltype(rolling)::value>(block, beta, solve);
    });
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::relax_exactly(Index block, double beta) {
    return relax(
        block, beta,
        [](Index, int, const Dual& z, const Dual& g, Wide friction)
            __attribute__((always_inline)) { return solve_contact<kind>(z - g, friction); });
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::push_apart(Index block, double beta) {
    const GroupValues* least = least_.data();
    const Wide allowed = constant(allowed_);
    return relax_contacts<false>(
        block, beta,
        [ this, least, allowed ](Index group, int part, const Dual& z, Dual& g, Wide)
            __attribute__((always_inline)) {
                g.n += rows_.slope_of_overlap(group, part, allowed);
                return Dual{z.t, larger(least[group].part(part), z.n - g.n)};
            });
}

template <FrictionKind kind>
SweepSums<double> FrictionSweep<kind>::relax_following_slip(Index block, double beta) {
    GroupValues* slip = slip_.data();
    return relax(
        block, beta,
        [slip](Index group, int part, const Dual& z, const Dual& g, Wide friction)
            __attribute__((always_inline)) {
                const Wide s = slip[group].part(part);
                const Dual q{z.t - g.t, z.n - g.n - friction * s};
                const Dual y_new = solve_contact<FrictionKind::coulomb_relaxed>(q, friction);
                slip[group].set_part(part, s + following(friction) * (slip_after(g, y_new - z) - s));
                return y_new;
            });
}

template <FrictionKind kind>
void FrictionSweep<kind>::accept() {
    std::swap(y, y_old_);
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
