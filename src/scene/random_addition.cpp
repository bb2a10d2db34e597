#include <algorithm>
#include <cstdint>
#include <numeric>

#include "placement.hpp"
#include "region_sampler.hpp"
#include "talus/core/random.hpp"

namespace talus {

namespace {

// Tries of one ball before the space counts as full. At a solid fraction of 0.30 (3-D) or 0.50 (2-D) a place
// in some hundreds is free.
constexpr int kMostTries = 50'000;

/// Numbers by decreasing radius, equal radii in their order.
std::vector<std::size_t> largest_first(std::span<const double> radius) {
    std::vector<std::size_t> order(radius.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return radius[a] > radius[b]; });
    return order;
}

}  // namespace

Addition add_at_random(const FillSite& site, std::span<const double> radius, double core,
                       std::uint64_t seed) {
    const RegionSampler sampler(site.region, site.dimension);
    FreePlaces fresh;
    Addition result;
    result.centre.resize(radius.size());
    for (const std::size_t ball : largest_first(radius)) {
        Random random(seed, ball);
        const double r = radius[ball];
        int tries = 0;
        for (; tries < kMostTries; ++tries) {
            const Vec3 x = sampler.propose(random, r);
            if (!fresh.is_free_of_balls(x, core * r) || !site.admits(x, r)) continue;
            fresh.add(x, core * r);
            result.centre[ball] = x;
            ++result.placed;
            break;
        }
        if (tries == kMostTries) return result;
    }
    result.complete = true;
    return result;
}

}  // namespace talus
