#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "boxes.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"
#include "talus/io/frame_queue.hpp"
#include "talus/io/output_directory.hpp"

namespace talus::bench {

namespace {

StepOptions step_options() {
    StepOptions step;
    step.time_step = kBoxStep;
    return step;
}

/// A directory of the machine's temporary files, gone at the end.
struct FrameDirectory {
    FrameDirectory() { prepare_output_directory(path.string(), true); }
    ~FrameDirectory() { std::filesystem::remove_all(path); }
    FrameDirectory(const FrameDirectory&) = delete;
    FrameDirectory& operator=(const FrameDirectory&) = delete;

    std::filesystem::path path = std::filesystem::temp_directory_path() / "talus-bench-write";
};

Row row_of(const std::string& variant, const System& system) {
    Row row;
    row.stage = "write";
    row.variant = variant;
    row.bodies = system.particles.size();
    row.items = row.bodies;
    row.threads = thread_count();
    row.hash = hash_of(system.particles.position);
    return row;
}

// Particles, contacts and walls, compressed, by the thread that waits for it.
void measure_frame(const Options& options, System system) {
    ContactStepper stepper(step_options());
    stepper.step(system);
    const FrameDirectory directory;
    FrameWriter writer(directory.path.string(), {});
    Row row = row_of("frame", system);
    row.time = repeat(
        options.repeats, [] {}, [&] { writer.write(system, stepper.contacts(), kBoxStep); });
    print(options, row);
}

// Time of a step of a run, pushing frames included. What the writing thread still has to do at the end of a
// run is not: a run of any length waits for that once.
void measure_steps(const Options& options, const System& system, int every) {
    constexpr int kStepsOfRun = 20;
    System moved;
    std::vector<double> seconds;
    for (int run = 0; run <= options.repeats; ++run) {
        moved = system;
        ContactStepper stepper(step_options());
        stepper.step(moved);
        const FrameDirectory directory;
        FrameQueue queue(FrameWriter(directory.path.string(), {}));
        const double loop = seconds_of([&] {
            for (int n = 0; n < kStepsOfRun; ++n) {
                stepper.step(moved);
                if (every > 0 && n % every == 0) queue.push(moved, stepper.contacts(), kBoxStep);
            }
        });
        queue.finish();
        if (run > 0) seconds.push_back(loop / kStepsOfRun);
    }
    Row row = row_of(every == 0 ? "step no frames" : fmt::format("step frame every {}", every), moved);
    row.time = timing_of(seconds);
    print(options, row);
}

}  // namespace

void bench_write(const Options& options, int particles) {
    const System system = box_of(options, particles).system;
    set_thread_count(options.threads.front());
    measure_frame(options, system);
    for (const int every : {0, 10, 1}) measure_steps(options, system, every);
}

}  // namespace talus::bench
