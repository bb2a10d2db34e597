#include "talus/lagrange/systems/bouncing_ball.hpp"

#include <cmath>
#include <limits>
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

std::optional<State> BouncingBall::closed_form(const State& start, double e, double t) const {
    const double g = parameters_.gravity;
    if (!(g > 0.0)) return std::nullopt;
    const auto parabola = [&](double height, double speed, double s) {
        return State{t, Vector::Constant(1, height + (speed - 0.5 * g * s) * s),
                     Vector::Constant(1, speed - g * s)};
    };
    const double y = start.q[0], v = start.v[0], impact = std::sqrt(v * v + 2.0 * g * y);
    const double first = (v + impact) / g;
    double left = t - start.t;
    if (left < first) return parabola(y, v, left);
    left -= first;
    // Bounces shorter than the rounding of the time of the first one have come to rest.
    const double least = impact * std::numeric_limits<double>::epsilon();
    for (double speed = e * impact; speed > least; speed *= e) {
        const double flight = 2.0 * speed / g;
        if (left < flight) return parabola(0.0, speed, left);
        left -= flight;
    }
    return State{t, Vector::Zero(1), Vector::Zero(1)};
}

Figure BouncingBall::figure(double /*t*/, const Vector& q) const {
    return {{Vec3(0, q[0], 0)}, {{Vec3(-1, 0, 0), Vec3(1, 0, 0)}}};
}

}  // namespace talus::lagrange
