#include "region_sampler.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus {

namespace {

/// A slice of a region between two heights, as wide as its widest section less the radius of the ball.
struct Slice {
    double low, high, radius;

    double size(int dimension) const {
        const double height = std::max(0.0, high - low);
        return dimension == 2 ? height * radius : height * radius * radius;
    }
};

/// Part of a profile between two corners that the centre of a ball can be in, or a little more.
Slice slice_for_ball(const RegionProfile& profile, std::size_t k, double ball) {
    const auto [r0, h0] = profile[k];
    const auto [r1, h1] = profile[k + 1];
    return {std::max(h0, profile.front().second + ball), std::min(h1, profile.back().second - ball),
            std::max(0.0, std::max(r0, r1) - ball)};
}

}  // namespace

RegionSampler::RegionSampler(const Region& region, int dimension)
    : region_(region), dimension_(dimension), profile_(profile_of(region)), axis_(region.axis.normalized()) {
    if (dimension == 2) {
        side_ = Vec3(-axis_[1], axis_[0], 0.0);
        other_side_ = Vec3::Zero();
    } else {
        side_ = axis_.unitOrthogonal();
        other_side_ = axis_.cross(side_);
    }
}

Vec3 RegionSampler::propose(Random& random, double radius) const {
    return region_.kind == Region::Kind::box ? propose_in_box(random, radius)
                                             : propose_in_profile(random, radius);
}

Vec3 RegionSampler::propose_in_box(Random& random, double radius) const {
    Vec3 x = Vec3::Zero();
    for (int k = 0; k < dimension_; ++k) {
        // Where the ball just fits rounding may turn the two ends around: the middle is then the only place.
        const double low = region_.low[k] + radius;
        const double high = region_.high[k] - radius;
        x[k] = low < high ? random.uniform(low, high) : 0.5 * (low + high);
    }
    return x;
}

Vec3 RegionSampler::propose_in_profile(Random& random, double radius) const {
    double total = 0.0;
    for (std::size_t k = 0; k + 1 < profile_.size(); ++k)
        total += slice_for_ball(profile_, k, radius).size(dimension_);
    // One draw chooses the slice and the height in it. Where the ball just fits, nothing has a size: the
    // middle.
    double left = random.uniform() * total;
    Slice slice = {profile_.front().second, profile_.back().second, 0.0};
    double share = 0.5;
    for (std::size_t k = 0; k + 1 < profile_.size(); ++k) {
        const Slice candidate = slice_for_ball(profile_, k, radius);
        const double size = candidate.size(dimension_);
        if (size == 0.0) continue;
        slice = candidate;
        share = std::min(1.0, left / size);
        if (left < size) break;
        left -= size;
    }
    const Vec3 centre = region_.origin + (slice.low + share * (slice.high - slice.low)) * axis_;
    if (dimension_ == 2) return centre + random.uniform(-slice.radius, slice.radius) * side_;
    const double across = slice.radius * std::sqrt(random.uniform());
    const double angle = 2.0 * std::numbers::pi * random.uniform();
    return centre + across * (std::cos(angle) * side_ + std::sin(angle) * other_side_);
}

}  // namespace talus
