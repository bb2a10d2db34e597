#include "talus/lagrange/systems/ball_in_moving_box.hpp"

#include <cmath>
#include <stdexcept>

namespace talus::lagrange {

BallInMovingBox::BallInMovingBox(const MovingBoxParameters& parameters) : parameters_(parameters) {
    if (!(parameters.mass > 0.0) || !(parameters.width > 0.0) || !(parameters.amplitude >= 0.0) ||
        !(parameters.frequency >= 0.0)) {
        throw std::invalid_argument(
            "ball in a moving box: mass and width > 0, amplitude and frequency >= 0 are needed");
    }
}

double BallInMovingBox::shift(double t) const {
    return parameters_.amplitude * std::sin(parameters_.frequency * t);
}

Matrix BallInMovingBox::mass(const Vector& /*q*/) const {
    return Matrix::Constant(1, 1, parameters_.mass);
}

Vector BallInMovingBox::force(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) const {
    return Vector::Zero(1);
}

Vector BallInMovingBox::gaps(double t, const Vector& q) const {
    const double lower = shift(t);
    return Eigen::Vector2d(q[0] - lower, lower + parameters_.width - q[0]);
}

Matrix BallInMovingBox::gap_gradients(double /*t*/, const Vector& /*q*/) const {
    return Eigen::Vector2d(1.0, -1.0);
}

Vector BallInMovingBox::gap_rates(double t, const Vector& /*q*/) const {
    const double w = parameters_.frequency, speed = parameters_.amplitude * w * std::cos(w * t);
    return Eigen::Vector2d(-speed, speed);
}

Vector BallInMovingBox::gap_bending(double t, const Vector& /*q*/, const Vector& /*v*/) const {
    const double w = parameters_.frequency, acceleration = -w * w * shift(t);
    return Eigen::Vector2d(-acceleration, acceleration);
}

Figure BallInMovingBox::figure(double t, const Vector& q) const {
    const double lower = shift(t), upper = lower + parameters_.width;
    return {{Vec3(q[0], 0, 0)},
            {{Vec3(lower, -1, 0), Vec3(lower, 1, 0)}, {Vec3(upper, -1, 0), Vec3(upper, 1, 0)}}};
}

}  // namespace talus::lagrange
