#pragma once

#include <algorithm>
#include <cmath>

#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange {

/// Step of central differences for arguments of size one: the cube root of rounding, where the errors of
/// truncation and of rounding are the same, about 1e-10.
constexpr double kDifference = 6e-6;

/// The same for s in f(q + s v): moves q by kDifference (1 + |q|).
inline double step_along(const Vector& q, const Vector& v) {
    const double speed = v.cwiseAbs().maxCoeff();
    return kDifference * (speed > 0.0 ? (1.0 + q.cwiseAbs().maxCoeff()) / speed : 1.0);
}

/// (f(s) - f(-s)) / (2 s): the derivative at 0.
template <class Function>
auto difference(const Function& f, double s) -> decltype(f(s)) {
    return (f(s) - f(-s)) / (2.0 * s);
}

/// Derivative of a function with m components at q, (m, n).
template <class Function>
Matrix jacobian(const Function& f, const Vector& q, Eigen::Index m) {
    Matrix result(m, q.size());
    for (Eigen::Index k = 0; k < q.size(); ++k) {
        const double s = kDifference * (1.0 + std::abs(q[k]));
        Vector above = q, below = q;
        above[k] += s;
        below[k] -= s;
        result.col(k) = (f(above) - f(below)) / (2.0 * s);
    }
    return result;
}

}  // namespace talus::lagrange
