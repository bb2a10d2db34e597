#pragma once

#include <string>
#include <vector>

#include "talus/scene/scene.hpp"

namespace talus {

/// Reads a scene. The format is documented in docs/scene.md.
/// @param settings "key=value" overrides with dotted keys (wall[0].friction=0.5 for members of arrays),
/// applied before anything is checked.
/// @throws InputError with file, line, key, what was expected: unreadable file, TOML errors, unknown keys
/// (the nearest known key is suggested), wrong types, values out of range, NaN or infinity.
Scene read_scene(const std::string& path, const std::vector<std::string>& settings = {});

/// Builds the state at t = 0: particles from lists, files and generators, radii at t = 0, walls.
/// Overlaps are not looked for here.
/// @param remarks added to, if given: what a user should know, such as columns of a file that are not read.
/// @throws InputError where files and generators do.
System build_system(const Scene& scene, std::vector<std::string>* remarks = nullptr);

}  // namespace talus
