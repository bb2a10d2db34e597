#include <numbers>
#include <stdexcept>

#include "talus/lagrange/systems/linkage.hpp"

namespace talus::lagrange {

Linkage double_pendulum_at_wall(const DoublePendulumParameters& parameters) {
    const auto& [m1, m2, l1, l2, gravity, wall] = parameters;
    if (!(m1 > 0.0) || !(m2 > 0.0) || !(l1 > 0.0) || !(l2 > 0.0) || !(gravity >= 0.0) || !(wall < l1 + l2)) {
        throw std::invalid_argument(
            "double pendulum at a wall: masses and lengths > 0, gravity >= 0 and a wall within reach are "
            "needed");
    }
    LinkageParameters linkage;
    linkage.zero = -0.5 * std::numbers::pi;
    linkage.inertia =
        (Matrix(2, 2) << (m1 + m2) * l1 * l1, m2 * l1 * l2, m2 * l1 * l2, m2 * l2 * l2).finished();
    linkage.weights = gravity * Eigen::Vector2d((m1 + m2) * l1, m2 * l2);
    linkage.along_x = (Matrix(2, 2) << l1, 0.0, l1, l2).finished();
    linkage.along_y = Matrix::Zero(2, 2);
    linkage.offsets = Vector::Constant(2, -wall);
    linkage.lengths = Eigen::Vector2d(l1, l2);
    linkage.lines = {{Vec3(wall, -l1 - l2, 0), Vec3(wall, 0, 0)}};
    linkage.links = {{"angle1", "rad"}, {"angle2", "rad"}};
    linkage.contacts = {{"inner", "m"}, {"outer", "m"}};
    return Linkage(std::move(linkage));
}

}  // namespace talus::lagrange
