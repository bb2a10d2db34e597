#include "camera.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace talus {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kViewAngle = 24.0;  ///< [deg]; small, so that spheres at the border still look round
constexpr double kAzimuth = -62.0;   ///< of the camera, seen from the box [deg]
constexpr double kElevation = 16.0;  ///< [deg]
constexpr double kNearest = 0.02;    ///< of the distance: what is closer to the lens is not drawn
constexpr double kEmptySize = 1.0;   ///< of a box that is a point [m]

/// Extents of the box's corners along an axis of the camera, with depth added at `slope`.
struct Span {
    double low = std::numeric_limits<double>::infinity();    // least of x - slope z
    double high = -std::numeric_limits<double>::infinity();  // largest of x + slope z
};

std::array<Vec3, 8> corners_of(const Box& box, const Vec3& centre) {
    std::array<Vec3, 8> corners;
    for (std::size_t c = 0; c < corners.size(); ++c) {
        corners[c] =
            Vec3((c & 1) != 0 ? box.high.x() : box.low.x(), (c & 2) != 0 ? box.high.y() : box.low.y(),
                 (c & 4) != 0 ? box.high.z() : box.low.z()) -
            centre;
    }
    return corners;
}

Span span_along(const std::array<Vec3, 8>& corners, const Vec3& axis, const Vec3& towards, double slope) {
    Span span;
    for (const Vec3& corner : corners) {
        const double x = corner.dot(axis), z = corner.dot(towards);
        span.low = std::min(span.low, x - slope * z);
        span.high = std::max(span.high, x + slope * z);
    }
    return span;
}

CameraPlace place_flat(const Box& box, double size, double aspect, const PictureRoom& room) {
    const Vec3 centre = 0.5 * (box.low + box.high), extent = box.high - box.low;
    CameraPlace place;
    place.target = centre;
    place.position = centre + size * Vec3::UnitZ();
    place.up = Vec3::UnitY();
    place.near = kNearest * size;
    place.far = 2.0 * size;
    place.half_height =
        0.5 * std::max({extent.y() / room.upwards, extent.x() / (aspect * room.across), kNearest * size});
    return place;
}

}  // namespace

CameraPlace place_camera(const Box& box, bool flat, double aspect, const PictureRoom& room) {
    const Vec3 centre = 0.5 * (box.low + box.high);
    const double diagonal = (box.high - box.low).norm();
    const double size = diagonal > 0.0 ? diagonal : kEmptySize;
    if (flat) return place_flat(box, size, aspect, room);

    const double azimuth = kAzimuth * kDegree, elevation = kElevation * kDegree;
    const Vec3 towards(std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
                       std::sin(elevation));
    const Vec3 right = Vec3::UnitZ().cross(towards).normalized(), up = towards.cross(right);
    // A corner (x, y, z in the camera's axes) is seen from offset o and distance D when |x - o| <= k (D - z):
    // the least D follows from the largest x + k z and the least x - k z.
    const double k_up = std::tan(0.5 * kViewAngle * kDegree) * room.upwards;
    const double k_across = std::tan(0.5 * kViewAngle * kDegree) * aspect * room.across;
    const std::array<Vec3, 8> corners = corners_of(box, centre);
    const Span across = span_along(corners, right, towards, k_across);
    const Span upwards = span_along(corners, up, towards, k_up);
    const double distance = std::max({(across.high - across.low) / (2.0 * k_across),
                                      (upwards.high - upwards.low) / (2.0 * k_up), kNearest * size});

    CameraPlace place;
    place.target =
        centre + 0.5 * (across.high + across.low) * right + 0.5 * (upwards.high + upwards.low) * up;
    place.position = place.target + distance * towards;
    place.up = up;
    place.view_angle = kViewAngle;
    place.half_height = distance * std::tan(0.5 * kViewAngle * kDegree);
    place.near = std::max(kNearest * distance, distance - size);
    place.far = distance + 2.0 * size;
    return place;
}

}  // namespace talus
