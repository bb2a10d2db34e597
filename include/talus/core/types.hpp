#pragma once

#include <Eigen/Geometry>
#include <cstdint>

/// Everything is stored in three dimensions. A plane scene is the three-dimensional one with z = 0 and no
/// force or normal along z: its particles never leave the plane, so no code below the scene reader knows the
/// dimension.
namespace talus {

using Index = std::int32_t;       ///< number of a particle, contact or row: fewer than 2^31 of each
using ParticleId = std::int64_t;  ///< stable name of a particle, never used again
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
/// Unit quaternion that turns from the body's frame to the world's. Without Eigen's alignment, which depends
/// on the instruction set: a client compiled for another one than the library must see the same layout.
using Quaternion = Eigen::Quaternion<double, Eigen::DontAlign>;

}  // namespace talus
