#include <fmt/format.h>

#include "boxes.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"

namespace talus::bench {

namespace {

constexpr int kSteps = 10;

// The same steps from the same state; one more comes first and leaves lists and multipliers behind.
Row ten_steps(const Options& options, const std::string& variant, const System& start, int threads) {
    set_thread_count(threads);
    StepOptions step;
    step.time_step = kBoxStep;
    System system;
    std::unique_ptr<ContactStepper> stepper;
    StepReport report;
    Row row;
    row.stage = "scaling";
    row.variant = fmt::format("{}, {} steps", variant, kSteps);
    row.bodies = start.particles.size();
    row.threads = threads;
    row.time = repeat(
        options.repeats,
        [&] {
            system = start;
            stepper = std::make_unique<ContactStepper>(step);
            stepper->step(system);
            row.iterations = 0;
        },
        [&] {
            for (int n = 0; n < kSteps; ++n) {
                report = stepper->step(system);
                row.iterations += report.solver.iterations;
            }
        });
    row.items = report.contacts;
    row.residual = report.solver.residual;
    row.hash = hash_of(system.particles.position);
    return row;
}

}  // namespace

// Strong: one box, whose hash proves equal bits. Weak: a mirror image of it more for each thread, which
// leaves height and iterations nearly as they are. Thread counts take turns by whole rows, so compare them in
// a quiet machine only.
void bench_scaling(const Options& options, int particles) {
    const Box box = box_of(options, particles);
    double strong = 0.0, weak = 0.0;
    const int first = options.threads.front();
    for (const int threads : options.threads) {
        Row row = ten_steps(options, "strong", box.system, threads);
        if (threads == first) strong = row.time.median;
        row.speed_up = strong / row.time.median;
        row.efficiency = row.speed_up * first / threads;
        print(options, row);
    }
    for (const int threads : options.threads) {
        Row row = ten_steps(options, "weak", mirrored(box, threads, 1).system, threads);
        if (threads == first) weak = row.time.median;
        row.efficiency = weak / row.time.median;
        row.speed_up = row.efficiency * threads / first;
        print(options, row);
    }
}

}  // namespace talus::bench
