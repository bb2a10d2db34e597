#pragma once

#include <type_traits>

#include "friction_kernels.hpp"
#include "momentum.hpp"

/// Rolling resistance, for the contacts of a group at once.
namespace talus {

/// What moments against rolling need beside their ContactGroup. With s_r = 1/sqrt(1/J_i + 1/J_j) the moment
/// is L = s_r y_r, its own block of the matrix is the identity, and |L| <= mu_r R p_n reads
/// |y_r| <= mu_r' y_n with mu_r' = mu_r R s_n / s_r. All is zero where neither body can be turned, and in
/// lanes that no contact fills.
struct RollingGroup {
    GroupTriple b;      ///< s_r omega_r of the free motion [sqrt(kg) m/s]
    GroupValues limit;  ///< mu_r' [-]
    GroupValues scale;  ///< s_r [sqrt(kg) m]

    /// g_r = s_r omega_r at the motion of `contacts`.
    template <class Contacts>
    [[gnu::always_inline]] Triple slope(int part, const Contacts& contacts) const {
        return scale.part(part) * contacts.rolling() + b.part(part);
    }
    /// The exact solution of the moment alone: q = y_r - g_r, onto the disc that the normal impulse allows.
    [[gnu::always_inline]] Triple solve(int part, const Triple& q, Wide normal) const {
        return onto_disc(q, root(q.dot(q)), limit.part(part) * normal);
    }
};

/// The moments of one sweep, by local pointers: see RowView.
struct RollingSweep {
    const RollingGroup* groups;
    const GroupTriple* now;
    GroupTriple* old;  ///< in: of the iterate before; out: the result

    /// After the rest of a contact has been solved: its moment from the new spins and normal impulse, with
    /// the same momentum.
    template <class Contacts>
    [[gnu::always_inline]] void relax(Index g, int part, Wide beta, Wide normal, Contacts& contacts,
                                      SweepSums<Wide>& sum) const {
        const Triple y_now = now[g].part(part);
        const Triple z = y_now + beta * (y_now - old[g].part(part));
        const Triple slope = groups[g].slope(part, contacts);
        const Triple y_new = groups[g].solve(part, z - slope, normal);
        const Triple step = y_new - z;
        const Wide moved = step.dot(step);
        sum.change += step.dot(slope) + 0.5 * moved;
        sum.uphill -= step.dot(y_new - y_now);
        sum.moved += moved;
        old[g].set_part(part, y_new);
        contacts.turn(groups[g].scale.part(part) * step);
    }
};

/// Calls task(std::true_type) where moments resist rolling, task(std::false_type) elsewhere, so that kernels
/// without them are not slowed down. The relaxation never has them.
template <FrictionKind kind, class Task>
[[gnu::always_inline]] inline auto with_or_without_rolling(bool resists, Task&& task) {
    if constexpr (kind == FrictionKind::coulomb) {
        if (resists) return task(std::true_type{});
    }
    return task(std::false_type{});
}

}  // namespace talus
