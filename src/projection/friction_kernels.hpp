#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "friction_lanes.hpp"
#include "row_kernels.hpp"
#include "talus/projection/friction.hpp"

/// What contacts with friction do to their bodies, for the contacts of a group at once.
namespace talus {

/// What contacts read and write of one body, in one line of the cache.
struct alignas(64) BodyMotion {
    Packed velocity;  ///< change of it [m/s]; fourth: 1/m [1/kg]
    Packed spin;      ///< change of it [rad/s]; fourth: 1/J [1/(kg m^2)]
};
static_assert(sizeof(BodyMotion) == 64);

/// Contacts that share no body. With s_n = 1/sqrt(1/m_i + 1/m_j) and s_t = 1/sqrt(k_i/m_i + k_j/m_j),
/// k = 1 + m arm^2 / J, the impulse is p = s_n y_n n + s_t y_t, and the contact's own block of the matrix is
/// the identity; |p_t| <= mu p_n reads |y_t| <= mu' y_n with mu' = mu s_n / s_t. Tangential vectors have
/// three components and are orthogonal to n, so nothing depends on a choice of axes. Where only one body can
/// move it is j.
///
/// Lanes that no contact fills have the bodies of the first one and zero for everything else: they push
/// nothing, and the first lane is written last.
struct ContactGroup {
    GroupTriple normal;            ///< n towards j
    GroupDual b;                   ///< s_t w_t, s_n (rate + n . w) of the free motion [sqrt(kg) m/s]
    GroupValues friction;          ///< mu' [-]
    GroupValues scale_n, scale_t;  ///< s_n, s_t [sqrt(kg)]
    GroupValues arm_i, arm_j;      ///< [m]
    Index i[kGroupSize];           ///< packed numbers; the same as j where one body can move
    Index j[kGroupSize];
};

/// The motions of one body of each contact.
struct BodyLanes {
    Triple velocity;
    Wide inverse_mass;
    Triple spin;
    Wide inverse_inertia;
};

#ifdef __AVX512F__
[[gnu::always_inline]] inline BodyLanes read_bodies(const BodyMotion* bodies, const Index* body) {
    Wide m[kWide];
    for (int k = 0; k < kWide; ++k) m[k] = *reinterpret_cast<const StoredWide*>(bodies + body[k]);
    transpose(m);
    return {{m[0], m[1], m[2]}, m[3], {m[4], m[5], m[6]}, m[7]};
}

[[gnu::always_inline]] inline void write_bodies(const BodyLanes& lanes, BodyMotion* bodies,
                                                const Index* body) {
    Wide m[kWide] = {lanes.velocity.x, lanes.velocity.y, lanes.velocity.z, lanes.inverse_mass,
                     lanes.spin.x,     lanes.spin.y,     lanes.spin.z,     lanes.inverse_inertia};
    transpose(m);
    for (int k = kWide - 1; k >= 0; --k) *reinterpret_cast<StoredWide*>(bodies + body[k]) = m[k];
}
#else
[[gnu::always_inline]] inline BodyLanes read_bodies(const BodyMotion* bodies, const Index* body) {
    Wide v[kWide], s[kWide];
    for (int k = 0; k < kWide; ++k) {
        v[k] = *lanes(&bodies[body[k]].velocity);
        s[k] = *lanes(&bodies[body[k]].spin);
    }
    transpose(v);
    transpose(s);
    return {{v[0], v[1], v[2]}, v[3], {s[0], s[1], s[2]}, s[3]};
}

[[gnu::always_inline]] inline void write_bodies(const BodyLanes& of, BodyMotion* bodies, const Index* body) {
    Wide v[kWide] = {of.velocity.x, of.velocity.y, of.velocity.z, of.inverse_mass};
    Wide s[kWide] = {of.spin.x, of.spin.y, of.spin.z, of.inverse_inertia};
    transpose(v);
    transpose(s);
    for (int k = kWide - 1; k >= 0; --k) {
        *lanes(&bodies[body[k]].velocity) = v[k];
        *lanes(&bodies[body[k]].spin) = s[k];
    }
}
#endif

/// Part of a group at a motion of the bodies: its slope, and what changes of y do to its own copy of their
/// motion until that is written. (Inlined by force: passed through memory, contacts take half as long again.)
template <bool is_pair>
class ContactLanes {
public:
    [[gnu::always_inline]] ContactLanes(const ContactGroup& group, int part, const BodyMotion* bodies)
        : normal_(group.normal.part(part)),
          group_(group),
          part_(part),
          bodies_j_(read_bodies(bodies, group.j + part * kWide)) {
        Triple difference = bodies_j_.velocity;
        Triple rolling = group.arm_j.part(part) * bodies_j_.spin;
        if constexpr (is_pair) {
            bodies_i_ = read_bodies(bodies, group.i + part * kWide);
            difference = difference - bodies_i_.velocity;
            rolling = rolling + group.arm_i.part(part) * bodies_i_.spin;
        }
        const Wide along = normal_.dot(difference);
        const Triple across = difference - along * normal_ - rolling.cross(normal_);
        slope =
            Dual{group.scale_t.part(part) * across, group.scale_n.part(part) * along} + group.b.part(part);
    }

    [[gnu::always_inline]] void push(const Dual& dy) {
        const Triple t = group_.scale_t.part(part_) * dy.t;
        const Triple p = (group_.scale_n.part(part_) * dy.n) * normal_ + t;
        const Triple n_x_p = normal_.cross(t);
        BodyLanes& j = bodies_j_;
        j.velocity = j.velocity + j.inverse_mass * p;
        j.spin = j.spin - (j.inverse_inertia * group_.arm_j.part(part_)) * n_x_p;
        if constexpr (is_pair) {
            BodyLanes& i = bodies_i_;
            i.velocity = i.velocity - i.inverse_mass * p;
            i.spin = i.spin - (i.inverse_inertia * group_.arm_i.part(part_)) * n_x_p;
        }
    }

    /// The change of spins alone that a moment makes, on j and its reverse on i [N m s].
    [[gnu::always_inline]] void turn(const Triple& moment) {
        bodies_j_.spin = bodies_j_.spin + bodies_j_.inverse_inertia * moment;
        if constexpr (is_pair) bodies_i_.spin = bodies_i_.spin - bodies_i_.inverse_inertia * moment;
    }

    /// omega_j - omega_i across the normal, of the changes of motion [rad/s].
    [[gnu::always_inline]] Triple rolling() const {
        Triple difference = bodies_j_.spin;
        if constexpr (is_pair) difference = difference - bodies_i_.spin;
        return difference - normal_.dot(difference) * normal_;
    }

    [[gnu::always_inline]] void write(BodyMotion* bodies) const {
        write_bodies(bodies_j_, bodies, group_.j + part_ * kWide);
        if constexpr (is_pair) write_bodies(bodies_i_, bodies, group_.i + part_ * kWide);
    }

    Wide friction() const { return group_.friction.part(part_); }

    Dual slope;  ///< g

private:
    struct Nothing {};

    Triple normal_;
    const ContactGroup& group_;
    int part_;
    BodyLanes bodies_j_;
    [[no_unique_address]] std::conditional_t<is_pair, BodyLanes, Nothing> bodies_i_;
};

/// Groups of one block of RowLayout: pairs first, from `idle` on those that are expected to carry no impulse,
/// then contacts of one body that can move.
struct GroupBlock {
    Index begin, idle, single, end;
};

/// With this many groups (16 MiB), most come from memory, and it pays to ask for them ahead: a fifth of the
/// time at 225,000 contacts. With fewer it costs 4 %.
constexpr std::size_t kGroupsInCache = (std::size_t{16} << 20) / sizeof(ContactGroup);

/// (Inlined by force: GCC 12 drops calls of functions that do nothing but prefetch.)
[[gnu::always_inline]] inline void prefetch_group(const ContactGroup& group) {
    constexpr std::size_t kLine = 64;
    const auto* bytes = reinterpret_cast<const char*>(&group);
    for (std::size_t at = 0; at < sizeof(ContactGroup); at += kLine) __builtin_prefetch(bytes + at);
}

/// Calls visit(group number, part, contacts) for the groups of a block in their order. @param awake those of
/// the idle groups that are visited.
template <class Awake, class Bodies, class Visit>
[[gnu::always_inline]] inline void visit_contacts(const std::vector<ContactGroup>& groups,
                                                  const GroupBlock& block, const Awake& awake, Bodies* bodies,
                                                  Visit&& visit) {
    constexpr Index kBodiesAhead = kAhead / kGroupSize;
    constexpr Index kGroupsAhead = 4;
    const ContactGroup* group = groups.data();
    const bool beyond_cache = groups.size() > kGroupsInCache;
    const auto pairs = block.idle + static_cast<Index>(awake.size());
    const auto number = [&](Index k) {
        return k < block.idle ? k : awake[static_cast<std::size_t>(k - block.idle)];
    };
    for (Index k = block.begin; k < pairs; ++k) {
        const Index g = number(k);
        // Where bodies are is known from the groups only, which no processor guesses.
        const ContactGroup& ahead = group[number(std::min(k + kBodiesAhead, pairs - 1))];
        for (int lane = 0; lane < kGroupSize; ++lane) {
            __builtin_prefetch(bodies + ahead.i[lane]);
            __builtin_prefetch(bodies + ahead.j[lane]);
        }
        if (beyond_cache) prefetch_group(group[number(std::min(k + kGroupsAhead, pairs - 1))]);
        for (int part = 0; part < kGroupParts; ++part) {
            visit(g, part, ContactLanes<true>(group[g], part, bodies));
        }
    }
    for (Index g = block.single; g < block.end; ++g) {
        for (int part = 0; part < kGroupParts; ++part) {
            visit(g, part, ContactLanes<false>(group[g], part, bodies));
        }
    }
}

/// All numbers of [first, last), as a list of them. (Clang 14 can not read the ranges of GCC 12's library.)
struct Consecutive {
    Index first, last;
    std::size_t size() const { return static_cast<std::size_t>(last - first); }
    Index operator[](std::size_t k) const { return first + static_cast<Index>(k); }
};

/// The same for all groups of a block.
template <class Bodies, class Visit>
void visit_contacts(const std::vector<ContactGroup>& groups, const GroupBlock& block, Bodies* bodies,
                    Visit&& visit) {
    visit_contacts(groups, block, Consecutive{block.idle, block.single}, bodies, visit);
}

/// Nearest vector that is no longer than `limit`. @param size |q|.
[[gnu::always_inline]] inline Triple onto_disc(const Triple& q, Wide size, Wide limit) {
    const Wide factor = size <= limit ? constant(1.0) : limit / size;
    return factor * q;
}

/// The same of one vector.
inline Vec3 onto_disc(const Vec3& q, double limit) {
    const double size = q.norm();
    return (size <= limit ? 1.0 : limit / size) * q;
}

/// Nearest point of the law's set. Both laws leave q where it is in the cone |t| <= mu' n.
///
/// Coulomb: n = max(0, q_n), then t onto the disc of radius mu' n: the exact solution of one contact whose
/// block is the identity (zero normal velocity while sliding). Relaxation: the projection onto the cone.
template <FrictionKind kind>
[[gnu::always_inline]] inline Dual solve_contact(const Dual& q, Wide friction) {
    const Wide size = root(q.t.dot(q.t));
    Wide n;
    if constexpr (kind == FrictionKind::coulomb) {
        n = q.n > 0.0 ? q.n : Wide{};
    } else {
        const Wide edge = (q.n + friction * size) / (1.0 + friction * friction);
        // Without friction and slip the first is met by q_n < 0 too.
        const Wide push = size <= friction * q.n ? q.n : edge;
        n = push > 0.0 ? push : Wide{};
    }
    return {onto_disc(q.t, size, friction * n), n};
}

/// The slope whose natural map y - P(y - g) vanishes at solutions, P the projection onto the cone: for
/// Coulomb's law g + mu' |g_t| n (De Saxce and Feng 1998), for the relaxation g.
template <FrictionKind kind>
[[gnu::always_inline]] inline Dual lifted_slope(const Dual& g, Wide friction) {
    if constexpr (kind == FrictionKind::coulomb) return {g.t, g.n + friction * root(g.t.dot(g.t))};
    return g;
}

}  // namespace talus
