#include "talus/geometry/wall.hpp"

#include <Eigen/Geometry>

namespace talus {

Pose WallMotion::pose(double t) const {
    Pose placed;
    placed.rotation = Eigen::AngleAxisd(angle.at(t), axis).toRotationMatrix();
    placed.translation = centre - placed.rotation * centre + displacement.at(t) * direction;
    return placed;
}

}  // namespace talus
