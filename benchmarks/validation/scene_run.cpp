#include "scene_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "talus/measure/mechanics.hpp"
#include "talus/scene/scene_file.hpp"

namespace talus::validation {

namespace {

Scene scene_with(const Options& options, const std::string& path, std::vector<std::string> settings) {
    if (options.step > 0.0) settings.push_back(fmt::format("time.step={}", options.step));
    settings.insert(settings.end(), options.settings.begin(), options.settings.end());
    return read_scene(path, settings);
}

}  // namespace

std::string validation_scene(const std::string& name) {
    return std::string(TALUS_VALIDATION) + "/" + name;
}

std::string user_scene(const std::string& name) {
    return std::string(TALUS_SCENES) + "/" + name;
}

SceneRun::SceneRun(const Options& options, const std::string& scene, std::vector<std::string> settings)
    : SceneRun(scene_with(options, scene, std::move(settings))) {}

SceneRun::SceneRun(const Scene& scene)
    : simulation_(scene), step_(scene.step.time_step), grains_(mobile_count(simulation_.system())) {}

void SceneRun::to_end(double every, const Watch& watch) {
    using Clock = std::chrono::steady_clock;
    const std::int64_t stride = std::isfinite(every) ? std::max<std::int64_t>(1, std::llround(every / step_))
                                                     : std::numeric_limits<std::int64_t>::max();
    watch(simulation_);
    while (!simulation_.finished()) {
        const auto begin = Clock::now();
        simulation_.advance();
        seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
        if (simulation_.summary().steps % stride == 0 || simulation_.finished()) watch(simulation_);
    }
}

RunRecord SceneRun::record() const {
    const RunSummary& summary = simulation_.summary();
    RunRecord record;
    record.grains = grains_;
    record.step = step_;
    record.simulated = system().time;
    record.seconds = seconds_;
    record.steps = summary.steps;
    record.unconverged = summary.unconverged;
    record.worst_residual = summary.worst_residual;
    record.worst_overlap = summary.worst_overlap;
    record.stop_reason = simulation_.stop_reason();
    return record;
}

}  // namespace talus::validation
