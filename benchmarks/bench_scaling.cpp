#include <fmt/format.h>

#include "boxes.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"

namespace talus::bench {

namespace {

constexpr int kSteps = 10;

/// The same steps from the same state, on so many threads.
struct Runner {
    int threads;
    System start;
    Row row;
    std::vector<double> seconds;
};

// One step comes before the timed ones and leaves lists and multipliers behind.
double ten_steps(Runner& runner) {
    set_thread_count(runner.threads);
    StepOptions options;
    options.time_step = kBoxStep;
    ContactStepper stepper(options);
    System system = runner.start;
    stepper.step(system);
    Row& row = runner.row;
    row.iterations = 0;
    const double seconds = seconds_of([&] {
        for (int n = 0; n < kSteps; ++n) {
            const StepReport report = stepper.step(system);
            row.iterations += report.solver.iterations;
            row.items = report.contacts;
            row.residual = report.solver.residual;
        }
    });
    row.bodies = system.particles.size();
    row.threads = runner.threads;
    row.hash = hash_of(system.particles.position);
    return seconds;
}

// In turns, so that what else the machine does meets all of them alike; the first turn is not counted.
void take_turns(std::vector<Runner>& runners, int repeats) {
    for (int turn = 0; turn <= repeats; ++turn) {
        for (Runner& runner : runners) {
            const double seconds = ten_steps(runner);
            if (turn > 0) runner.seconds.push_back(seconds);
        }
    }
}

// @param growing whether every thread brings a box of its own, rather than all sharing one.
void report(const Options& options, const char* variant, std::vector<Runner>& runners, bool growing) {
    take_turns(runners, options.repeats);
    const double first = timing_of(runners.front().seconds).median;
    for (Runner& runner : runners) {
        Row& row = runner.row;
        row.stage = "scaling";
        row.variant = fmt::format("{} {} steps", variant, kSteps);
        row.time = timing_of(runner.seconds);
        const double more = static_cast<double>(runner.threads) / runners.front().threads;
        row.speed_up = first / row.time.median * (growing ? more : 1.0);
        row.efficiency = row.speed_up / more;
        print(options, row);
    }
}

}  // namespace

// Strong: one box, whose hash proves equal bits. Weak: one mirror image of it for each thread, which leaves
// height and iterations nearly as they are.
void bench_scaling(const Options& options, int particles) {
    const Box box = box_of(options, particles);
    std::vector<Runner> strong, weak;
    for (const int threads : options.threads) strong.push_back({threads, box.system, {}, {}});
    report(options, "strong", strong, false);
    for (const int threads : options.threads)
        weak.push_back({threads, mirrored(box, threads, 1).system, {}, {}});
    report(options, "weak", weak, true);
}

}  // namespace talus::bench
