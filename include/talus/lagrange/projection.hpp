#pragma once

#include <Eigen/Cholesky>
#include <functional>

#include "talus/lagrange/mechanical_system.hpp"
#include "talus/projection/solver.hpp"

namespace talus::lagrange {

/// Closest point of a polyhedron, and the multipliers that hold it there.
struct LinearProjection {
    Vector point;        ///< (n)
    Vector multipliers;  ///< (nu) lambda >= 0 with M (point - from) = G' lambda
    Status status = Status::converged;
    int iterations = 0;  ///< of the active set
};

/// argmin |u - from|_M over {u : offset + G u >= 0}: exact, by the dense dual.
/// @param metric Cholesky factors of M (n, n). @param gradients G (nu, n).
/// @return with status infeasible the set is empty and point means nothing.
/// @throws std::invalid_argument if a number is not finite.
LinearProjection project_linear(const Eigen::LLT<Matrix>& metric, const Matrix& gradients,
                                const Vector& offset, const Vector& from);

/// Cholesky factors of M(q). @throws StateError if it is not positive definite.
Eigen::LLT<Matrix> factorised_mass(const MechanicalSystem& system, const Vector& q);

/// When a nonlinear projection counts as solved.
struct ProjectionOptions {
    /// Length of the step that one more linearisation would make, over the distance that is projected [-],
    /// > 0. That step is zero at solutions alone, so it is the residual of the problem.
    double tolerance = 1e-12;
    int max_iterations = 100;  ///< linearisations, >= 1; reaching it gives Status::max_iterations
};

/// A point of K(t) and how it was found.
struct Projection {
    Vector point;        ///< (n)
    Vector multipliers;  ///< (nu) lambda >= 0: gradient of the objective = G' lambda
    Status status = Status::converged;
    int iterations = 0;     ///< linearisations
    double residual = 0.0;  ///< as in ProjectionOptions::tolerance [-]
};

/// What is minimised over K(t): a strictly convex function.
struct Objective {
    std::function<double(const Vector&)> value;
    std::function<Vector(const Vector&)> gradient;
    std::function<Matrix(const Vector&)> hessian;  ///< symmetric positive definite
};

/// Local minimum of the objective over K(t) by sequential quadratic programming: each step minimises the
/// quadratic model with the Hessian of the objective (not of the constraints: curvature-free) over the
/// linearised constraints. Steps that do not contract are shortened until the merit function objective +
/// mu sum max(0, -g_a) falls (mu above the multipliers; Powell 1978): no cycles. Converges at the rate
/// (multipliers times curvature of K over the Hessian): for the projections of a time step, of order h a
/// step. Fails with Status::infeasible where the linearised constraints exclude each other.
Projection minimise_over(const MechanicalSystem& system, double t, const Objective& objective,
                         const Vector& start, const ProjectionOptions& options);

/// argmin |Z - from|_M over K(t), the closest point that is reached from `from`. @param mass M (n, n).
Projection project_position(const MechanicalSystem& system, double t, const Matrix& mass, const Vector& from,
                            const ProjectionOptions& options);

}  // namespace talus::lagrange
