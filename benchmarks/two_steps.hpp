#pragma once

#include "bench.hpp"
#include "contact_problem.hpp"

namespace talus::bench {

/// How exact an answer is asked for: one of the two is positive.
struct Goal {
    double residual = 0.0;     ///< relative residual of the solver [-]
    double natural_map = 0.0;  ///< RMS natural map at the scale of kBoxSpeed [m/s]
};

struct TwoSteps {
    std::string stage;
    const System& start;
    double margin;  ///< of contact_problem() [-]
};

/// Solves the next two steps of a state by one solver: the first without a guess (cold), the second from the
/// impulses that the same solver gave the same pairs in the first (warm). The time is that of sorting the
/// rows and solving. For a natural map the tolerance is searched for first: it is lowered by the factor that
/// is missed until the answer has it.
/// @param solver its name in scene files.
void measure_two_steps(const Options& options, const TwoSteps& steps, const std::string& solver,
                       const Goal& goal);

/// @throws InputError for a name that options.solvers may not have.
SolverKind solver_kind(const std::string& name);

}  // namespace talus::bench
