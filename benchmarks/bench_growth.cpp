#include <fmt/format.h>

#include "boxes.hpp"
#include "stages.hpp"
#include "step_record.hpp"
#include "talus/core/parallel.hpp"

namespace talus::bench {

namespace {

// Steps one after the other, as a run makes them: the first has no impulses to start from and no list of
// neighbours.
void measure_steps(const Options& options, const std::string& name, System& system, double tolerance) {
    StepOptions step;
    step.time_step = kBoxStep;
    step.solver.tolerance = tolerance;
    ContactStepper stepper(step);
    StepRecord first, others;
    for (int n = 0; n <= options.repeats; ++n) {
        StepReport report;
        const double seconds = seconds_of([&] { report = stepper.step(system); });
        (n == 0 ? first : others).add(report, seconds);
    }
    const Index bodies = system.particles.size();
    print(options, first.whole("growth", fmt::format("{} {:.0e} first", name, tolerance), bodies));
    Row row = others.whole("growth", fmt::format("{} {:.0e} next", name, tolerance), bodies);
    row.bytes_per_body = peak_memory() / bodies;
    row.hash = hash_of(system.particles.position);
    print(options, row);
}

void measure_box(const Options& options, const std::string& name, System system) {
    reset_peak_memory();
    for (const double tolerance : {1e-2, StepOptions{}.solver.tolerance})
        measure_steps(options, name, system, tolerance);
}

}  // namespace

// On the first of the thread counts: a second would need a copy of the state, which would count as memory.
void bench_growth(const Options& options, int particles) {
    constexpr double kSlenderness = 8.0;
    set_thread_count(options.threads.front());
    measure_box(options, "box", box_of(options, particles).system);
    if (particles <= options.tile)
        measure_box(options, "column", settled_box(particles, kSlenderness).system);
}

}  // namespace talus::bench
