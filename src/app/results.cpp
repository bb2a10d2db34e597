#include "results.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "talus/core/error.hpp"

namespace talus::app {

namespace fs = std::filesystem;

std::string results_directory(const std::string& scene, const std::string& out, const std::string& ending) {
    if (!out.empty()) return out;
    return (fs::path("results") / fs::path(scene).stem()).string() + ending;
}

void keep_scene_apart(const std::string& scene, const std::string& directory) {
    std::error_code absent;
    if (!fs::equivalent(scene, fs::path(directory) / "scene.toml", absent)) return;
    throw InputError(
        fmt::format("--out {}: the scene {} lies there under the name that its copy among the results "
                    "gets; choose another directory",
                    directory, scene));
}

}  // namespace talus::app
