#include "talus/core/space_filling_curve.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "talus/core/parallel.hpp"

namespace talus {

namespace {

constexpr int kCoordinateBits = 21;  // three coordinates fit a 64-bit key
constexpr double kLastCell = (1 << (kCoordinateBits - 1)) - 1;

// Puts two zero bits between the bits of a coordinate.
std::uint64_t spread_bits(std::uint64_t x) {
    x = (x | x << 32) & 0x1f00000000ffffULL;
    x = (x | x << 16) & 0x1f0000ff0000ffULL;
    x = (x | x << 8) & 0x100f00f00f00f00fULL;
    x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
    x = (x | x << 2) & 0x1249249249249249ULL;
    return x;
}

}  // namespace

std::uint64_t curve_key(const Vec3& point, const Vec3& origin, double cell) {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double x = std::floor((point[axis] - origin[axis]) / cell);
        const double clamped = x > -kLastCell ? std::min(x, kLastCell) : -kLastCell;
        key |= spread_bits(static_cast<std::uint64_t>(clamped + kLastCell + 1.0)) << axis;
    }
    return key;
}

std::vector<Index> curve_order(std::span<const Vec3> points, const Vec3& origin, double cell) {
    std::vector<std::pair<std::uint64_t, Index>> places(points.size());
    parallel_for(std::ssize(points), [&](std::ptrdiff_t i) {
        places[i] = {curve_key(points[i], origin, cell), static_cast<Index>(i)};
    });
    std::sort(places.begin(), places.end());
    std::vector<Index> order;
    order.reserve(places.size());
    for (const auto& [key, point] : places) order.push_back(point);
    return order;
}

}  // namespace talus
