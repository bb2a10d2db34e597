#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "talus/projection/optimality.hpp"
#include "talus/projection/row_layout.hpp"

/// What one row does to two bodies or to one, for the loops of every solver. Four doubles are moved at once:
/// the types are GCC's and Clang's vector extension, which is plain arithmetic where the machine has none.
namespace talus {

using Lanes = double __attribute__((vector_size(32)));
/// The same in an array of Packed, which need not be aligned for the widest vectors.
using StoredLanes = double __attribute__((vector_size(32), aligned(16), may_alias));

/// Asks memory for what will be read or, where it is not const, written.
template <class T>
[[gnu::always_inline]] inline void prefetch_at(T* place) {
    __builtin_prefetch(place, std::is_const_v<T> ? 0 : 1);
}

/// Asks memory for the values of the four rows kAhead after c, one array of several that are read side by
/// side: processors follow the first few such streams by themselves, and those to the end of a page only.
template <class T>
[[gnu::always_inline]] inline void prefetch_values(T* value, Index c) {
    prefetch_at(value + c + kAhead);
}

/// Local pointers to the arrays of a sweep, so that the compiler need not read them again after every store.
struct RowView {
    explicit RowView(const RowLayout& layout)
        : direction(layout.direction.data()), ends(layout.ends.data()) {}

    /// Asks memory for the directions of the four rows kAhead after c, and for the velocities they need:
    /// where those are is known from the rows only, which no processor guesses; beyond its caches a sweep
    /// took twice as long without. (Inlined by force: GCC 12 drops calls of functions that do nothing but
    /// prefetch.)
    template <class Velocity>
    [[gnu::always_inline]] void prefetch(Index c, Velocity* w) const {
        const RowLayout::Ends* ahead = ends + c + kAhead;
        for (int k = 0; k < 4; ++k) {
            prefetch_at(w + ahead[k].i);
            prefetch_at(w + ahead[k].j);  // or beside it, for -1
        }
        prefetch_at(direction + c + kAhead);
        prefetch_at(direction + c + kAhead + 2);  // a line holds two
    }

    const Packed* direction;
    const RowLayout::Ends* ends;
};

inline StoredLanes* lanes(Packed* p) {
    return reinterpret_cast<StoredLanes*>(p->data());
}

inline const StoredLanes* lanes(const Packed* p) {
    return reinterpret_cast<const StoredLanes*>(p->data());
}

inline double dot3(const Packed& a, const Packed& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// max(0, t) without a branch, which no processor predicts: whether a row is active looks random to it.
/// Exact.
inline double positive_part(double t) {
    return 0.5 * (t + std::abs(t));
}

inline Lanes positive_part(Lanes t) {
    return t > 0.0 ? t : Lanes{};
}

/// The value of one row, or of four rows in turn.
template <class Value>
Value load(const double* p) {
    Value value;
    std::memcpy(&value, p, sizeof value);
    return value;
}

template <class Value>
void store(double* p, Value value) {
    std::memcpy(p, &value, sizeof value);
}

template <class Value>
Value smaller(Value a, Value b) {
    return a < b ? a : b;
}

template <class Value>
Value larger(Value a, Value b) {
    return a > b ? a : b;
}

/// The slope of a row, or of four, as far as it is more than rounding of coordinates.
template <class Value>
Value meaningful_slope(Value g, Value reach) {
    const Value overlap = -g * reach;
    return overlap > 0.0 && overlap <= kRoundingOverlap ? Value{} : g;
}

inline double sum_of_lanes(Lanes v) {
    return (v[0] + v[1]) + (v[2] + v[3]);
}

/// G w of a row with two bodies, without b.
inline double pair_rate(const RowView& rows, Index c, const Packed* w) {
    const auto [i, j] = rows.ends[c];
    const Lanes product = *lanes(rows.direction + c) * (*lanes(w + j) - *lanes(w + i));
    return product[0] + product[1] + product[2];
}

inline double single_rate(const RowView& rows, Index c, const Packed* w) {
    const Lanes product = *lanes(rows.direction + c) * *lanes(w + rows.ends[c].i);
    return product[0] + product[1] + product[2];
}

/// g = G w + b of a row with two bodies.
inline double pair_slope(const RowView& rows, Index c, const Packed* w) {
    return pair_rate(rows, c, w) + rows.direction[c][3];
}

inline double single_slope(const RowView& rows, Index c, const Packed* w) {
    return single_rate(rows, c, w) + rows.direction[c][3];
}

/// w += M^-1 G' dy of a row with two bodies; the inverse masses beside w are kept.
inline void push_pair(const RowView& rows, Index c, double dy, Packed* w) {
    const auto [i, j] = rows.ends[c];
    const double at_i = w[i][3] * dy;
    const double at_j = w[j][3] * dy;
    const Lanes e = *lanes(rows.direction + c);
    *lanes(w + i) -= Lanes{at_i, at_i, at_i, 0.0} * e;
    *lanes(w + j) += Lanes{at_j, at_j, at_j, 0.0} * e;
}

/// Slopes and right-hand sides of four rows, a row a lane.
struct FourSlopes {
    Lanes slope;  ///< g = G w + b
    Lanes b;
};

/// @param w the velocities, or their differences, that the rows' directions are multiplied with.
inline FourSlopes four_slopes(const StoredLanes* direction, const Lanes (&w)[4]) {
    Lanes part[4];  // x, y, z of the slope, then b
    for (int k = 0; k < 4; ++k) {
        part[k] = __builtin_shufflevector(direction[k] * w[k], direction[k], 0, 1, 2, 7);
    }
    const Lanes yb_01 = __builtin_shufflevector(part[0], part[1], 1, 5, 3, 7);
    const Lanes yb_23 = __builtin_shufflevector(part[2], part[3], 1, 5, 3, 7);
    const Lanes sum_01 = __builtin_shufflevector(part[0], part[1], 0, 4, 2, 6) + yb_01;
    const Lanes sum_23 = __builtin_shufflevector(part[2], part[3], 0, 4, 2, 6) + yb_23;
    return {__builtin_shufflevector(sum_01, sum_23, 0, 1, 4, 5) +
                __builtin_shufflevector(sum_01, sum_23, 2, 3, 6, 7),
            __builtin_shufflevector(yb_01, yb_23, 2, 3, 6, 7)};
}

/// The impulse of one of four rows.
inline Lanes along(const StoredLanes& direction, double dy) {
    return Lanes{dy, dy, dy, 0.0} * direction;
}

/// The inverse mass beside a velocity, in all lanes.
inline Lanes inverse_mass(Lanes w) {
    return __builtin_shufflevector(w, w, 3, 3, 3, 3);
}

/// The rows c to c + 3, which have two bodies each and share none: they cost little more than one row.
struct FourRows : FourSlopes {
    FourRows(const RowView& rows, Index c, const Packed* w)
        : ends(rows.ends + c), direction(lanes(rows.direction + c)) {
        Lanes difference[4];
        for (int k = 0; k < 4; ++k) {
            w_i[k] = *lanes(w + ends[k].i);
            w_j[k] = *lanes(w + ends[k].j);
            difference[k] = w_j[k] - w_i[k];
        }
        FourSlopes::operator=(four_slopes(direction, difference));
    }

    /// w += M^-1 G' dy.
    void push(Lanes dy, Packed* w) const {
        for (int k = 0; k < 4; ++k) {
            const Lanes impulse = along(direction[k], dy[k]);
            *lanes(w + ends[k].i) = w_i[k] - inverse_mass(w_i[k]) * impulse;
            *lanes(w + ends[k].j) = w_j[k] + inverse_mass(w_j[k]) * impulse;
        }
    }

    const RowLayout::Ends* ends;
    const StoredLanes* direction;
    Lanes w_i[4], w_j[4];
};

/// The same for rows with one body each.
struct FourSingles : FourSlopes {
    FourSingles(const RowView& rows, Index c, const Packed* w)
        : ends(rows.ends + c), direction(lanes(rows.direction + c)) {
        for (int k = 0; k < 4; ++k) w_i[k] = *lanes(w + ends[k].i);
        FourSlopes::operator=(four_slopes(direction, w_i));
    }

    /// w += M^-1 G' dy.
    void push(Lanes dy, Packed* w) const {
        for (int k = 0; k < 4; ++k) {
            *lanes(w + ends[k].i) = w_i[k] + inverse_mass(w_i[k]) * along(direction[k], dy[k]);
        }
    }

    const RowLayout::Ends* ends;
    const StoredLanes* direction;
    Lanes w_i[4];
};

inline void push_single(const RowView& rows, Index c, double dy, Packed* w) {
    const Index i = rows.ends[c].i;
    const double at_i = w[i][3] * dy;
    *lanes(w + i) += Lanes{at_i, at_i, at_i, 0.0} * *lanes(rows.direction + c);
}

}  // namespace talus
