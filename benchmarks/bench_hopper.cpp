#include <fmt/format.h>

#include <cmath>
#include <ctime>

#include "stages.hpp"
#include "step_record.hpp"
#include "talus/core/error.hpp"
#include "talus/core/parallel.hpp"
#include "talus/scene/scene_file.hpp"
#include "talus/scene/simulation.hpp"

namespace talus::bench {

namespace {

// Processor time of all threads so far [s].
double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// The scene with another number of spheres of the same total volume: the hopper is as full, its outlet as
// many radii wide.
Scene hopper_of(const Options& options, int particles) {
    constexpr double kRadius = 2.5e-3;  // of the scene's own [m]
    constexpr double kCount = 20000;
    return read_scene(options.scene,
                      {fmt::format("particles[0].count={}", particles),
                       fmt::format("parameters.radius={}", kRadius * std::cbrt(kCount / particles)),
                       fmt::format("time.end={}", options.filling + options.window)});
}

void measure_window(const Options& options, Simulation& simulation) {
    StepRecord record;
    const double begin = simulation.system().time;
    const double processor_begin = processor_seconds();
    while (!simulation.finished()) {
        StepReport report;
        const double seconds = seconds_of([&] { report = simulation.advance(); });
        record.add(report, seconds);
    }
    const double processor = processor_seconds() - processor_begin;
    const double simulated = simulation.system().time - begin;
    Row row = record.whole("hopper", "step", simulation.system().particles.size());
    row.hash = hash_of(simulation.system().particles.position);
    for (const Stage stage : {Stage::broad_phase, Stage::contacts, Stage::prepare, Stage::solve,
                              Stage::integrate, Stage::checks}) {
        Row part = record.part(stage, row);
        part.per_simulated = record.seconds(stage) / simulated;
        print(options, part);
    }
    row.per_simulated = record.seconds() / simulated;
    print(options, row);
    fmt::print(
        "{:<12} {:.2f} CPU seconds of all threads per simulated second, mean of {:.3g} s from t = {:.3g} s\n",
        "hopper", processor / simulated, simulated, begin);
}

}  // namespace

// The state after the filling time is reached by the same steps for every thread count; files are not
// written.
void bench_hopper(const Options& options, int particles) {
    if (!(options.window > 0.0)) throw InputError("--window: a time greater than 0 is needed");
    const Scene scene = hopper_of(options, particles);
    for (const int threads : options.threads) {
        set_thread_count(threads);
        Simulation simulation(scene);
        while (simulation.system().time < options.filling && !simulation.finished()) simulation.advance();
        measure_window(options, simulation);
    }
}

}  // namespace talus::bench
