#include "talus/lagrange/systems/bead_in_parabola.hpp"

#include <stdexcept>

namespace talus::lagrange {

BeadInParabola::BeadInParabola(const BeadInParabolaParameters& parameters) : parameters_(parameters) {
    if (!(parameters.mass > 0.0) || !(parameters.gravity >= 0.0) || !(parameters.curvature >= 0.0)) {
        throw std::invalid_argument("bead in a parabola: mass > 0, gravity and curvature >= 0 are needed");
    }
}

Matrix BeadInParabola::mass(const Vector& /*q*/) const {
    return parameters_.mass * Matrix::Identity(2, 2);
}

Vector BeadInParabola::gaps(double /*t*/, const Vector& q) const {
    return Vector::Constant(1, q[1] - 0.5 * parameters_.curvature * q[0] * q[0]);
}

Matrix BeadInParabola::gap_gradients(double /*t*/, const Vector& q) const {
    return Eigen::RowVector2d(-parameters_.curvature * q[0], 1.0);
}

Vector BeadInParabola::gap_bending(double /*t*/, const Vector& /*q*/, const Vector& v) const {
    return Vector::Constant(1, -parameters_.curvature * v[0] * v[0]);
}

std::optional<double> BeadInParabola::potential(const Vector& q) const {
    return parameters_.mass * parameters_.gravity * q[1];
}

Vector BeadInParabola::potential_gradient(const Vector& /*q*/) const {
    return Eigen::Vector2d(0.0, parameters_.mass * parameters_.gravity);
}

Matrix BeadInParabola::potential_hessian(const Vector& /*q*/) const {
    return Matrix::Zero(2, 2);
}

Figure BeadInParabola::figure(double /*t*/, const Vector& q) const {
    constexpr int pieces = 40;
    const double width = parameters_.curvature > 0.0 ? 2.0 / parameters_.curvature : 2.0;
    std::vector<Vec3> curve;
    for (int k = 0; k <= pieces; ++k) {
        const double x = width * (2.0 * k / pieces - 1.0);
        curve.emplace_back(x, 0.5 * parameters_.curvature * x * x, 0.0);
    }
    return {{Vec3(q[0], q[1], 0.0)}, {curve}};
}

}  // namespace talus::lagrange
