#pragma once

#include "talus/lagrange/paoli.hpp"

namespace talus::lagrange {

/// Options of the implicit scheme for a damped motion in a convex potential.
struct CabotPaoliOptions {
    FirstStep first_step = FirstStep::with_force;
    ProjectionOptions projection;
};

/// Scheme of Cabot and Paoli 2006, section 6, for x'' + gamma x' + grad f(x) + N_K(x) containing 0, inelastic
/// (r = 0), f and K convex:
///
///     U^1     = Proj(K, x0 + h x0' + h z(h))
///     U^{n+1} = Proj(K, 2 U^n - U^{n-1} + h^2 F^n),  F^n = -gamma (U^{n+1} - U^{n-1})/(2h) - grad f(U^{n+1})
///
/// solved as the strictly convex programme that it is the optimality condition of, with a unique solution for
/// every h (the fixed point on F^n would need gamma h/2 + h^2 Lip(grad f) < 1):
///
///     U^{n+1} = argmin over K of 1/2 Z'(M + gamma h/2) Z - A.Z + h^2 f(Z),
///     A       = M (2 U^n - U^{n-1}) + gamma h/2 U^{n-1},
///
/// by Newton steps on linearised constraints. The paper has M = I; here M may be any constant matrix. Then
/// |V^n|_M^2 + f(U^n) + f(U^{n+1}) never increases (Proposition 6.3), V^n = (U^{n+1} - U^n)/h, which is the
/// velocity of the state at t^{n+1}. The first step warns where f or K is not known to be convex; gaps that
/// depend on time are taken at t^{n+1}.
class CabotPaoli final : public Scheme {
public:
    /// @throws std::invalid_argument as Scheme, or if the system has no potential or its mass is not
    /// constant.
    CabotPaoli(const MechanicalSystem& system, State start, double h, const CabotPaoliOptions& options = {});

private:
    StepReport advance() override;
    Projection first() const;
    Projection next() const;

    CabotPaoliOptions options_;
    Matrix mass_;
    Vector previous_;  ///< U^{n-1}; empty before the first step
};

}  // namespace talus::lagrange
