#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "talus/core/types.hpp"
#include "talus/projection/problem.hpp"
#include "talus/projection/solver.hpp"

namespace talus {

/// What friction adds to the row of a contact between two spheres (or discs), or a sphere and a wall. Both
/// bodies touch it at one common point, q_i + arm_i n = q_j - arm_j n: arms that end on each own surface
/// would lose angular momentum while the gap is open.
struct RowFriction {
    double arm_i;     ///< from the centre of i to the point of contact [m], >= 0
    double arm_j;     ///< from the centre of j to it [m], >= 0; not used for a wall
    double friction;  ///< mu [-], >= 0; 0 makes an ordinary row without friction
    /// mu_r R [m], >= 0: the largest moment against rolling over the normal impulse. Coulomb's law only.
    double rolling = 0.0;
};

/// Bodies and contacts of one projection. The relative velocity at a contact is
///
///     w = (u_j - u_i) - (arm_j omega_j + arm_i omega_i) x n + drift      (u_j = omega_j = 0 for a wall),
///
/// an impulse p [N s] acts on j and -p on i: u_j += p / m_j, omega_j -= (arm_j / J_j) n x p,
/// u_i -= p / m_i, omega_i -= (arm_i / J_i) n x p. A moment L [N m s] across the normal, which resists
/// rolling, acts on j and -L on i: omega_j += L / J_j, omega_i -= L / J_i; the rolling velocity omega_r is
/// the part across the normal of omega_j - omega_i + turning. A plane scene has z = 0 and spins along z, so
/// that omega_r and L have their z component only.
struct FrictionProblem {
    std::span<const double> inverse_mass;     ///< (n) [1/kg]; 0: can neither be moved nor turned
    std::span<const double> inverse_inertia;  ///< (n) [1/(kg m^2)]; 0: can not be turned
    std::span<const Vec3> centre;             ///< (n) [m]; only the order of the rows depends on it
    std::span<const Row> rows;                ///< (m); at least one body of a row has a positive inverse mass
    std::span<const RowFriction> friction;    ///< (m) of the rows
    std::span<const std::uint8_t> idle = {};  ///< (m) or empty, as in ProjectionProblem
};

/// What holds at every contact; w_N = n . w, w_T the rest, p_N and p_T likewise.
enum class FrictionKind {
    /// Coulomb: 0 <= rate + w_N  complementary to  p_N >= 0;  |p_T| <= mu p_N, and where w_T != 0
    /// p_T = -mu p_N w_T / |w_T|. Where rolling is resisted likewise |L| <= mu_r R p_N, and where
    /// omega_r != 0 L = -mu_r R p_N omega_r / |omega_r|.
    coulomb,
    /// Its convex relaxation (Tasora and Anitescu 2011): rate + w_N >= mu |w_T| in place of rate + w_N >= 0.
    /// The projection onto these velocities in the norm of the masses is unique, but sliding bodies fly at
    /// the height h mu |w_T|.
    coulomb_relaxed
};

/// How the contacts are solved and when they count as solved.
struct FrictionOptions {
    FrictionKind kind = FrictionKind::coulomb;
    /// Relative natural-map residual [-], > 0. In the scaling that gives every contact's own block of the
    /// matrix the identity, y is the impulse, g the relative velocity (normal part with the rate), and the
    /// residual is |y - P(y - g - mu' |g_T| n)|, P the projection onto the friction cones, over its value at
    /// y = 0 (or FrictionInput::least_reference). The relaxation has no term mu' |g_T| n. Moments against
    /// rolling count as |y_r - P_r(y_r - g_r)|, P_r the projection onto the disc that the normal impulse
    /// allows.
    double tolerance = 1e-3;
    /// Largest predicted overlap over the smaller radius [-], > 0; both tolerances must hold.
    double overlap_tolerance = 1e-4;
    /// >= 1; reaching it gives Status::max_iterations and the best iterate measured (the last one if none is
    /// better than no impulses), with normal impulses grown where bodies would overlap: up to 20,000 sweeps
    /// more, which the report counts too. In dense packings the residual of Coulomb's law stalls before, at
    /// 1e-3 to 6e-2 for mu from 0.3 to 1.5: more iterations gain little.
    int max_iterations = 1000;
    bool warm_start = true;  ///< start from the impulses given, scaled down where they are too large
};

/// What a solve reached.
struct FrictionReport {
    Status status = Status::converged;
    int iterations = 0;
    double residual = 0.0;   ///< relative natural map [-]
    double map = 0.0;        ///< the natural map itself [sqrt(kg) m/s]
    double reference = 0.0;  ///< the natural map that it is relative to [sqrt(kg) m/s]
    double overlap = 0.0;    ///< largest predicted overlap h max(-(rate + w_N)) / radius [-], >= 0
    std::optional<JamProof>
        jam;  ///< set when status is infeasible: the normal rows alone can not be satisfied
};

/// Right-hand side of a solve.
struct FrictionInput {
    std::span<const double> rate;  ///< (m) gap over time step [m/s]
    std::span<const Vec3> drift;   ///< (m) what walls add to w [m/s], its normal part is not used; or empty
    std::span<const Vec3> free_velocity;  ///< (n) [m/s]
    std::span<const Vec3> free_spin;      ///< (n) [rad/s]
    double time_step;                     ///< h [s], only for the overlap that `rate` stands for
    /// (m) what walls add to omega_r [rad/s], its normal part is not used; or empty.
    std::span<const Vec3> turning = {};
    /// Residuals are relative to no less than this natural map [sqrt(kg) m/s]: to that of a larger problem,
    /// say, of which this one is a small correction.
    double least_reference = 0.0;
};

/// Answer of a solve.
struct FrictionOutput {
    std::span<Vec3> impulse;   ///< (m) p [N s], in: first guess (ignored unless warm_start)
    std::span<Vec3> velocity;  ///< (n) [m/s]
    std::span<Vec3> spin;      ///< (n) [rad/s]
    /// (m) L [N m s], in: first guess (ignored unless warm_start); may be empty where no row resists rolling.
    std::span<Vec3> moment = {};
};

/// Finds impulses that satisfy Coulomb's law or its relaxation at all contacts. `prepare` once for a set of
/// rows, then solve for any number of right-hand sides. Same bits for any number of threads. Keeps the
/// problem's spans: they must outlive the solves.
///
/// The relaxation is a convex problem, solved wherever some motion satisfies it. A solution of Coulomb's law
/// exists there too (rest is such a motion where rates are >= 0 and walls at rest), but there is no proof
/// that the iteration finds it, and impulses of packings are not unique. Not even the best iterate is a
/// solution, then: callers count such solves.
class FrictionSolver {
public:
    virtual ~FrictionSolver() = default;

    /// @throws std::invalid_argument if a row names no such body, one body twice or nothing that can move, or
    /// has a radius, arm, friction or rolling that is out of range, or if the relaxation is asked to resist
    /// rolling.
    virtual void prepare(const FrictionProblem& problem) = 0;
    /// @throws std::invalid_argument if sizes disagree or a number is not finite.
    virtual FrictionReport solve(const FrictionInput& input, const FrictionOutput& output) = 0;
    /// (m) of the last solve: 1 where a contact slides, with p_T at the edge of its disc. Valid until the
    /// next call.
    virtual std::span<const std::uint8_t> sliding() const = 0;
};

/// @throws std::invalid_argument if an option is out of range.
std::unique_ptr<FrictionSolver> make_friction_solver(const FrictionOptions& options);

}  // namespace talus
