#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// The upper median. @param values (n), n > 0; in another order afterwards.
inline double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The point of the medians of all coordinates: what lies far away does not move it.
/// @param count n > 0. @param point (k) -> Vec3. @param work array, kept by who asks often.
template <class Point>
Vec3 median_point(std::size_t count, Point&& point, std::vector<double>& work) {
    Vec3 middle;
    for (int axis = 0; axis < 3; ++axis) {
        work.clear();
        for (std::size_t k = 0; k < count; ++k) work.push_back(point(k)[axis]);
        middle[axis] = median(work);
    }
    return middle;
}

}  // namespace talus
