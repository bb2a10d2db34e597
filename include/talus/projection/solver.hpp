#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "talus/projection/problem.hpp"

namespace talus {

enum class SolverKind { monotone_pgs, clip_cg, apgd, uzawa, exact };
enum class Status { converged, max_iterations, infeasible };

/// How the dual problem min_{p >= 0} 1/2 p' A p + b' p is solved and when it counts as solved.
struct SolverOptions {
    SolverKind kind = SolverKind::monotone_pgs;
    /// Relative natural-map residual [-], > 0: |min(y, g)| / |min(b, 0)| in unit-diagonal scaling; 1 without
    /// any contact force.
    double tolerance = 1e-4;
    /// Largest predicted overlap over the smaller radius [-], > 0; both tolerances must hold.
    double overlap_tolerance = 1e-4;
    int max_iterations =
        20000;                ///< >= 1; reaching it gives Status::max_iterations, which every report counts
    double relaxation = 1.2;  ///< of Gauss-Seidel sweeps with momentum, in (0, 2) [-]
    /// With Coulomb friction, whose problem is harder and not convex: its residual (FrictionOptions) [-], >
    /// 0, and the sweeps it may take, >= 1.
    double friction_tolerance = 1e-3;
    int friction_iterations = 200;
    bool warm_start =
        true;  ///< start from the impulses given, scaled so that they never start above zero's objective
};

/// A proof that no admissible velocity exists (Farkas): weights >= 0 with G' weights ~ 0 and rate . weights <
/// 0.
struct JamProof {
    std::vector<double> weights;  ///< (m), >= 0, the rows that block each other; largest 1
    /// Every u with rate + G u >= 0 has |u|_M >= this [sqrt(kg) m/s]: -(rate . weights) / |G'
    /// weights|_{M^-1}.
    double least_speed = 0.0;
};

/// What a solve reached. All solvers measure these the same way, from the problem and not from their own
/// steps.
struct SolverReport {
    Status status = Status::converged;
    int iterations = 0;
    double residual = 0.0;         ///< relative natural map [-]
    double map = 0.0;              ///< the natural map itself, in unit-diagonal scaling [sqrt(kg) m/s]
    double overlap = 0.0;          ///< largest predicted overlap h max(-g) / radius [-], >= 0
    double complementarity = 0.0;  ///< |p . (rate + G u)| / (|p| . |min(rate + G v, 0)|), 0 for p = 0 [-]
    double bytes = 0.0;            ///< that the iterations had to move (sweep_bytes); 0 where not counted
    std::optional<JamProof> jam;   ///< set when status is infeasible
};

/// Projects velocities onto the admissible set. `prepare` once for a set of rows, then solve for any number
/// of right-hand sides. Same bits for any number of threads. Keeps the problem's spans: they must outlive the
/// solves.
class ProjectionSolver {
public:
    virtual ~ProjectionSolver() = default;

    virtual void prepare(const ProjectionProblem& problem) = 0;

    /// @param rate (m) [m/s], gap over time step. @param free_velocity (n) [m/s].
    /// @param time_step h [s], only for the overlap that `rate` stands for.
    /// @param impulse (m) [N s], in: first guess (ignored unless warm_start), out: multipliers, >= 0.
    /// @param velocity (n) [m/s], out: free_velocity + M^-1 G' impulse.
    virtual SolverReport solve(std::span<const double> rate, std::span<const Vec3> free_velocity,
                               double time_step, std::span<double> impulse, std::span<Vec3> velocity) = 0;
};

std::unique_ptr<ProjectionSolver> make_solver(const SolverOptions& options);

}  // namespace talus
