#include "talus/broadphase/scatter.hpp"

#include <cstdint>
#include <cstdlib>
#include <functional>

#include "talus/bodies/memory_order.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

namespace {

// Along the curve 0.03 of the pairs of a packing are 4096 places apart or more, 0.3 to 0.4 once grains have
// moved by ten radii each way. The cost of disorder grows from there.
constexpr double kScattered = 0.25;  ///< share of far pairs above which arranging is thought of
constexpr double kWorthwhile = 0.5;  ///< part of the far pairs that may stay far

template <class Place>
double far_pairs(const std::vector<Pair>& pairs, Index near, Place&& place) {
    const auto far = [&](std::ptrdiff_t k) {
        return std::int64_t{std::abs(place(pairs[k].i) - place(pairs[k].j)) > near};
    };
    return static_cast<double>(parallel_reduce(std::ssize(pairs), std::int64_t{0}, far, std::plus<>()));
}

}  // namespace

bool scattered(const Particles& particles, const std::vector<Pair>& pairs, Index near) {
    const double now = far_pairs(pairs, near, [](Index i) { return i; });
    if (now <= kScattered * static_cast<double>(pairs.size())) return false;
    const std::vector<Index> place = places_of(curve_order(particles));
    return far_pairs(pairs, near, [&](Index i) { return place[i]; }) < kWorthwhile * now;
}

}  // namespace talus
