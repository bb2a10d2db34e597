#pragma once

#include <vector>

#include "bench.hpp"
#include "talus/projection/solver.hpp"

namespace talus::bench {

/// The projection of one step of a settled box, as the stepper hands it to a solver.
struct ContactProblem {
    std::vector<talus::Row> rows;
    std::vector<double> rate;         ///< D/h [m/s]
    std::vector<double> impulse;      ///< of the step before, the warm start [N s]
    std::vector<Vec3> free_velocity;  ///< [m/s]
};

inline ContactProblem contact_problem(const System& system) {
    System scratch = system;
    StepOptions options;
    options.time_step = kBoxStep;
    ContactStepper stepper(options);
    stepper.step(scratch);
    ContactProblem problem;
    for (const Contact& c : stepper.contacts()) {
        const double own = system.particles.radius[static_cast<std::size_t>(c.i)];
        const double other = c.j < 0 ? own : system.particles.radius[static_cast<std::size_t>(c.j)];
        problem.rows.push_back({c.i, c.j, c.normal, std::min(own, other)});
        problem.rate.push_back(c.gap / kBoxStep);
        problem.impulse.push_back(c.impulse);
    }
    problem.free_velocity = system.particles.velocity;
    for (Vec3& v : problem.free_velocity) v.z() -= kBoxStep;
    return problem;
}

}  // namespace talus::bench
