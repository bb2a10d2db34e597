#pragma once

#include <limits>
#include <memory>
#include <string>

#include "talus/core/schedule.hpp"
#include "talus/geometry/wall_shape.hpp"

namespace talus {

/// Rigid placement: world = rotation * local + translation.
struct Pose {
    Mat3 rotation = Mat3::Identity();
    Vec3 translation = Vec3::Zero();

    Vec3 to_world(const Vec3& local) const { return rotation * local + translation; }
    Vec3 to_local(const Vec3& world) const { return rotation.transpose() * (world - translation); }
    Vec3 direction_to_world(const Vec3& local) const { return rotation * local; }
};

/// How a wall moves: turned by `angle` about an axis, then shifted by `displacement` along `direction`.
struct WallMotion {
    Vec3 direction = Vec3::UnitX();                   ///< unit vector of the translation
    Schedule displacement = Schedule::constant(0.0);  ///< [m]
    Vec3 axis = Vec3::UnitZ();                        ///< unit vector of the rotation
    Vec3 centre = Vec3::Zero();                       ///< point on the axis at rest [m]
    Schedule angle = Schedule::constant(0.0);         ///< [rad]

    bool moves() const { return !displacement.is_constant() || !angle.is_constant(); }
    Pose pose(double t) const;
};

/// A wall of the scene: shape, motion and the time during which it is there (a gate that vanishes at
/// `until`).
struct Wall {
    std::string name;
    std::shared_ptr<const WallShape> shape;
    WallMotion motion;
    double from = -std::numeric_limits<double>::infinity();  ///< present for from <= t < until [s]
    double until = std::numeric_limits<double>::infinity();

    bool present(double t) const { return from <= t && t < until; }
};

}  // namespace talus
