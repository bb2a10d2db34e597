#pragma once

#include <cmath>
#include <vector>

#include "row_kernels.hpp"
#include "talus/projection/friction.hpp"

/// What one contact with friction does to two bodies or to one, for one contact at a time (Value = double) or
/// for four that share no body, a contact a lane (Value = Lanes).
namespace talus {

/// What contacts read and write of one body, in one line of the cache.
struct alignas(64) BodyMotion {
    Packed velocity;  ///< change of it [m/s]; fourth: 1/m [1/kg]
    Packed spin;      ///< change of it [rad/s]; fourth: 1/J [1/(kg m^2)]
};

/// Contact in the order of RowLayout. With s_n = 1/sqrt(1/m_i + 1/m_j) and s_t = 1/sqrt(k_i/m_i + k_j/m_j),
/// k = 1 + m arm^2 / J, the impulse is p = s_n y_n n + s_t y_t, and its own block of the matrix is the
/// identity; |p_t| <= mu p_n reads |y_t| <= mu' y_n with mu' = mu s_n / s_t. Tangential vectors have three
/// components and are orthogonal to n, so nothing depends on a choice of axes. Where only one body can move
/// it is the second.
struct ContactRow {
    Packed normal;   ///< n towards the second body; fourth: b_n = s_n (rate + n . w) [sqrt(kg) m/s]
    Packed tangent;  ///< b_t = s_t w_t of the free motion [sqrt(kg) m/s]; fourth: mu' [-]
    Packed lever;    ///< s_n, s_t [sqrt(kg)], arms of the first and the second body [m]
};

template <class Value>
struct Triple {
    Value x{}, y{}, z{};

    friend Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Triple operator*(const Value& s, const Triple& a) { return {s * a.x, s * a.y, s * a.z}; }
    Value dot(const Triple& b) const { return x * b.x + y * b.y + z * b.z; }
    Triple cross(const Triple& b) const { return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x}; }
};

/// A scaled impulse y or slope g of a contact; in memory (t, n) as Packed.
template <class Value>
struct Dual {
    Triple<Value> t;  ///< tangential part
    Value n{};        ///< normal part

    friend Dual operator+(const Dual& a, const Dual& b) { return {a.t + b.t, a.n + b.n}; }
    friend Dual operator-(const Dual& a, const Dual& b) { return {a.t - b.t, a.n - b.n}; }
    friend Dual operator*(const Value& s, const Dual& a) { return {s * a.t, s * a.n}; }
    Value dot(const Dual& b) const { return t.dot(b.t) + n * b.n; }
};

inline double constant(double value, double) {
    return value;
}

inline Lanes constant(double value, Lanes) {
    return Lanes{value, value, value, value};
}

inline double root(double square) {
    return std::sqrt(square);
}

inline Lanes root(Lanes square) {
    Packed value;
    *lanes(&value) = square;
    value = value.array().sqrt();  // std::sqrt of the lanes would be four calls that may set errno
    return *lanes(&value);
}

struct FourLanes {
    Lanes x, y, z, w;
};

/// Four vectors of four components become four components of four vectors, and back.
[[gnu::always_inline]] inline FourLanes transpose(Lanes a, Lanes b, Lanes c, Lanes d) {
    const Lanes xz_ab = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const Lanes yw_ab = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Lanes xz_cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const Lanes yw_cd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    return {
        __builtin_shufflevector(xz_ab, xz_cd, 0, 1, 4, 5), __builtin_shufflevector(yw_ab, yw_cd, 0, 1, 4, 5),
        __builtin_shufflevector(xz_ab, xz_cd, 2, 3, 6, 7), __builtin_shufflevector(yw_ab, yw_cd, 2, 3, 6, 7)};
}

template <class Value>
Dual<Value> load_dual(const Packed* p);

template <>
inline Dual<double> load_dual<double>(const Packed* p) {
    return {{(*p)[0], (*p)[1], (*p)[2]}, (*p)[3]};
}

template <>
inline Dual<Lanes> load_dual<Lanes>(const Packed* p) {
    const auto [x, y, z, w] = transpose(*lanes(p), *lanes(p + 1), *lanes(p + 2), *lanes(p + 3));
    return {{x, y, z}, w};
}

inline void store_dual(Packed* p, const Dual<double>& value) {
    *lanes(p) = Lanes{value.t.x, value.t.y, value.t.z, value.n};
}

inline void store_dual(Packed* p, const Dual<Lanes>& value) {
    const auto [a, b, c, d] = transpose(value.t.x, value.t.y, value.t.z, value.n);
    *lanes(p) = a;
    *lanes(p + 1) = b;
    *lanes(p + 2) = c;
    *lanes(p + 3) = d;
}

/// The constant data of one contact, or of four.
template <class Value>
struct ContactData {
    Triple<Value> normal;
    Dual<Value> b;
    Value friction;  ///< mu'
    Value scale_n, scale_t;

    /// g. @param difference u_j - u_i, @param rolling arm_i omega_i + arm_j omega_j.
    Dual<Value> slope(const Triple<Value>& difference, const Triple<Value>& rolling) const {
        const Value along = normal.dot(difference);
        const Triple<Value> across = difference - along * normal - rolling.cross(normal);
        return {scale_t * across + b.t, scale_n * along + b.n};
    }
    /// p_t of a change of y
    Triple<Value> tangential_impulse(const Dual<Value>& dy) const { return scale_t * dy.t; }
    Triple<Value> normal_impulse(const Dual<Value>& dy) const { return (scale_n * dy.n) * normal; }
};

inline ContactData<double> load_contact(const ContactRow& row) {
    const auto& [n, t, lever] = row;
    return {{n[0], n[1], n[2]}, {{t[0], t[1], t[2]}, n[3]}, t[3], lever[0], lever[1]};
}

[[gnu::always_inline]] inline ContactData<Lanes> load_four_contacts(const ContactRow* row) {
    const auto part = [&](const Packed ContactRow::*member) {
        return transpose(*lanes(&(row[0].*member)), *lanes(&(row[1].*member)), *lanes(&(row[2].*member)),
                         *lanes(&(row[3].*member)));
    };
    const auto [n_x, n_y, n_z, b_n] = part(&ContactRow::normal);
    const auto [t_x, t_y, t_z, friction] = part(&ContactRow::tangent);
    const Lanes scales_02 = __builtin_shufflevector(*lanes(&row[0].lever), *lanes(&row[2].lever), 0, 1, 4, 5);
    const Lanes scales_13 = __builtin_shufflevector(*lanes(&row[1].lever), *lanes(&row[3].lever), 0, 1, 4, 5);
    return {{n_x, n_y, n_z},
            {{t_x, t_y, t_z}, b_n},
            friction,
            __builtin_shufflevector(scales_02, scales_13, 0, 4, 2, 6),
            __builtin_shufflevector(scales_02, scales_13, 1, 5, 3, 7)};
}

template <int lane>
Lanes broadcast(Lanes v) {
    return __builtin_shufflevector(v, v, lane, lane, lane, lane);
}

/// The contacts c to c + 3, which have two bodies each and share none. (Inlined by force: passed through
/// memory, four contacts take half as long again.)
class FourPairs {
public:
    using Value = Lanes;

    [[gnu::always_inline]] FourPairs(const ContactRow* row, const RowLayout::Ends* ends,
                                     const BodyMotion* bodies)
        : contact(load_four_contacts(row)), row_(row), ends_(ends) {
        Lanes difference[4], rolling[4];
        for (int k = 0; k < 4; ++k) {
            const BodyMotion& i = bodies[ends[k].i];
            const BodyMotion& j = bodies[ends[k].j];
            const Lanes lever = *lanes(&row[k].lever);
            difference[k] = *lanes(&j.velocity) - *lanes(&i.velocity);
            rolling[k] = broadcast<2>(lever) * *lanes(&i.spin) + broadcast<3>(lever) * *lanes(&j.spin);
        }
        const FourLanes d = transpose(difference[0], difference[1], difference[2], difference[3]);
        const FourLanes r = transpose(rolling[0], rolling[1], rolling[2], rolling[3]);
        slope = contact.slope({d.x, d.y, d.z}, {r.x, r.y, r.z});
    }

    [[gnu::always_inline]] void push(const Dual<Lanes>& dy, BodyMotion* bodies) const {
        const Triple<Lanes> t = contact.tangential_impulse(dy);
        const Triple<Lanes> p = contact.normal_impulse(dy) + t;
        const Triple<Lanes> n_x_p = contact.normal.cross(t);
        const FourLanes push = transpose(p.x, p.y, p.z, Lanes{});
        const FourLanes turn = transpose(n_x_p.x, n_x_p.y, n_x_p.z, Lanes{});
        push_one(0, push.x, turn.x, bodies);
        push_one(1, push.y, turn.y, bodies);
        push_one(2, push.z, turn.z, bodies);
        push_one(3, push.w, turn.w, bodies);
    }

    ContactData<Lanes> contact;
    Dual<Lanes> slope;

private:
    [[gnu::always_inline]] void push_one(int k, Lanes p, Lanes n_x_p, BodyMotion* bodies) const {
        const Lanes lever = *lanes(&row_[k].lever);
        BodyMotion& i = bodies[ends_[k].i];
        BodyMotion& j = bodies[ends_[k].j];
        *lanes(&i.velocity) -= broadcast<3>(*lanes(&i.velocity)) * p;
        *lanes(&j.velocity) += broadcast<3>(*lanes(&j.velocity)) * p;
        *lanes(&i.spin) -= broadcast<3>(*lanes(&i.spin)) * broadcast<2>(lever) * n_x_p;
        *lanes(&j.spin) -= broadcast<3>(*lanes(&j.spin)) * broadcast<3>(lever) * n_x_p;
    }

    const ContactRow* row_;
    const RowLayout::Ends* ends_;
};

/// A contact of two bodies, or of one that can move (the second).
template <bool is_pair>
class OneContact {
public:
    using Value = double;

    [[gnu::always_inline]] OneContact(const ContactRow* row, const RowLayout::Ends* ends,
                                      const BodyMotion* bodies)
        : contact(load_contact(*row)), row_(row), ends_(ends) {
        const BodyMotion& j = bodies[is_pair ? ends->j : ends->i];
        Lanes difference = *lanes(&j.velocity);
        Lanes rolling = row->lever[3] * *lanes(&j.spin);
        if constexpr (is_pair) {
            const BodyMotion& i = bodies[ends->i];
            difference -= *lanes(&i.velocity);
            rolling += row->lever[2] * *lanes(&i.spin);
        }
        slope = contact.slope({difference[0], difference[1], difference[2]},
                              {rolling[0], rolling[1], rolling[2]});
    }

    [[gnu::always_inline]] void push(const Dual<double>& dy, BodyMotion* bodies) const {
        const Triple<double> t = contact.tangential_impulse(dy);
        const Triple<double> p = contact.normal_impulse(dy) + t;
        const Triple<double> n_x_p = contact.normal.cross(t);
        const Lanes push{p.x, p.y, p.z, 0.0};
        const Lanes turn{n_x_p.x, n_x_p.y, n_x_p.z, 0.0};
        BodyMotion& j = bodies[is_pair ? ends_->j : ends_->i];
        *lanes(&j.velocity) += j.velocity[3] * push;
        *lanes(&j.spin) -= j.spin[3] * row_->lever[3] * turn;
        if constexpr (is_pair) {
            BodyMotion& i = bodies[ends_->i];
            *lanes(&i.velocity) -= i.velocity[3] * push;
            *lanes(&i.spin) -= i.spin[3] * row_->lever[2] * turn;
        }
    }

    ContactData<double> contact;
    Dual<double> slope;

private:
    const ContactRow* row_;
    const RowLayout::Ends* ends_;
};

/// The same sums over contacts that came one at a time and over those that came in fours.
template <template <class> class Sums>
struct BothSums {
    Sums<double> ones;
    Sums<Lanes> fours;

    Sums<double>& of(double) { return ones; }
    Sums<Lanes>& of(Lanes) { return fours; }
};

/// Calls visit(c, contact) for the contacts of a block in their order; `contact` is a FourPairs or
/// OneContact.
template <class Bodies, class Visit>
void visit_contacts(const RowLayout& layout, const std::vector<ContactRow>& rows,
                    const RowLayout::Block& block, Bodies* bodies, Visit&& visit) {
    const RowView view(layout);
    const ContactRow* row = rows.data();
    for (Index c = block.begin; c < block.four_end; c += 4) {
        view.prefetch(c, bodies);
        visit(c, FourPairs(row + c, view.ends + c, bodies));
    }
    for (Index c = block.four_end; c < block.single; ++c) {
        visit(c, OneContact<true>(row + c, view.ends + c, bodies));
    }
    for (Index c = block.single; c < block.end; ++c) {
        visit(c, OneContact<false>(row + c, view.ends + c, bodies));
    }
}

/// Nearest point of the law's set. Both laws leave q where it is in the cone |t| <= mu' n.
///
/// Coulomb: n = max(0, q_n), then t onto the disc of radius mu' n: the exact solution of one contact whose
/// block is the identity (zero normal velocity while sliding). Relaxation: the projection onto the cone.
template <FrictionKind kind, class Value>
Dual<Value> solve_contact(const Dual<Value>& q, Value friction) {
    const Value size = root(q.t.dot(q.t));
    Value n;
    if constexpr (kind == FrictionKind::coulomb) {
        n = positive_part(q.n);
    } else {
        const Value one = constant(1.0, Value{});
        const Value edge = positive_part((q.n + friction * size) / (one + friction * friction));
        n = size <= friction * q.n ? q.n : edge;
    }
    const Value limit = friction * n;
    const Value factor = size <= limit ? constant(1.0, Value{}) : limit / size;
    return {factor * q.t, n};
}

/// The slope whose natural map y - P(y - g) vanishes at solutions, P the projection onto the cone: for
/// Coulomb's law g + mu' |g_t| n (De Saxce and Feng 1998), for the relaxation g.
template <FrictionKind kind, class Value>
Dual<Value> lifted_slope(const Dual<Value>& g, Value friction) {
    if constexpr (kind == FrictionKind::coulomb) return {g.t, g.n + friction * root(g.t.dot(g.t))};
    return g;
}

}  // namespace talus
