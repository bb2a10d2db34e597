#pragma once

#include "talus/lagrange/scheme.hpp"

namespace talus::lagrange {

/// Options of the velocity scheme.
struct BernicotLefebvreOptions {
    Restitution restitution = {0.0};  ///< [-], each in [0, 1]
};

/// Scheme (1.12)-(1.15) of Bernicot and Lefebvre-Lepot 2010, with the mass matrix as the norm (Remark 4.1):
///
///     v       = u^n + h M(q^n)^-1 f^n,   f^n = force(t^n + h/2, q^n, u^n)
///     u^{n+1} = argmin |u - v|_{M(q^n)}  over  K = {g(t^{n+1}, q^n) + h G(t^{n+1}, q^n) u >= 0}
///     q^{n+1} = q^n + h u^{n+1}
///
/// and with restitution by the four-step rule of docs/theory.md. Gaps are taken at t^{n+1}, coordinates at
/// q^n. Where g(t, .) is convex g(t^{n+1}, q^{n+1}) >= 0 (Proposition 2.1); other gaps are violated by up to
/// h^2/2 |D^2 g| |u|^2. Convergence is proven for constant M, gaps convex in q, force(t, q) and (A0)-(A6).
class BernicotLefebvre final : public Scheme {
public:
    /// @throws std::invalid_argument as Scheme, or for a restitution out of range.
    BernicotLefebvre(const MechanicalSystem& system, State start, double h,
                     const BernicotLefebvreOptions& options = {});

private:
    StepReport advance() override;

    Vector restitution_;
};

}  // namespace talus::lagrange
