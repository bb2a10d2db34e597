#include <fmt/format.h>

#include "stages.hpp"
#include "talus/core/parallel.hpp"

namespace talus::bench {

// Strong scaling: the same ten steps of a settled box from the same state for each thread count. The hash
// proves equal bits.
void bench_scaling(const Options& options) {
    constexpr int kSteps = 10;
    const System start = settled_box(options.particles);
    StepOptions step;
    step.time_step = kBoxStep;
    double serial = 0.0;
    for (const int threads : options.threads) {
        set_thread_count(threads);
        System system;
        StepReport report;
        int iterations = 0;
        std::unique_ptr<ContactStepper> stepper;
        Row row;
        row.stage = "scaling";
        row.variant = fmt::format("{} steps", kSteps);
        row.bodies = start.particles.size();
        row.threads = threads;
        row.time = repeat(
            options.repeats,
            [&] {
                system = start;
                stepper = std::make_unique<ContactStepper>(step);
                stepper->step(system);  // warm: lists, multipliers
                iterations = 0;
            },
            [&] {
                for (int n = 0; n < kSteps; ++n) {
                    report = stepper->step(system);
                    iterations += report.solver.iterations;
                }
            });
        row.items = report.contacts;
        row.iterations = iterations;
        row.residual = report.solver.residual;
        row.hash = hash_of(system.particles.position);
        if (threads == options.threads.front()) serial = row.time.median;
        print(options, row);
        fmt::print("{:>58} threads: speed-up {:.2f}, efficiency {:.0f} %\n", threads,
                   serial / row.time.median,
                   100.0 * serial / row.time.median * options.threads.front() / threads);
    }
}

}  // namespace talus::bench
