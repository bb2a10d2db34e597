#include "boxes.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"
#include "two_steps.hpp"

namespace talus::bench {

// Two steps of a box that creeps, with the contacts that the stepper would look for.
void bench_projection(const Options& options, int particles) {
    const Box box = box_of(options, particles);
    const TwoSteps steps{"projection", box.system, StepOptions{}.margin};
    for (const int threads : options.threads) {
        set_thread_count(threads);
        for (const std::string& solver : options.solvers) {
            if (solver_kind(solver) == SolverKind::uzawa) continue;
            for (const double residual : {1e-2, 1e-3, 1e-4, 1e-6}) {
                measure_two_steps(options, steps, solver, {.residual = residual});
            }
        }
    }
}

}  // namespace talus::bench
