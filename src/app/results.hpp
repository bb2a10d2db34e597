#pragma once

#include <string>

namespace talus::app {

/// `out` as given, or else results/<name of the scene><ending>.
std::string results_directory(const std::string& scene, const std::string& out,
                              const std::string& ending = "");

/// The results hold a copy of the scene, scene.toml: it must not take the place of the user's own file.
/// @throws InputError when it would.
void keep_scene_apart(const std::string& scene, const std::string& directory);

}  // namespace talus::app
