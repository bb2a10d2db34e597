#pragma once

#include <algorithm>
#include <cstddef>

#include "talus/bodies/particles.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

/// The particle with the smallest id for which wanted(i) holds, -1 where there is none: what a message names
/// must not depend on the order in memory.
template <class Wanted>
std::ptrdiff_t first_by_id(const Particles& particles, Wanted&& wanted) {
    constexpr std::ptrdiff_t kNone = -1;
    return parallel_reduce(
        particles.size(), kNone, [&](std::ptrdiff_t i) { return wanted(i) ? i : kNone; },
        [&](std::ptrdiff_t a, std::ptrdiff_t b) {
            if (a == kNone || b == kNone) return std::max(a, b);
            return particles.id[a] < particles.id[b] ? a : b;
        });
}

}  // namespace talus
