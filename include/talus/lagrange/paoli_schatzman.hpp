#pragma once

#include "talus/lagrange/geodesic.hpp"
#include "talus/lagrange/paoli.hpp"

namespace talus::lagrange {

/// Distance in which the scheme projects onto K where M depends on q.
enum class ProjectionMetric {
    geodesic,  ///< Riemannian distance, as in the paper
    frozen     ///< |.|_{M(U^m)}: cheaper, the same for constant M, outside the proof otherwise
};

/// Options of the scheme with restitution.
struct PaoliSchatzmanOptions {
    double restitution = 0.0;  ///< e [-], in [0, 1]
    FirstStep first_step = FirstStep::with_force;
    ProjectionMetric metric = ProjectionMetric::geodesic;
    ProjectionOptions projection;  ///< frozen metric
    GeodesicOptions geodesic;
    /// Change of U^{m+1} in one more fixed-point iteration, over the length of the last step [-], > 0.
    double tolerance = 1e-12;
    int max_iterations = 200;  ///< of the fixed point, >= 1; reaching it gives Status::max_iterations
};

/// Scheme (1.13)-(1.17) of Paoli and Schatzman 1999, restitution e, M(u):
///
///     U^1     = u0 + h v0 + h z(h)     (not projected)
///     U^{m+1} = -e U^{m-1} + (1 + e) P_K((2 U^m - (1 - e) U^{m-1} + h^2 F^m)/(1 + e))
///     F^m     = M(U^m)^-1 force(t_m, U^m, (U^{m+1} - U^{m-1})/(2h))     by fixed point on U^{m+1}
///
/// The fixed point contracts while h/2 times the Lipschitz constant of M^-1 force in the velocity is below 1.
/// For e > 0 only (U^{m+1} + e U^{m-1})/(1 + e) is in K: U^{m+1} may overlap by up to 2 e h w/(1 + e), w the
/// speed of impact. Gaps that depend on time, which the paper does not have, are taken at the same mean of
/// t_{m+1} and t_{m-1}. The velocity of a state is (U^m - U^{m-1})/h. Convergence of a subsequence is proven
/// for one smooth constraint; steps in which several carry impulses warn.
class PaoliSchatzman final : public Scheme {
public:
    /// @throws std::invalid_argument as Scheme, or if the restitution is not in [0, 1].
    PaoliSchatzman(const MechanicalSystem& system, State start, double h,
                   const PaoliSchatzmanOptions& options = {});

private:
    StepReport advance() override;
    Projection project(double t, const Vector& from) const;

    PaoliSchatzmanOptions options_;
    Vector previous_;  ///< U^{m-1}; empty before the first step
};

}  // namespace talus::lagrange
