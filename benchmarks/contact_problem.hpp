#pragma once

#include <vector>

#include "bench.hpp"
#include "talus/contact/warm_start.hpp"
#include "talus/projection/solver.hpp"

namespace talus::bench {

/// The projection of one step of length kBoxStep, as the stepper hands it to a solver.
struct ContactProblem {
    ContactList contacts;
    std::vector<talus::Row> rows;
    std::vector<double> rate;         ///< D/h [m/s]
    std::vector<double> guess;        ///< impulses of the same pairs in the step before, 0 for new ones [N s]
    std::vector<Vec3> free_velocity;  ///< [m/s]
};

/// What a solver made of it.
struct Answer {
    std::vector<double> impulse;  ///< [N s]
    std::vector<Vec3> velocity;   ///< [m/s]
    SolverReport report;
};

/// @param margin how far, in its radius, a particle looks for contacts beyond its free motion in the step
/// [-].
/// @param before multipliers of the step before; empty for none.
ContactProblem contact_problem(const System& system, double margin, WarmStart before = {});

/// Moves the spheres to the end of the step and remembers its impulses for the next.
void complete_step(System& system, ContactProblem& problem, const Answer& answer, WarmStart& memory);

/// Root of the mean over all rows, candidates that do not touch included, of min(p (1/m_i + 1/m_j), D/h + G
/// u)^2, in the box's unit of speed. p (1/m_i + 1/m_j) is the relative velocity that the impulse of a row
/// gives its own two bodies. Taken from impulses and velocities alone, apart from the solver's own measure.
double natural_map(const System& system, const ContactProblem& problem, const Answer& answer);

}  // namespace talus::bench
