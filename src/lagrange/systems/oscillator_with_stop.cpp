#include "talus/lagrange/systems/oscillator_with_stop.hpp"

#include <cmath>
#include <stdexcept>

namespace talus::lagrange {

OscillatorWithStop::OscillatorWithStop(const OscillatorParameters& parameters) : parameters_(parameters) {
    if (!(parameters.mass > 0.0) || !(parameters.stiffness >= 0.0) || !(parameters.damping >= 0.0) ||
        !std::isfinite(parameters.stop)) {
        throw std::invalid_argument(
            "oscillator with stop: mass > 0, stiffness and damping >= 0 and a finite stop are needed");
    }
}

Matrix OscillatorWithStop::mass(const Vector& /*q*/) const {
    return Matrix::Constant(1, 1, parameters_.mass);
}

Vector OscillatorWithStop::force(double /*t*/, const Vector& q, const Vector& v) const {
    return -parameters_.stiffness * q - parameters_.damping * v;
}

Vector OscillatorWithStop::gaps(double /*t*/, const Vector& q) const {
    return Vector::Constant(1, q[0] - parameters_.stop);
}

Vector OscillatorWithStop::gap_bending(double /*t*/, const Vector& /*q*/, const Vector& /*v*/) const {
    return Vector::Zero(1);
}

std::optional<double> OscillatorWithStop::potential(const Vector& q) const {
    return 0.5 * parameters_.stiffness * q.squaredNorm();
}

Vector OscillatorWithStop::potential_gradient(const Vector& q) const {
    return parameters_.stiffness * q;
}

Matrix OscillatorWithStop::potential_hessian(const Vector& /*q*/) const {
    return Matrix::Constant(1, 1, parameters_.stiffness);
}

Figure OscillatorWithStop::figure(double /*t*/, const Vector& q) const {
    return {{Vec3(q[0], 0, 0)}, {{Vec3(parameters_.stop, -1, 0), Vec3(parameters_.stop, 1, 0)}}};
}

}  // namespace talus::lagrange
