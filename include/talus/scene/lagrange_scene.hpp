#pragma once

#include <memory>
#include <string>
#include <vector>

#include "talus/lagrange/mechanical_system.hpp"
#include "talus/lagrange/scheme_choice.hpp"

namespace talus {

/// A scene in generalized coordinates, read and checked. The format is documented in docs/lagrange.md.
struct LagrangeScene {
    std::string path;  ///< of the scene file
    std::string text;  ///< the file as read, after --set
    std::string system_kind;
    std::shared_ptr<const lagrange::MechanicalSystem> system;
    lagrange::State start;  ///< at t = 0, in K
    double step = 0.0;      ///< h [s]
    double end = 0.0;       ///< [s]
    lagrange::SchemeKind scheme = lagrange::SchemeKind::moreau_jean;
    lagrange::SchemeOptions options;
    double every = 0.0;         ///< time between frames [s]; 0: only the first and the last
    double series_every = 0.0;  ///< time between rows of motion.csv [s]; 0: every step
};

/// Whether the file has a section [system]: a scene for read_lagrange_scene and not for read_scene.
/// @throws InputError as read_scene for what is no TOML file.
bool is_lagrange_scene(const std::string& path, const std::vector<std::string>& settings = {});

/// Reads a scene in generalized coordinates. @param settings as of read_scene.
/// @throws InputError with file, line, key, what was expected, as read_scene; also when the start is outside
/// K. Whether the scheme applies to the system is not looked at: see lagrange::broken_hypothesis.
LagrangeScene read_lagrange_scene(const std::string& path, const std::vector<std::string>& settings = {});

/// What the scene is, a line a fact, with warnings: where the scheme does not apply.
std::string describe_lagrange_scene(const LagrangeScene& scene);

}  // namespace talus
