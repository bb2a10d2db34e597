#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "commands.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "results.hpp"
#include "run_files.hpp"
#include "run_report.hpp"
#include "talus/core/error.hpp"
#include "talus/core/parallel.hpp"
#include "talus/io/output_directory.hpp"
#include "talus/scene/scene_file.hpp"
#include "text.hpp"
#include "threads.hpp"

namespace talus::app {

namespace {

namespace fs = std::filesystem;

struct Outcome {
    int code = kDone;
    std::string ending = "the end of the scene";
};

void warn(const std::string& message) {
    fmt::print(stderr, "warning: {}\n", message);
}

Scene load(const RunArguments& arguments) {
    std::vector<std::string> settings = arguments.settings;
    if (!arguments.until.empty()) {
        const double until = parse_number(arguments.until, "--until", "a time in seconds, for example 0.5");
        if (until <= 0.0) {
            throw InputError(
                fmt::format("--until: expected a positive time in seconds, not '{}'", arguments.until));
        }
        settings.push_back("time.end=" + arguments.until);
    }
    return read_scene(arguments.scene, settings);
}

/// Prepares the directory and builds the start. Results that stand in the way are found before the build,
/// which can take a while; with --force they go after it, because a scene that is refused must not cost the
/// results of the run before.
Simulation start(const Scene& scene, const std::string& directory, bool force) {
    if (force) {
        Simulation simulation(scene);
        prepare_output_directory(directory, true);
        return simulation;
    }
    std::error_code unreadable;
    const bool existed = fs::exists(directory, unreadable);
    try {
        prepare_output_directory(directory, false);
        return Simulation(scene);
    } catch (const std::exception&) {
        std::error_code not_empty;
        if (!existed) fs::remove(directory, not_empty);
        throw;
    }
}

void print_messages(Simulation& simulation, Progress& progress) {
    for (const std::string& message : simulation.take_messages()) {
        progress.clear();
        warn(message);
    }
}

/// Why --strict ends the run.
std::string describe_unconverged(const SolverOptions& solver, const System& system,
                                 const StepReport& report) {
    const SolveLimits limits = solve_limits(solver, system.law);
    return fmt::format(
        "step {} (t = {:.6g} s) did not converge (--strict): residual {:.2e}, overlap {:.2e} of a radius; "
        "expected at most {} = {:g} and solver.overlap_tolerance = {:g}; raise {} or use a smaller time step",
        system.step, system.time, report.solver.residual, report.overlap, limits.tolerance_key,
        limits.tolerance, solver.overlap_tolerance, limits.iterations_key);
}

/// Steps until the end, a stop condition, an interrupt or a step that can not be made.
Outcome loop(const RunArguments& arguments, const Scene& scene, Simulation& simulation, RunFiles& files,
             Progress& progress) {
    while (!simulation.finished()) {
        if (interrupted()) return {kInterrupted, "interrupted"};
        StepReport report;
        try {
            report = simulation.advance();
        } catch (const StateError& error) {
            return {kRunFailed, error.what()};
        }
        files.after_step(simulation, report);
        print_messages(simulation, progress);
        progress.update(simulation, report);
        if (arguments.strict && report.solver.status != Status::converged) {
            return {kUnconverged, describe_unconverged(scene.step.solver, simulation.system(), report)};
        }
    }
    if (simulation.stop_reason().empty()) return {};
    return {kDone, simulation.stop_reason()};
}

void print_start(const Scene& scene, const Simulation& simulation, int threads) {
    fmt::print("{}: {}, {} of {:.6g} s, {}\n", scene.path,
               counted(simulation.system().particles.size(), "particle"),
               counted(simulation.steps_left(), "step"), scene.step.time_step, counted(threads, "thread"));
    std::fflush(stdout);
}

}  // namespace

int run(const RunArguments& arguments) {
    const ThreadChoice threads = choose_threads(arguments.threads, available_threads());
    if (!threads.remark.empty()) warn(threads.remark);
    set_thread_count(threads.count);
    const Scene scene = load(arguments);
    const std::string directory = results_directory(arguments.scene, arguments.out);
    keep_scene_apart(scene.path, directory);
    Simulation simulation = start(scene, directory, arguments.force);
    if (!arguments.quiet) print_start(scene, simulation, threads.count);

    const auto begin = std::chrono::steady_clock::now();
    Progress progress(scene.end, simulation.steps_left(), !arguments.quiet);
    print_messages(simulation, progress);
    catch_interrupts();
    RunFiles files(directory, scene, simulation);
    const Outcome outcome = loop(arguments, scene, simulation, files, progress);
    files.finish(simulation);
    progress.clear();

    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const std::string summary =
        describe_run(scene, simulation,
                     {directory, outcome.ending, threads.count, files.frames(), wall.count(), files.written(),
                      files.background_seconds(), arguments.profile});
    write_file_atomically(directory + "/summary.txt", summary);
    if (!arguments.quiet) fmt::print("{}", summary);
    const std::string doubt = describe_doubt(scene, simulation.summary());
    if (!doubt.empty()) fmt::print(stderr, "{}\n", doubt);
    if (outcome.code != kDone) fmt::print(stderr, "talus: {}\n", outcome.ending);
    return outcome.code;
}

}  // namespace talus::app
