#pragma once

#include <algorithm>
#include <limits>

#include "talus/core/types.hpp"

namespace talus {

/// The one test of a pair. Every kind of broad phase ends in it, so that all return the same pairs to the
/// last bit; it is the same for (i, j) and (j, i).
inline bool size_balls_overlap(double dx, double dy, double dz, double size_sum) {
    return dx * dx + dy * dy + dz * dz <= size_sum * size_sum;
}

inline bool size_balls_overlap(const Vec3& a, const Vec3& b, double size_sum) {
    return size_balls_overlap(a[0] - b[0], a[1] - b[1], a[2] - b[2], size_sum);
}

/// Bounds between which the squares of the test above neither underflow nor overflow [m].
constexpr double kSmallestSearchSize = 1e-140;
constexpr double kLargestSearchSize = 1e150;

/// Size to search with: a pair that passes the test lies, along each axis and in distance, within the sum of
/// the two search sizes. Larger than `size` by more than the rounding errors of the test and of a search
/// (some 1e-16), and infinite where the test's squares overflow.
inline double search_size(double size) {
    constexpr double slack = 1.0 + 1e-12;
    if (size > kLargestSearchSize) return std::numeric_limits<double>::infinity();
    return std::max(size * slack, kSmallestSearchSize);
}

}  // namespace talus
