#include <algorithm>
#include <array>
#include <cmath>

#include "talus/geometry/region_cuts.hpp"

namespace talus {

namespace {

/// Part of a line, whose points are from + t (to - from): t in [begin, end].
struct Span {
    double begin = 0.0, end = 1.0;

    double length() const { return std::max(0.0, end - begin); }
    /// Keeps where a coordinate that is `start` at t = 0 and changes by `change` is in [low, high).
    void clip(double start, double change, double low, double high) {
        if (change == 0.0) {
            if (start < low || start >= high) end = begin;
            return;
        }
        const double first = (low - start) / change, last = (high - start) / change;
        begin = std::max(begin, std::min(first, last));
        end = std::min(end, std::max(first, last));
    }
};

double share_in_box(const Region& region, const Vec3& from, const Vec3& to, int dimension) {
    Span span;
    for (int k = 0; k < dimension; ++k) span.clip(from[k], to[k] - from[k], region.low[k], region.high[k]);
    return span.length();
}

/// a t^2 + 2 b t + c.
struct Quadratic {
    double a, b, c;

    double at(double t) const { return (a * t + 2.0 * b) * t + c; }
    /// Where it is 0, in ascending order; what does not exist is not finite.
    std::array<double, 2> roots() const {
        const double q = -(b + std::copysign(std::sqrt(b * b - a * c), b));
        const auto [low, high] = std::minmax({q / a, c / q});
        return {low, high};
    }
    /// Length of the part of a span where it is at most 0.
    double length_below(const Span& span) const {
        double sum = 0.0, begin = span.begin;
        const auto add_until = [&](double end) {
            if (at(0.5 * (begin + end)) <= 0.0) sum += end - begin;
            begin = end;
        };
        for (const double root : roots()) {
            if (root > begin && root < span.end) add_until(root);
        }
        add_until(span.end);
        return sum;
    }
};

double share_in_revolved(const Region& region, const Vec3& from, const Vec3& to) {
    const Vec3 axis = region.axis.normalized();
    const double start = (from - region.origin).dot(axis), rise = (to - from).dot(axis);
    const Vec3 across = from - region.origin - start * axis, drift = to - from - rise * axis;
    const RegionProfile profile = profile_of(region);
    double sum = 0.0;
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        const auto [r0, h0] = profile[k];
        const auto [r1, h1] = profile[k + 1];
        Span span;
        span.clip(start, rise, h0, h1);
        if (!(h1 > h0) || span.length() == 0.0) continue;
        // |across + t drift|^2 - (radius + t widening)^2
        const double slope = (r1 - r0) / (h1 - h0);
        const double radius = r0 + slope * (start - h0), widening = slope * rise;
        const Quadratic beyond = {drift.squaredNorm() - widening * widening,
                                  across.dot(drift) - radius * widening,
                                  across.squaredNorm() - radius * radius};
        sum += beyond.length_below(span);
    }
    return sum;
}

}  // namespace

double share_inside(const Region& region, const Vec3& from, const Vec3& to, int dimension) {
    if (region.kind == Region::Kind::box) return share_in_box(region, from, to, dimension);
    return share_in_revolved(region, from, to);
}

}  // namespace talus
