#pragma once

#include <Eigen/Core>
#include <cstdint>

/// Everything is stored in three dimensions. A plane scene is the three-dimensional one with z = 0 and no
/// force or normal along z: its particles never leave the plane, so no code below the scene reader knows the
/// dimension.
namespace talus {

using Index = std::int32_t;       ///< number of a particle, contact or row: fewer than 2^31 of each
using ParticleId = std::int64_t;  ///< stable name of a particle, never used again
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

}  // namespace talus
