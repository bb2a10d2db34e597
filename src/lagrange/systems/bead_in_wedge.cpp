#include "talus/lagrange/systems/bead_in_wedge.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace talus::lagrange {

BeadInWedge::BeadInWedge(const BeadInWedgeParameters& parameters) : parameters_(parameters) {
    if (!(parameters.mass > 0.0) || !(parameters.gravity >= 0.0) || !(parameters.slope > 0.0) ||
        !(parameters.slope < 0.5 * std::numbers::pi)) {
        throw std::invalid_argument(
            "bead in a wedge: mass > 0, gravity >= 0 and a slope between 0 and pi/2 are needed");
    }
    const double c = std::cos(parameters.slope), s = std::sin(parameters.slope);
    normals_ = (Matrix(2, 2) << s, c, -s, c).finished();
}

Matrix BeadInWedge::mass(const Vector& /*q*/) const {
    return parameters_.mass * Matrix::Identity(2, 2);
}

Vector BeadInWedge::gaps(double /*t*/, const Vector& q) const {
    return normals_ * q;
}

Matrix BeadInWedge::gap_gradients(double /*t*/, const Vector& /*q*/) const {
    return normals_;
}

Vector BeadInWedge::gap_bending(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) const {
    return Vector::Zero(2);
}

std::optional<double> BeadInWedge::potential(const Vector& q) const {
    return parameters_.mass * parameters_.gravity * q[1];
}

Vector BeadInWedge::potential_gradient(const Vector& /*q*/) const {
    return Eigen::Vector2d(0.0, parameters_.mass * parameters_.gravity);
}

Matrix BeadInWedge::potential_hessian(const Vector& /*q*/) const {
    return Matrix::Zero(2, 2);
}

Figure BeadInWedge::figure(double /*t*/, const Vector& q) const {
    const double c = std::cos(parameters_.slope), s = std::sin(parameters_.slope);
    return {{Vec3(q[0], q[1], 0)}, {{2.0 * Vec3(-c, s, 0), Vec3::Zero(), 2.0 * Vec3(c, s, 0)}}};
}

}  // namespace talus::lagrange
