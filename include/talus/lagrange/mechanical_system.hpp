#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "talus/core/types.hpp"

/// Mechanical systems in generalized coordinates and the schemes that step them.
namespace talus::lagrange {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Where a system is.
struct State {
    double t = 0.0;  ///< [s]
    Vector q;        ///< (n) coordinates, each in its own unit
    Vector v;        ///< (n) their velocities, unit of q per second
};

/// Name and unit of a coordinate or a constraint, for tables and messages.
struct Quantity {
    std::string name;
    std::string unit;
};

/// What is known of one gap g_a(t, .) as a function of q. Feasibility of the velocity scheme needs affine or
/// convex gaps (Bernicot and Lefebvre-Lepot 2010, Proposition 2.1); K is convex if all are affine or concave.
enum class GapShape { affine, convex, concave, general };

/// What to draw of a system, in space [m].
struct Figure {
    std::vector<Vec3> points;
    std::vector<std::vector<Vec3>> lines;  ///< each a polyline
};

/// n degrees of freedom that obey M(q) q'' = force(t, q, q') + contact forces and stay in
/// K(t) = {q : g_a(t, q) >= 0, a = 1..nu}, with contact forces grad g_a lambda_a, lambda_a >= 0 complementary
/// to g_a. Functions are pure: the same arguments give the same value. Only the first five have to be
/// written; what is known beyond them makes schemes faster or applicable (each says what it needs).
class MechanicalSystem {
public:
    virtual ~MechanicalSystem() = default;

    virtual int coordinate_count() const = 0;                  ///< n >= 1
    virtual int constraint_count() const = 0;                  ///< nu >= 0
    virtual Matrix mass(const Vector& q) const = 0;            ///< M(q), (n, n) symmetric positive definite
    virtual Vector gaps(double t, const Vector& q) const = 0;  ///< g(t, q), (nu)
    /// (n) everything but contact: applied forces and what M(q) adds when it varies (see inertial_force).
    virtual Vector force(double t, const Vector& q, const Vector& v) const = 0;

    /// Whether M is the same everywhere. False is always right, true saves work.
    virtual bool constant_mass() const { return false; }
    /// -(DM(q)[v]) v + 1/2 grad_q (v' M(q) v), (n): what makes M q'' = inertial_force the equation of
    /// geodesics (Coriolis and centrifugal terms). Default: central differences of `mass`, relative error
    /// about 1e-9; zero where the mass is constant.
    virtual Vector inertial_force(const Vector& q, const Vector& v) const;

    /// Row a is grad_q g_a(t, q), (nu, n). Default: central differences, relative error about 1e-9.
    virtual Matrix gap_gradients(double t, const Vector& q) const;
    /// Partial derivative of g(t, q) in time, (nu). Default: zero, gaps that do not depend on time.
    virtual Vector gap_rates(double t, const Vector& q) const;
    /// Second time derivative of the gaps at zero acceleration, (nu): d/ds of G v + dg/dt along
    /// (t + s, q + s v). Default: central difference of both. Only constrained smooth motion needs it.
    virtual Vector gap_bending(double t, const Vector& q, const Vector& v) const;
    virtual GapShape gap_shape(int /*a*/) const { return GapShape::general; }
    /// Radius eta > 0 such that every point closer than eta to K(t) has one closest point in it, all norms
    /// |.|_M, for every t: infinity if K is convex, none if unknown. A bound of how far projections are safe.
    /// Default: infinity where the shapes of the gaps make K convex and M is constant.
    virtual std::optional<double> prox_regularity() const;

    /// f(q) [J] with force = -potential_gradient - damping v + inertial_force, none if not of this form
    /// (forces that depend on time, say).
    virtual std::optional<double> potential(const Vector& /*q*/) const { return std::nullopt; }
    /// grad f, (n). Default: central differences. @throws std::logic_error without a potential.
    virtual Vector potential_gradient(const Vector& q) const;
    /// Second derivatives of f, (n, n). Default: central differences of the gradient.
    virtual Matrix potential_hessian(const Vector& q) const;
    virtual bool convex_potential() const { return false; }  ///< whether f is known to be convex
    /// gamma, of the viscous force -gamma v [unit of force over unit of velocity], the same for every
    /// coordinate. Means nothing without a potential.
    virtual double damping() const { return 0.0; }

    /// Where the motion from `start`, which is in K, with Newton's law and coefficient e in [0, 1] is at time
    /// t
    /// >= start.t, where a formula for it is known. Default: none.
    virtual std::optional<State> closed_form(const State& /*start*/, double /*e*/, double /*t*/) const {
        return std::nullopt;
    }

    /// (n). Default: q1, q2, ... without unit.
    virtual std::vector<Quantity> coordinates() const;
    /// (nu). Default: g1, g2, ... without unit.
    virtual std::vector<Quantity> constraints() const;
    /// What to draw at (t, q). Default: nothing.
    virtual Figure figure(double /*t*/, const Vector& /*q*/) const { return {}; }
};

/// 1/2 v' M(q) v [J].
double kinetic_energy(const MechanicalSystem& system, const State& state);
/// Kinetic energy and potential [J]. @throws std::logic_error without a potential.
double total_energy(const MechanicalSystem& system, const State& state);
/// Largest part of a gap that is negative: max(0, -min g(t, q)), 0 without constraints.
double violation(const MechanicalSystem& system, double t, const Vector& q);

/// Worst differences between what a system says and central differences of what it is derived from, each
/// relative to 1 + the size of the value: what tests of a system hold it to.
struct DerivativeErrors {
    double gap_gradients = 0.0;
    double gap_rates = 0.0;
    double gap_bending = 0.0;
    double inertial_force = 0.0;
    double potential_gradient = 0.0;  ///< 0 without a potential
    double potential_hessian = 0.0;   ///< 0 without a potential
    double force = 0.0;               ///< against its form with the potential; 0 without one
    double worst() const;
};
DerivativeErrors check_derivatives(const MechanicalSystem& system, const State& state);

}  // namespace talus::lagrange
