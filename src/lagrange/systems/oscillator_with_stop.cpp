#include "talus/lagrange/systems/oscillator_with_stop.hpp"

#include <cmath>
#include <numbers>
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

std::optional<State> OscillatorWithStop::closed_form(const State& start, double e, double t) const {
    const double decay = 0.5 * parameters_.damping / parameters_.mass;
    const double square = parameters_.stiffness / parameters_.mass - decay * decay;
    if (parameters_.stop != 0.0 || !(square > 0.0)) return std::nullopt;
    const double w = std::sqrt(square);
    const auto flight = [&](double x, double v, double s) {
        const double c = std::cos(w * s), b = (v + decay * x) / w, d = std::sin(w * s);
        const double shrink = std::exp(-decay * s), here = shrink * (x * c + b * d);
        return State{t, Vector::Constant(1, here),
                     Vector::Constant(1, shrink * w * (b * c - x * d) - decay * here)};
    };
    const double x = start.q[0], v = start.v[0];
    const double half = std::numbers::pi / w;
    const double first = half - std::atan2(x, (v + decay * x) / w) / w;
    const double left = t - start.t - first;
    if (left < 0.0) return flight(x, v, t - start.t);
    const double bounces = std::floor(left / half);
    const double speed = -e * flight(x, v, first).v[0] * std::pow(e * std::exp(-decay * half), bounces);
    return flight(0.0, speed, left - bounces * half);
}

Figure OscillatorWithStop::figure(double /*t*/, const Vector& q) const {
    return {{Vec3(q[0], 0, 0)}, {{Vec3(parameters_.stop, -1, 0), Vec3(parameters_.stop, 1, 0)}}};
}

}  // namespace talus::lagrange
