#include "talus/lagrange/systems/point_in_ellipse.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace talus::lagrange {

PointInEllipse::PointInEllipse(const PointInEllipseParameters& parameters) : parameters_(parameters) {
    const double a = parameters.half_width, b = parameters.half_height;
    if (!(parameters.mass > 0.0) || !(parameters.gravity >= 0.0) || !(a > 0.0) || !(b > 0.0)) {
        throw std::invalid_argument(
            "point in an ellipse: mass, half_width and half_height > 0 and gravity >= 0 are needed");
    }
    weights_ = std::min(a, b) * Eigen::Vector2d(1.0 / (a * a), 1.0 / (b * b));
}

Matrix PointInEllipse::mass(const Vector& /*q*/) const {
    return parameters_.mass * Matrix::Identity(2, 2);
}

Vector PointInEllipse::gaps(double /*t*/, const Vector& q) const {
    const double s = std::min(parameters_.half_width, parameters_.half_height);
    return Vector::Constant(1, 0.5 * (s - weights_.dot(q.cwiseAbs2())));
}

Matrix PointInEllipse::gap_gradients(double /*t*/, const Vector& q) const {
    return -weights_.cwiseProduct(q).transpose();
}

Vector PointInEllipse::gap_bending(double /*t*/, const Vector& /*q*/, const Vector& v) const {
    return Vector::Constant(1, -weights_.dot(v.cwiseAbs2()));
}

std::optional<double> PointInEllipse::potential(const Vector& q) const {
    return parameters_.mass * parameters_.gravity * q[1];
}

Vector PointInEllipse::potential_gradient(const Vector& /*q*/) const {
    return Eigen::Vector2d(0.0, parameters_.mass * parameters_.gravity);
}

Matrix PointInEllipse::potential_hessian(const Vector& /*q*/) const {
    return Matrix::Zero(2, 2);
}

Figure PointInEllipse::figure(double /*t*/, const Vector& q) const {
    constexpr int pieces = 72;
    std::vector<Vec3> rim;
    for (int k = 0; k <= pieces; ++k) {
        const double angle = 2.0 * std::numbers::pi * k / pieces;
        rim.emplace_back(parameters_.half_width * std::cos(angle), parameters_.half_height * std::sin(angle),
                         0.0);
    }
    return {{Vec3(q[0], q[1], 0.0)}, {rim}};
}

}  // namespace talus::lagrange
