#include <algorithm>
#include <boost/container/static_vector.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "disc_cuts.hpp"
#include "talus/geometry/region_cuts.hpp"

namespace talus {

namespace {

/// Heights at which the area of a section may have a kink: at most 2 for each side and corner of a rectangle,
/// and the two ends.
using Kinks = boost::container::static_vector<double, 18>;

void add_both_signs(double square, Kinks& kinks) {
    if (square <= 0.0) return;
    kinks.push_back(std::sqrt(square));
    kinks.push_back(-std::sqrt(square));
}

/// Integral between two kinks. Near them areas go with powers of one half of the distance, which the sine
/// makes smooth.
template <class Section>
double integrate_piece(double low, double high, const Section& section) {
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    const auto smooth = [&](double angle) {
        return section(middle + half * std::sin(angle)) * half * std::cos(angle);
    };
    const double quarter_turn = 0.5 * std::numbers::pi;
    return boost::math::quadrature::gauss<double, 30>::integrate(smooth, -quarter_turn, quarter_turn);
}

template <class Section>
double integrate(double low, double high, Kinks kinks, const Section& section) {
    std::sort(kinks.begin(), kinks.end());
    double sum = 0.0, begin = low;
    for (const double kink : kinks) {
        if (kink <= begin || kink >= high) continue;
        sum += integrate_piece(begin, kink, section);
        begin = kink;
    }
    return high > begin ? sum + integrate_piece(begin, high, section) : sum;
}

/// Share of a ball below a plane at a signed distance from its centre [-].
double share_below(double radius, double height) {
    const double t = std::clamp(height / radius, -1.0, 1.0);
    return 0.25 * (2.0 + 3.0 * t - t * t * t);
}

/// @param low, high corners of the box, seen from the centre of the ball.
double ball_in_box(const Vec3& low, const Vec3& high, double radius) {
    int cut_axes = 0;
    double share = 1.0;
    for (int k = 0; k < 3; ++k) {
        if (low[k] <= -radius && high[k] >= radius) continue;
        ++cut_axes;
        share = share_below(radius, high[k]) - share_below(radius, low[k]);
    }
    if (cut_axes < 2) return share * ball_volume(radius, 3);
    Kinks kinks;
    const double squares = radius * radius;
    for (const double x : {low[0], high[0]}) add_both_signs(squares - x * x, kinks);
    for (const double y : {low[1], high[1]}) add_both_signs(squares - y * y, kinks);
    for (const double x : {low[0], high[0]}) {
        for (const double y : {low[1], high[1]}) add_both_signs(squares - x * x - y * y, kinks);
    }
    return integrate(std::max(low[2], -radius), std::min(high[2], radius), kinks, [&](double z) {
        const double disc = std::sqrt(std::max(0.0, squares - z * z));
        return disc_in_rectangle(disc, low[0], high[0], low[1], high[1]);
    });
}

/// What two intervals have in common: the section of a disc in 2-D, about `distance`, and that of the region,
/// about 0.
double chord_in_chord(double half, double other_half, double distance) {
    return std::max(0.0, std::min(distance + half, other_half) - std::max(distance - half, -other_half));
}

/// A part of a surface of revolution, seen from the height of the ball's centre.
struct Frustum {
    double bottom, top;
    double slope, radius_at_centre;  ///< radius at height h: radius_at_centre + slope h

    double radius(double height) const { return std::max(0.0, radius_at_centre + slope * height); }
};

/// Where the section of the ball touches that of the frustum from inside or outside: where the outline of the
/// frustum meets that of the ball, or its mirror image, in the plane through the axis.
Kinks touching_heights(const Frustum& part, double distance, double radius) {
    Kinks kinks;
    const double a = 1.0 + part.slope * part.slope;
    for (const double e : {part.radius_at_centre - distance, part.radius_at_centre + distance}) {
        const double root = a * radius * radius - e * e;
        if (root <= 0.0) continue;
        for (const double sign : {-1.0, 1.0}) {
            kinks.push_back((-part.slope * e + sign * std::sqrt(root)) / a);
        }
    }
    return kinks;
}

double ball_in_frustum(const Frustum& part, double distance, double radius, int dimension) {
    const double low = std::max(part.bottom, -radius), high = std::min(part.top, radius);
    if (low >= high) return 0.0;
    return integrate(low, high, touching_heights(part, distance, radius), [&](double height) {
        const double section = std::sqrt(std::max(0.0, radius * radius - height * height));
        return dimension == 2 ? chord_in_chord(section, part.radius(height), distance)
                              : disc_in_disc(section, part.radius(height), distance);
    });
}

double ball_in_revolved(const Region& region, const Vec3& centre, double radius, int dimension) {
    const Vec3 axis = region.axis.normalized();
    const double along = (centre - region.origin).dot(axis);
    const double across = (centre - region.origin - along * axis).norm();
    const RegionProfile profile = profile_of(region);
    double sum = 0.0;
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        const auto [r0, h0] = profile[k];
        const auto [r1, h1] = profile[k + 1];
        if (!(h1 > h0)) continue;
        const double slope = (r1 - r0) / (h1 - h0);
        const Frustum part = {h0 - along, h1 - along, slope, r0 + slope * (along - h0)};
        sum += ball_in_frustum(part, across, radius, dimension);
    }
    return sum;
}

}  // namespace

double ball_volume(double radius, int dimension) {
    const double area = std::numbers::pi * radius * radius;
    return dimension == 2 ? area : 4.0 / 3.0 * area * radius;
}

double volume_inside(const Region& region, const Vec3& centre, double radius, int dimension) {
    const double clearance = region.clearance(centre, dimension);
    if (clearance >= radius) return ball_volume(radius, dimension);
    if (clearance <= -radius) return 0.0;
    if (region.kind != Region::Kind::box) return ball_in_revolved(region, centre, radius, dimension);
    const Vec3 low = region.low - centre, high = region.high - centre;
    if (dimension == 2) return disc_in_rectangle(radius, low[0], high[0], low[1], high[1]);
    return ball_in_box(low, high, radius);
}

}  // namespace talus
