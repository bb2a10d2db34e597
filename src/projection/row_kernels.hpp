#pragma once

#include <cmath>

#include "talus/projection/row_layout.hpp"

/// What one row does to two bodies or to one, for the loops of every solver. Four doubles are moved at once:
/// the types are GCC's and Clang's vector extension, which is plain arithmetic where the machine has none.
namespace talus {

using Lanes = double __attribute__((vector_size(32), aligned(16), may_alias));

/// Local pointers to the arrays of a sweep, so that the compiler need not read them again after every store.
struct RowView {
    explicit RowView(const RowLayout& layout)
        : direction(layout.direction.data()), ends(layout.ends.data()) {}

    const Packed* direction;
    const RowLayout::Ends* ends;
};

inline Lanes* lanes(Packed* p) {
    return reinterpret_cast<Lanes*>(p->data());
}

inline const Lanes* lanes(const Packed* p) {
    return reinterpret_cast<const Lanes*>(p->data());
}

inline double dot3(const Packed& a, const Packed& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// max(0, t) without a branch, which no processor predicts: whether a row is active looks random to it.
/// Exact.
inline double positive_part(double t) {
    return 0.5 * (t + std::abs(t));
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

inline void push_single(const RowView& rows, Index c, double dy, Packed* w) {
    const Index i = rows.ends[c].i;
    const double at_i = w[i][3] * dy;
    *lanes(w + i) += Lanes{at_i, at_i, at_i, 0.0} * *lanes(rows.direction + c);
}

}  // namespace talus
