#pragma once

#include "talus/lagrange/projection.hpp"
#include "talus/lagrange/scheme.hpp"

namespace talus::lagrange {

/// z(h) of the first step U^1 = P_K(u0 + h v0 + h z(h)).
enum class FirstStep {
    free_velocity,  ///< z = 0: the first step is of order one
    with_force      ///< z = h/2 M^-1 force: of order two where the first step meets no constraint
};

/// Options of the position scheme.
struct PaoliOptions {
    FirstStep first_step = FirstStep::with_force;
    ProjectionOptions projection;
};

/// Scheme (5)-(7) of Paoli 2010, inelastic, several constraints, M(q):
///
///     U^1     in argmin over K of |u0 + h v0 + h z(h) - Z|_{M(u0)}
///     W^n     = 2 U^n - U^{n-1} + h^2 M(U^n)^-1 force(t^n, U^n, (U^n - U^{n-1})/h)
///     U^{n+1} in argmin over K of |W^n - Z|_{M(U^n)}
///
/// The minimum is the local one that successive linearisation reaches from W^n. Time-dependent gaps, which
/// the paper does not have, are taken at t^{n+1}. The velocity of a state is (U^n - U^{n-1})/h.
///
/// A subsequence is proven to converge if the gradients of active constraints are linearly independent (H3)
/// and (e_a, e_b) <= 0 for each two of them, e_a = M^-1/2 grad g_a / |M^-1/2 grad g_a| (H6): steps that end
/// where constraints carry impulses and break either warn, and so does a start with v0 outside T_K(u0).
class Paoli final : public Scheme {
public:
    /// @throws std::invalid_argument as Scheme.
    Paoli(const MechanicalSystem& system, State start, double h, const PaoliOptions& options = {});

private:
    StepReport advance() override;

    PaoliOptions options_;
    Vector previous_;  ///< U^{n-1}; empty before the first step
};

/// Warnings where the constraints in `active` break (H3) or (H6) of Paoli 2010 at (t, q).
std::vector<std::string> angle_warnings(const MechanicalSystem& system, double t, const Vector& q,
                                        const std::vector<int>& active);

}  // namespace talus::lagrange
