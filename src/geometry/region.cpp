#include "talus/geometry/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "talus/core/error.hpp"

namespace talus {

namespace {

double volume_of_profile(const RegionProfile& profile, int dimension) {
    double sum = 0.0;
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        const auto [r0, h0] = profile[k];
        const auto [r1, h1] = profile[k + 1];
        // Trapezium of full widths 2 r in 2-D, frustum of a cone in 3-D.
        const double mean_section =
            dimension == 2 ? r0 + r1 : std::numbers::pi / 3.0 * (r0 * r0 + r0 * r1 + r1 * r1);
        sum += (h1 - h0) * mean_section;
    }
    return sum;
}

double distance_to_segment(const Eigen::Vector2d& x, const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    const Eigen::Vector2d along = b - a;
    const double length2 = along.squaredNorm();
    const double share = length2 > 0.0 ? std::clamp((x - a).dot(along) / length2, 0.0, 1.0) : 0.0;
    return (x - a - share * along).norm();
}

/// Radius of the profile at a height within it; the larger one at a step.
double radius_at(const RegionProfile& profile, double height) {
    double radius = 0.0;
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        const auto [r0, h0] = profile[k];
        const auto [r1, h1] = profile[k + 1];
        if (height < h0 || height > h1) continue;
        const double share = h1 > h0 ? (height - h0) / (h1 - h0) : 1.0;
        radius = std::max(radius, h1 > h0 ? r0 + share * (r1 - r0) : std::max(r0, r1));
    }
    return radius;
}

/// In the half-plane (distance from the axis, height): the nearest point of a surface of revolution lies at
/// the same angle as the point itself, so this is the true distance in space as well.
double profile_clearance(const RegionProfile& profile, const Eigen::Vector2d& x) {
    const auto corner = [&](std::size_t k) { return Eigen::Vector2d(profile[k].first, profile[k].second); };
    const Eigen::Vector2d bottom(0.0, profile.front().second);
    const Eigen::Vector2d top(0.0, profile.back().second);
    double distance = std::min(distance_to_segment(x, bottom, corner(0)),
                               distance_to_segment(x, top, corner(profile.size() - 1)));
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        distance = std::min(distance, distance_to_segment(x, corner(k), corner(k + 1)));
    }
    const bool inside = x[1] >= bottom[1] && x[1] <= top[1] && x[0] <= radius_at(profile, x[1]);
    return inside ? distance : -distance;
}

double box_clearance(const Region& region, const Vec3& x, int dimension) {
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < dimension; ++k) {
        least = std::min({least, x[k] - region.low[k], region.high[k] - x[k]});
    }
    return least;
}

void require(bool valid, const std::string& message) {
    if (!valid) throw InputError(message);
}

void validate_box(const Region& region, int dimension) {
    for (int k = 0; k < dimension; ++k) {
        require(
            std::isfinite(region.low[k]) && std::isfinite(region.high[k]) && region.low[k] < region.high[k],
            fmt::format(
                "a box needs finite corners with low < high along every axis; along {} they are {} and {}",
                "xyz"[k], region.low[k], region.high[k]));
    }
}

void validate_axis(const Region& region, int dimension) {
    require(region.origin.allFinite(), "the origin must be finite");
    require(region.axis.allFinite() && region.axis.norm() > 0.0, "the axis must be finite and not zero");
    require(dimension == 3 || (region.axis[2] == 0.0 && region.origin[2] == 0.0),
            "in 2-D origin and axis must lie in the plane z = 0");
}

void validate_profile(const RegionProfile& profile) {
    require(profile.size() >= 2, "a profile needs at least two points (radius, height)");
    for (std::size_t k = 0; k < profile.size(); ++k) {
        const auto [radius, height] = profile[k];
        require(
            std::isfinite(radius) && std::isfinite(height) && radius >= 0.0,
            fmt::format("point {} of the profile must have a radius >= 0 and a finite height, not ({}, {})",
                        k, radius, height));
        require(k == 0 || height >= profile[k - 1].second,
                fmt::format("the heights of a profile must not decrease; point {} has {} after {}", k, height,
                            k == 0 ? 0.0 : profile[k - 1].second));
    }
    require(volume_of_profile(profile, 3) > 0.0, "the profile encloses no volume");
}

}  // namespace

RegionProfile profile_of(const Region& region) {
    if (region.kind == Region::Kind::cylinder) return {{region.radius, 0.0}, {region.radius, region.height}};
    return region.profile;
}

void validate(const Region& region, int dimension) {
    switch (region.kind) {
        case Region::Kind::box:
            return validate_box(region, dimension);
        case Region::Kind::cylinder:
            require(dimension == 3, "a cylinder exists in 3-D only; use a box or a profile in 2-D");
            validate_axis(region, dimension);
            require(std::isfinite(region.radius) && region.radius > 0.0 && std::isfinite(region.height) &&
                        region.height > 0.0,
                    fmt::format("a cylinder needs a radius and a height > 0 [m], not {} and {}",
                                region.radius, region.height));
            return;
        case Region::Kind::revolved:
            validate_axis(region, dimension);
            return validate_profile(region.profile);
    }
}

double Region::volume(int dimension) const {
    if (kind == Kind::box) {
        const Vec3 side = high - low;
        return dimension == 2 ? side[0] * side[1] : side.prod();
    }
    return volume_of_profile(profile_of(*this), dimension);
}

double Region::clearance(const Vec3& x, int dimension) const {
    if (kind == Kind::box) return box_clearance(*this, x, dimension);
    const Vec3 unit = axis.normalized();
    const double along = (x - origin).dot(unit);
    const double across = (x - origin - along * unit).norm();
    if (kind == Kind::cylinder) return std::min({radius - across, along, height - along});
    return profile_clearance(profile, {across, along});
}

bool Region::contains(const Vec3& x, double margin, int dimension) const {
    return clearance(x, dimension) >= margin;
}

Box Region::bounds() const {
    if (kind == Kind::box) return {low, high};
    const Vec3 unit = axis.normalized();
    // A disc with this normal reaches as far along a coordinate as the sine of the angle between the two.
    const Vec3 disc = (Vec3::Ones() - unit.cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
    Box box = {Vec3::Constant(std::numeric_limits<double>::infinity()),
               Vec3::Constant(-std::numeric_limits<double>::infinity())};
    for (const auto& [r, h] : profile_of(*this)) {
        const Vec3 centre = origin + h * unit;
        box.low = box.low.cwiseMin(centre - r * disc);
        box.high = box.high.cwiseMax(centre + r * disc);
    }
    return box;
}

}  // namespace talus
