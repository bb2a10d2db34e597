#pragma once

#include "talus/lagrange/projection.hpp"

namespace talus::lagrange {

/// The constraints of an impact and the velocities before it.
struct ImpactInput {
    const Eigen::LLT<Matrix>& metric;  ///< of M (n, n)
    const Matrix& gradients;           ///< G (k, n)
    const Vector& drift;               ///< (k) what time adds to the rates of the gaps
    const Vector& restitution;         ///< (k)
    const Vector& before;              ///< (n) u-
};

/// Velocities after an impact.
struct ImpactOutput {
    Vector after;     ///< (n)
    Vector impulses;  ///< (k) p >= 0: M (after - before) = G' p
    Status status = Status::converged;
};

/// theta: with unequal coefficients Newton's rule can create energy; the largest theta in [0, 1] with
/// |u1 + theta M^-1 G' bounced|_M <= |u-|_M. Constraints that move do work of their own: then theta = 1.
double bounce_scale(const ImpactInput& input, const Vector& u1, const Vector& bounced);

/// u1 = argmin |u - u-|_M over {G u + drift >= 0} with impulses p, u* = u1 + theta M^-1 G'(e p), put back
/// onto the same set: the law P_C u- - e P_N u- of Bernicot and Lefebvre-Lepot 2010, section 4.
ImpactOutput collide(const ImpactInput& input);

}  // namespace talus::lagrange
