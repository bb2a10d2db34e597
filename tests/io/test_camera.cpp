#include "../../src/io/camera.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

using namespace talus;

namespace {

/// Largest share of the picture's half width and half height that the corners of the box reach.
std::pair<double, double> reached(const Box& box, const CameraPlace& place, double aspect) {
    const Vec3 towards = (place.position - place.target).normalized();
    const Vec3 right = place.up.cross(towards);
    const double slope = std::tan(0.5 * place.view_angle * std::numbers::pi / 180.0);
    std::pair<double, double> share{0.0, 0.0};
    for (int c = 0; c < 8; ++c) {
        const Vec3 corner((c & 1) != 0 ? box.high.x() : box.low.x(),
                          (c & 2) != 0 ? box.high.y() : box.low.y(),
                          (c & 4) != 0 ? box.high.z() : box.low.z());
        const Vec3 p = corner - place.position;
        const double depth = -p.dot(towards);
        CHECK(depth >= place.near);
        CHECK(depth <= place.far);
        const double half = place.view_angle > 0.0 ? depth * slope : place.half_height;
        share.first = std::max(share.first, std::abs(p.dot(right)) / (half * aspect));
        share.second = std::max(share.second, std::abs(p.dot(place.up)) / half);
    }
    return share;
}

}  // namespace

TEST_CASE("the camera stands as close as it can with the whole box in the room of the picture") {
    const PictureRoom room{0.8, 0.84};
    for (const bool flat : {false, true}) {
        for (const double aspect : {4.0 / 3.0, 0.5, 3.0}) {
            for (const Vec3& size : {Vec3(1, 1, 1), Vec3(10, 1, 0.1), Vec3(0.01, 0.01, 2), Vec3(0, 3, 0)}) {
                const Vec3 low(5, -7, 100);
                const Box box{low, low + (flat ? Vec3(size.x(), size.y(), 0.0) : size)};
                if ((box.high - box.low).norm() < 0.1) continue;  // the flat picture of a point-like box
                const auto [across, upwards] = reached(box, place_camera(box, flat, aspect, room), aspect);
                CHECK(across <= room.across * (1.0 + 1e-12));
                CHECK(upwards <= room.upwards * (1.0 + 1e-12));
                CHECK(std::max(across / room.across, upwards / room.upwards) > 1.0 - 1e-12);
            }
        }
    }
}

TEST_CASE("a plane scene is seen along -z with y up, another from above with z up") {
    const Box box{Vec3::Zero(), Vec3::Ones()};
    const CameraPlace flat = place_camera(box, true, 1.0, {});
    CHECK((flat.target - flat.position).normalized() == -Vec3::UnitZ());
    CHECK(flat.up == Vec3::UnitY());
    const CameraPlace solid = place_camera(box, false, 1.0, {});
    CHECK(solid.position.z() > 1.0);
    CHECK(solid.up.z() > 0.9);
}

TEST_CASE("a box that is a point has a finite picture") {
    for (const bool flat : {false, true}) {
        const CameraPlace place = place_camera({Vec3::Ones(), Vec3::Ones()}, flat, 1.0, {});
        CHECK(place.position.allFinite());
        CHECK(place.half_height > 0.0);
        CHECK(place.near > 0.0);
        CHECK(place.far > place.near);
    }
}
