#include "talus/lagrange/systems/pendulum_at_wall.hpp"

#include <cmath>
#include <stdexcept>

namespace talus::lagrange {

PendulumAtWall::PendulumAtWall(const PendulumParameters& parameters) : parameters_(parameters) {
    if (!(parameters.mass > 0.0) || !(parameters.length > 0.0) || !(parameters.gravity >= 0.0) ||
        !(std::abs(parameters.wall) < parameters.length)) {
        throw std::invalid_argument(
            "pendulum at a wall: mass and length > 0, gravity >= 0 and |wall| < length are needed");
    }
}

Matrix PendulumAtWall::mass(const Vector& /*q*/) const {
    return Matrix::Constant(1, 1, parameters_.mass * parameters_.length * parameters_.length);
}

Vector PendulumAtWall::force(double /*t*/, const Vector& q, const Vector& /*v*/) const {
    return -potential_gradient(q);
}

Vector PendulumAtWall::gaps(double /*t*/, const Vector& q) const {
    return Vector::Constant(1, parameters_.length * std::sin(q[0]) - parameters_.wall);
}

Matrix PendulumAtWall::gap_gradients(double /*t*/, const Vector& q) const {
    return Matrix::Constant(1, 1, parameters_.length * std::cos(q[0]));
}

Vector PendulumAtWall::gap_bending(double /*t*/, const Vector& q, const Vector& v) const {
    return Vector::Constant(1, -parameters_.length * std::sin(q[0]) * v[0] * v[0]);
}

std::optional<double> PendulumAtWall::potential(const Vector& q) const {
    return -parameters_.mass * parameters_.gravity * parameters_.length * std::cos(q[0]);
}

Vector PendulumAtWall::potential_gradient(const Vector& q) const {
    return Vector::Constant(1, parameters_.mass * parameters_.gravity * parameters_.length * std::sin(q[0]));
}

Matrix PendulumAtWall::potential_hessian(const Vector& q) const {
    return Matrix::Constant(1, 1,
                            parameters_.mass * parameters_.gravity * parameters_.length * std::cos(q[0]));
}

Figure PendulumAtWall::figure(double /*t*/, const Vector& q) const {
    const double l = parameters_.length;
    const Vec3 bob(l * std::sin(q[0]), -l * std::cos(q[0]), 0);
    return {{bob}, {{Vec3::Zero(), bob}, {Vec3(parameters_.wall, -l, 0), Vec3(parameters_.wall, 0, 0)}}};
}

}  // namespace talus::lagrange
