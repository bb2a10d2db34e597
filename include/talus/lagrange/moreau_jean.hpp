#pragma once

#include <Eigen/Cholesky>

#include "talus/lagrange/scheme.hpp"

namespace talus::lagrange {

/// Options of the theta scheme.
struct MoreauJeanOptions {
    Restitution restitution = {0.0};  ///< [-], each in [0, 1]
    double theta = 0.5;               ///< [-], in [1/2, 1]: 1/2 keeps energy between impacts, 1 damps
    /// Change of the velocity in one more iteration, over its size [-], > 0.
    double tolerance = 1e-12;
    int max_iterations = 200;  ///< >= 1; reaching it gives Status::max_iterations
};

/// Time-stepping of Moreau and Jean (Jean 1999, "The non-smooth contact dynamics method"; Acary and Brogliato
/// 2008, section 10.1), Newton's law on the level of velocities:
///
///     M(q^n) (v^{n+1} - v^n) = h (theta F^{n+1} + (1 - theta) F^n) + G' p,   F^n = force(t^n, q^n, v^n)
///     q^{n+1} = q^n + h (theta v^{n+1} + (1 - theta) v^n)
///     0 <= U_a^{n+1} + e_a U_a^n  complementary to  p_a >= 0   where g_a + h/2 U_a^n <= 0,  else p_a = 0
///     U = G v + dg/dt, gaps, gradients and rates at (t^n, q^n)
///
/// Solved by Newton steps with the matrix M + h theta gamma + h^2 theta^2 grad^2 f of a potential (other
/// forces by fixed point), each a projection in that metric: the step is not limited by stiff potentials.
/// Gaps are violated by up to h times the speed of impact.
class MoreauJean final : public Scheme {
public:
    /// @throws std::invalid_argument as Scheme, or if restitution or theta is out of range.
    MoreauJean(const MechanicalSystem& system, State start, double h, const MoreauJeanOptions& options = {});

private:
    StepReport advance() override;
    Eigen::LLT<Matrix> iteration_metric(const Matrix& mass) const;

    MoreauJeanOptions options_;
    Vector restitution_;
};

}  // namespace talus::lagrange
