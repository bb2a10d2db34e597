#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/geometry/wall.hpp"
#include "talus/projection/solver.hpp"

namespace talus {

/// How contacts resist sliding and rolling.
enum class FrictionLaw {
    inelastic,       ///< not at all: no friction, whatever the coefficients are
    coulomb,         ///< Coulomb's law |lambda_T| <= mu lambda_N, sliding opposes lambda_T; rolling likewise
    coulomb_relaxed  ///< its convex relaxation (Tasora and Anitescu 2011): sliding holds a contact open by h
                     ///< mu |w_T|; rolling can not be resisted
};

/// What is said about one pair of surfaces; what is not said follows from the rest of the law.
struct PairOverride {
    std::optional<double> restitution, friction, rolling_friction;  ///< as in PairLaw [-]
};

/// Restitution, friction and rolling friction between groups and walls. A surface is the name of a group or
/// of a wall.
///
/// The friction of a pair is what the pair says, or else the geometric mean of the two surfaces'
/// coefficients, where a surface without its own has the default: one frictionless surface makes a
/// frictionless pair. The same holds for rolling friction.
struct ContactLaw {
    FrictionLaw kind = FrictionLaw::inelastic;
    double restitution = 0.0;       ///< default e in [0, 1] [-]; 0: the inelastic law of Maury's projection
    double friction = 0.0;          ///< default Coulomb's mu [-], >= 0
    double rolling_friction = 0.0;  ///< default mu_r [-], >= 0
    std::map<std::string, double> surface_friction;                     ///< mu of a surface [-], >= 0
    std::map<std::string, double> surface_rolling_friction;             ///< mu_r of a surface [-], >= 0
    std::map<std::pair<std::string, std::string>, PairOverride> pairs;  ///< by names in ascending order
};

/// What the solver of a law keeps to, and how a scene calls it.
struct SolveLimits {
    double tolerance;  ///< of the residual [-]
    int iterations;
    const char* tolerance_key;
    const char* iterations_key;
};

inline SolveLimits solve_limits(const SolverOptions& solver, const ContactLaw& law) {
    if (law.kind == FrictionLaw::inelastic) {
        return {solver.tolerance, solver.max_iterations, "solver.tolerance", "solver.max_iterations"};
    }
    return {solver.friction_tolerance, solver.friction_iterations, "solver.friction_tolerance",
            "solver.friction_iterations"};
}

/// Everything that a step changes or reads: the mechanical state at time `time`.
struct System {
    int dimension = 3;
    double time = 0.0;      ///< of the state [s]
    std::int64_t step = 0;  ///< steps made
    Particles particles;
    std::vector<Group> groups;
    std::vector<Wall> walls;
    ContactLaw law;
    std::array<Schedule, 3> gravity = {Schedule::constant(0.0), Schedule::constant(0.0),
                                       Schedule::constant(0.0)};  ///< [m/s^2]
};

}  // namespace talus
