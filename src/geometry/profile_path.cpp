#include "profile_path.hpp"

namespace talus {
namespace {

/// Halvings of [0, 1] after which its ends are neighbouring doubles near 1; closer to 0 the path is shorter
/// than rounding.
constexpr int kHalvings = 56;

/// Parameter of [low, high] at which `is_before` turns from true to false: the last one that is still true.
template <class Predicate>
double turning_point(double low, double high, Predicate&& is_before) {
    for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (low + high);
        (is_before(middle) ? low : high) = middle;
    }
    return high;
}

}  // namespace

ProfilePath::ProfilePath(const Vec3& radial_from, const Vec3& radial_step, double height_from,
                         double height_step)
    : radial_from_(radial_from),
      radial_step_(radial_step),
      height_from_(height_from),
      height_step_(height_step),
      nearest_to_axis_(0.0) {
    const double toward = -radial_from.dot(radial_step);
    const double squared = radial_step.squaredNorm();
    if (toward > 0.0) nearest_to_axis_ = toward < squared ? toward / squared : 1.0;
}

// The distance from the axis is a convex function of t, so with the normal pointing away from the axis the
// height g over the line is convex too: positive at both ends it vanishes never or twice, on both sides of
// its minimum. Bisection keeps the side of every passage right where the quadratic formula would lose it.
std::vector<ProfilePath::Passage> ProfilePath::passages(const Vec2& base, const Vec2& normal) const {
    const bool flip = normal.x() < 0.0;
    const Vec2 outward = flip ? Vec2(-normal) : normal;
    const auto g = [&](double t) { return outward.dot(at(t) - base); };
    const double g0 = g(0.0);
    const double g1 = g(1.0);
    std::vector<Passage> found;
    if (g0 <= 0.0 && g1 < 0.0) return found;
    if (g0 < 0.0) {
        found.push_back({turning_point(0.0, 1.0, [&](double t) { return g(t) < 0.0; }), flip});
        return found;
    }
    if (g1 < 0.0) {
        found.push_back({turning_point(0.0, 1.0, [&](double t) { return g(t) > 0.0; }), !flip});
        return found;
    }
    const double slope_along = outward.y() * height_step_;
    const double least =
        outward.x() * (least_rho() - base.x()) +
        std::min(outward.y() * (height(0.0) - base.y()), outward.y() * (height(1.0) - base.y()));
    if (least > 0.0) return found;
    const auto falls = [&](double t) {
        const double r = rho(t);
        const double rate = r > 0.0 ? radial(t).dot(radial_step_) / r : 0.0;
        return outward.x() * rate + slope_along < 0.0;
    };
    const double bottom = turning_point(0.0, 1.0, falls);
    if (g(bottom) < 0.0) {
        if (g0 > 0.0) {
            found.push_back({turning_point(0.0, bottom, [&](double t) { return g(t) > 0.0; }), !flip});
        }
        found.push_back({turning_point(bottom, 1.0, [&](double t) { return g(t) < 0.0; }), flip});
    } else if (g1 == 0.0 && g0 > 0.0) {
        found.push_back({1.0, !flip});
    }
    return found;
}

}  // namespace talus
