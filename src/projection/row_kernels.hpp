#pragma once

#include "talus/projection/row_layout.hpp"

/// What one row does to two bodies or to one, for the loops of every solver.
namespace talus {

inline double dot3(const Packed& a, const Packed& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// G w of a row with two bodies, without b.
inline double pair_rate(const RowLayout& layout, Index c, const Packed* w) {
    const Packed relative = w[layout.ends[c].j] - w[layout.ends[c].i];
    return dot3(layout.direction[c], relative);
}

inline double single_rate(const RowLayout& layout, Index c, const Packed* w) {
    return dot3(layout.direction[c], w[layout.ends[c].i]);
}

/// g = G w + b of a row with two bodies.
inline double pair_slope(const RowLayout& layout, Index c, const Packed* w) {
    return pair_rate(layout, c, w) + layout.direction[c][3];
}

inline double single_slope(const RowLayout& layout, Index c, const Packed* w) {
    return single_rate(layout, c, w) + layout.direction[c][3];
}

/// w += M^-1 G' dy of a row with two bodies.
inline void push_pair(const RowLayout& layout, Index c, double dy, Packed* w) {
    Packed e = layout.direction[c];
    e[3] = 0.0;  // keeps the inverse masses
    Packed& wi = w[layout.ends[c].i];
    Packed& wj = w[layout.ends[c].j];
    wi -= (wi[3] * dy) * e;
    wj += (wj[3] * dy) * e;
}

inline void push_single(const RowLayout& layout, Index c, double dy, Packed* w) {
    Packed e = layout.direction[c];
    e[3] = 0.0;
    Packed& wi = w[layout.ends[c].i];
    wi += (wi[3] * dy) * e;
}

}  // namespace talus
