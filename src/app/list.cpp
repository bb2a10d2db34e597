#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"
#include "talus/lagrange/scheme_choice.hpp"

namespace talus::app {

namespace {

namespace fs = std::filesystem;

struct Entry {
    const char* name;
    const char* meaning;
};

template <class Entries>
void print_table(const char* title, const Entries& entries) {
    fmt::print("{}\n", title);
    std::size_t width = 0;
    for (const auto& entry : entries) width = std::max(width, std::string_view(entry.name).size());
    for (const auto& entry : entries) fmt::print("  {:<{}} {}\n", entry.name, width, entry.meaning);
}

constexpr std::array<Entry, 5> kSolvers = {{
    {"monotone_pgs", "accelerated projected Gauss-Seidel, monotone (default)"},
    {"clip_cg", "conjugate gradients, clipped: for tight tolerances"},
    {"apgd", "accelerated projected gradient with restart and backtracking"},
    {"uzawa", "projected gradient with a fixed step: the readable reference, slow"},
    {"exact", "dense active set, for tiny problems"},
}};

constexpr std::array<Entry, 4> kBroadPhases = {{
    {"cell_grid", "cells in levels of size, parallel (default)"},
    {"kd_tree", "nanoflann, for radii that differ little"},
    {"r_tree", "Boost.Geometry, for radii that differ much"},
    {"brute_force", "all pairs, for checks"},
}};

constexpr std::array<Entry, 5> kParticles = {{
    {"sphere", "one particle"},
    {"list", "positions one by one"},
    {"file", "CSV or VTP file, such as a frame of another run"},
    {"lattice", "cubic or hexagonal arrangement in a region"},
    {"random", "random places without overlap in a region, to a number or a solid fraction"},
}};

constexpr std::array<Entry, 4> kRegions = {{
    {"box", "axis-parallel box"},
    {"cylinder", "3-D"},
    {"profile", "inside of a surface of revolution (2-D: of a symmetric outline)"},
    {"hopper", "inside of a hopper wall"},
}};

constexpr std::array<Entry, 6> kRadii = {{
    {"constant", "all the same"},
    {"uniform", "between two bounds"},
    {"normal", "truncated to two bounds"},
    {"log_uniform", "between two bounds"},
    {"bidisperse", "two radii"},
    {"table", "radii with weights"},
}};

constexpr std::array<Entry, 11> kWalls = {{
    {"plane", "half-space; in 2-D half-plane"},
    {"box", "six faces (2-D: four), each can be left open"},
    {"segment", "2-D"},
    {"polyline", "2-D"},
    {"circle", "2-D"},
    {"cylinder", "3-D, finite, inside and outside"},
    {"cone", "3-D, finite, inside and outside"},
    {"disc", "3-D"},
    {"plate", "3-D, with a round or slot orifice"},
    {"mesh", "3-D, triangles of an STL file"},
    {"hopper", "conical, wedge or flat-bottomed, with an outlet and a gate"},
}};

constexpr std::array<Entry, 4> kMeasures = {{
    {"region", "solid fraction, coordination, stress, velocity, granular temperature in a region"},
    {"front", "run-out: distance that holds a fraction of the mass"},
    {"height", "highest top of a heap, over its middle or all of it"},
    {"repose", "angle of repose, fitted to the free surface"},
}};

constexpr std::array<Entry, 5> kMotions = {{
    {"translate", "constant velocity, between two times"},
    {"rotate", "constant rate about an axis, between two times"},
    {"oscillate", "to and fro along a direction"},
    {"swing", "to and fro about an axis"},
    {"schedule", "displacement and angle as schedules"},
}};

constexpr std::array<Entry, 5> kSchedules = {{
    {"constant", "a plain number means the same"},
    {"ramp", "linear between two times"},
    {"exponential", "growth or decay between two times"},
    {"sine", "mean, amplitude, frequency, phase"},
    {"table", "linear between given times"},
}};

constexpr std::array<Entry, 15> kSystems = {{
    {"bouncing_ball", "a ball over a floor"},
    {"ball_in_moving_box", "a ball between two walls that shake"},
    {"oscillator_with_stop", "damped, of Cabot and Paoli 2006"},
    {"bead_in_parabola", "a bead in a convex bowl"},
    {"bead_in_wedge", "a bead between two slopes"},
    {"point_in_ellipse", "a point in a strictly convex set, with or without gravity"},
    {"pendulum_at_wall", "one rod beside a wall"},
    {"double_pendulum_at_wall", "two rods beside a wall, M(q)"},
    {"slider_crank", "crank, rod and a slider with clearance, M(q)"},
    {"falling_rod", "a rod that falls on its ends"},
    {"rocking_block", "a block on its two lower corners"},
    {"bead_chain", "beads on a line: cradle, column, inelastic collapse"},
    {"sphere_assembly", "spheres and half-spaces"},
    {"beam_between_stops", "a beam of finite elements, stiff"},
    {"expressions", "mass, potential or forces, constraints as formulas"},
}};

/// The first comment of a scene says what happens in it.
std::string first_comment(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || !line.starts_with("# ")) return "";
    return line.substr(2);
}

void print_scenes(const fs::path& directory) {
    std::vector<fs::path> scenes;
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        if (it->path().extension() == ".toml") scenes.push_back(it->path());
    }
    if (scenes.empty()) return;
    std::sort(scenes.begin(), scenes.end());
    fmt::print("scenes in {}\n", directory.string());
    for (const fs::path& scene : scenes) fmt::print("  {}\n      {}\n", scene.string(), first_comment(scene));
}

/// scenes/ where the user stands (a checkout), or else the ones installed beside the executable.
fs::path scene_directory() {
    std::error_code none;
    if (fs::is_directory("scenes", none)) return "scenes";
    const fs::path executable = fs::read_symlink("/proc/self/exe", none);
    return executable.parent_path().parent_path() / "share" / "talus" / "scenes";
}

}  // namespace

int list() {
    print_table("solvers (solver.kind)", kSolvers);
    print_table("broad phases (broad_phase.kind)", kBroadPhases);
    print_table("particles ([[particles]] kind)", kParticles);
    print_table("regions (region.kind)", kRegions);
    print_table("radii (radius.kind)", kRadii);
    print_table("walls ([[wall]] kind)", kWalls);
    print_table("measures ([[measure]] kind)", kMeasures);
    print_table("motions of walls (motion.kind)", kMotions);
    print_table("schedules in time: radius_scale, gravity, displacement, angle (kind)", kSchedules);
    print_table("systems in generalized coordinates (system.kind)", kSystems);
    print_table("schemes in generalized coordinates (scheme.kind)", lagrange::kSchemeNames);
    print_scenes(scene_directory());
    print_scenes(scene_directory() / "lagrange");
    return kDone;
}

}  // namespace talus::app
