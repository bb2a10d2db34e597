#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

#include "commands.hpp"
#include "interrupt.hpp"
#include "motion_files.hpp"
#include "results.hpp"
#include "talus/core/error.hpp"
#include "talus/core/text.hpp"
#include "talus/io/output_directory.hpp"
#include "talus/scene/simulation.hpp"
#include "text.hpp"

namespace talus::app {

namespace {

/// What became of a run.
struct Motion {
    int code = kDone;
    std::string ending = "the end of the scene";
    double time = 0.0;  ///< reached [s]
    long steps = 0, unconverged = 0, iterations = 0;
    double violation = 0.0;  ///< worst
};

/// Warns of each kind of warning once.
void warn_once(const std::vector<std::string>& warnings, double t, std::set<std::string>& known) {
    for (const std::string& warning : warnings) {
        if (known.insert(warning.substr(0, warning.find(':'))).second) {
            fmt::print(stderr, "warning: t = {:.6g} s: {}\n", t, warning);
        }
    }
}

Motion loop(const LagrangeScene& scene, lagrange::Scheme& scheme, MotionFiles& files) {
    Motion motion;
    std::set<std::string> known;
    const std::int64_t steps = count_steps(scene.end, scene.step);
    for (std::int64_t k = 1; k <= steps; ++k) {
        lagrange::StepReport report;
        try {
            report = scheme.step();
        } catch (const StateError& error) {
            motion.code = kRunFailed;
            motion.ending = error.what();
            return motion;
        } catch (const std::invalid_argument& error) {
            // A formula or a projection met a number that is not finite.
            motion.code = kRunFailed;
            motion.ending = fmt::format("t = {:.6g} s: {}", scheme.state().t, error.what());
            return motion;
        }
        const bool stopped = interrupted();
        files.after_step(scheme, report, k == steps || stopped);
        warn_once(report.warnings, scheme.state().t, known);
        motion.time = scheme.state().t;
        ++motion.steps;
        motion.iterations += report.iterations;
        motion.unconverged += report.status == Status::converged ? 0 : 1;
        motion.violation = std::max(motion.violation, report.violation);
        if (stopped) {
            motion.code = kInterrupted;
            motion.ending = "interrupted";
            return motion;
        }
    }
    return motion;
}

std::string summarise(const LagrangeScene& scene, const lagrange::Scheme& scheme, const Motion& motion,
                      const MotionFiles& files, const std::string& directory, double seconds) {
    std::string text = fmt::format("ended        {} at t = {:.6g} s after {}\n", motion.ending, motion.time,
                                   counted(motion.steps, "step"));
    text += fmt::format("scheme       {}, {}, {} unconverged\n", name_of(scene.scheme),
                        counted(motion.iterations, "iteration"), counted(motion.unconverged, "step"));
    if (scene.system->potential(scene.start.q)) {
        text += fmt::format("energy       {:.6g} J at the start, {:.6g} J at the end\n",
                            total_energy(*scene.system, scene.start),
                            total_energy(*scene.system, scheme.state()));
    }
    text += fmt::format("contacts     {} (impacts.csv), worst violation {:.3g}\n", files.contacts(),
                        motion.violation);
    return text + fmt::format("results      {}: motion.csv, impacts.csv, {} (motion.pvd); {}\n", directory,
                              counted(files.frames(), "frame"), duration(seconds));
}

}  // namespace

int run_lagrange(const LagrangeArguments& arguments) {
    const LagrangeScene scene = read_lagrange_scene(arguments.scene, arguments.settings);
    if (const auto broken = broken_hypothesis(scene.scheme, *scene.system, scene.options)) {
        throw InputError(
            fmt::format("{}: scheme.kind: {} is not applicable: {}; talus check names the schemes that are",
                        scene.path, name_of(scene.scheme), *broken));
    }
    const auto scheme = make_scheme(scene.scheme, *scene.system, scene.start, scene.step, scene.options);
    const std::string directory = results_directory(arguments.scene, arguments.out);
    keep_scene_apart(scene.path, directory);
    prepare_output_directory(directory, arguments.force);
    write_file_atomically(directory + "/scene.toml", scene.text);

    const auto begin = std::chrono::steady_clock::now();
    catch_interrupts();
    MotionFiles files(directory, scene);
    const Motion motion = loop(scene, *scheme, files);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    const std::string summary = summarise(scene, *scheme, motion, files, directory, wall.count());
    write_file_atomically(directory + "/summary.txt", summary);
    fmt::print("{}", summary);
    if (motion.unconverged > 0) {
        fmt::print(stderr, "WARNING: {} did not converge; use a smaller time.step or another scheme\n",
                   counted(motion.unconverged, "step"));
    }
    if (motion.code != kDone) fmt::print(stderr, "talus: {}\n", motion.ending);
    return motion.code;
}

}  // namespace talus::app
