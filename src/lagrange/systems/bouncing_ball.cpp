#include "talus/lagrange/systems/bouncing_ball.hpp"

#include <stdexcept>

namespace talus::lagrange {

BouncingBall::BouncingBall(const BouncingBallParameters& parameters) : parameters_(parameters) {
    if (!(parameters.mass > 0.0) || !(parameters.gravity >= 0.0)) {
        throw std::invalid_argument("bouncing ball: mass > 0 and gravity >= 0 are needed");
    }
}

Matrix BouncingBall::mass(const Vector& /*q*/) const {
    return Matrix::Constant(1, 1, parameters_.mass);
}

Vector BouncingBall::force(double /*t*/, const Vector& q, const Vector& /*v*/) const {
    return -potential_gradient(q);
}

Vector BouncingBall::gap_bending(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) const {
    return Vector::Zero(1);
}

std::optional<double> BouncingBall::potential(const Vector& q) const {
    return parameters_.mass * parameters_.gravity * q[0];
}

Vector BouncingBall::potential_gradient(const Vector& /*q*/) const {
    return Vector::Constant(1, parameters_.mass * parameters_.gravity);
}

Matrix BouncingBall::potential_hessian(const Vector& /*q*/) const {
    return Matrix::Zero(1, 1);
}

Figure BouncingBall::figure(double /*t*/, const Vector& q) const {
    return {{Vec3(0, q[0], 0)}, {{Vec3(-1, 0, 0), Vec3(1, 0, 0)}}};
}

}  // namespace talus::lagrange
