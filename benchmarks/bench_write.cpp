#include <filesystem>

#include "boxes.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"
#include "talus/io/frame_writer.hpp"
#include "talus/io/output_directory.hpp"

namespace talus::bench {

// One frame of particles, contacts and walls, compressed, to the temporary directory of the machine.
void bench_write(const Options& options, int particles) {
    const System system = box_of(options, particles).system;
    StepOptions step;
    step.time_step = kBoxStep;
    ContactStepper stepper(step);
    System scratch = system;
    stepper.step(scratch);
    const std::filesystem::path directory = std::filesystem::temp_directory_path() / "talus-bench-write";
    set_thread_count(1);
    prepare_output_directory(directory.string(), true);
    FrameWriter writer(directory.string(), {});
    Row row;
    row.stage = "write";
    row.variant = "frame";
    row.bodies = scratch.particles.size();
    row.items = scratch.particles.size();
    row.time = repeat(
        options.repeats, [] {}, [&] { writer.write(scratch, stepper.contacts(), kBoxStep); });
    row.hash = hash_of(scratch.particles.position);
    print(options, row);
    std::filesystem::remove_all(directory);
}

}  // namespace talus::bench
