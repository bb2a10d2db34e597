#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "talus/measure/measure.hpp"
#include "talus/scene/generators.hpp"
#include "talus/step/contact_step.hpp"
#include "talus/step/system.hpp"

/// A scene file in memory: plain data with every default and its unit. Nothing is parsed or built here.
namespace talus {

/// No number of a scene is larger than this, in its SI unit: the product of any three and its square, of
/// which energies and residuals are made, can then be computed with.
constexpr double kLargestNumber = 1e50;
/// No number that must be > 0 is smaller than this, for the same reason.
constexpr double kSmallestNumber = 1.0 / kLargestNumber;

/// Particles given one by one in the scene file.
struct ListedParticle {
    Vec3 position = Vec3::Zero();  ///< [m]
    Vec3 velocity = Vec3::Zero();  ///< [m/s]
    double radius = 0.0;           ///< [m]
    double mass = 0.0;             ///< [kg], from density when that is given
    std::int32_t group = 0;
    Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]; along z in 2-D
};

/// Particles read from a CSV or VTP file.
struct ParticleFile {
    /// Group that stands for "as the file says": its group column where it has one, or else the default
    /// group.
    static constexpr std::int32_t group_of_file = -1;

    std::string path;      ///< absolute, or relative to the scene file (resolved by the reader)
    double density = 0.0;  ///< where the file has no mass column [kg/m^3 or kg/m^2]
    double scale = 1.0;    ///< every length of the file times this (velocities too; masses are kept)
    std::int32_t group = group_of_file;
    SourceEntry entry;  ///< of the path in the scene file
};

using ParticleInput = std::variant<ListedParticle, ParticleFile, ParticleSource>;

/// Feed: particles that appear during the run in free places of a region.
struct Inlet {
    std::string name;
    Region region;
    RadiusDistribution radius;
    double density = 0.0;          ///< [kg/m^3 or kg/m^2]
    Vec3 velocity = Vec3::Zero();  ///< [m/s]
    std::int32_t group = 0;
    double rate =
        0.0;  ///< particles per second; 0: at every step as many as find a free place ("until full")
    std::int64_t count = -1;                                 ///< at most this many in all; -1: no limit
    double from = 0.0;                                       ///< [s]
    double until = std::numeric_limits<double>::infinity();  ///< [s]
    std::uint64_t seed = 0;
    SourceEntry entry;  ///< of the scene file
};

/// Drain: particles whose centre is in the region are removed and counted.
struct Outlet {
    std::string name;
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< [m], infinite where open
};

/// A plane through which the flow is counted without removing anything (orifice): each particle once, on its
/// first crossing along `normal`.
struct Counter {
    std::string name;
    Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();
};

enum class OverlapPolicy { refuse, resolve };
enum class EscapePolicy { report, remove };

struct OutputOptions {
    double every = 0.0;         ///< time between frames [s]; 0: only the first and the last
    double series_every = 0.0;  ///< time between rows of series.csv [s]; 0: every step
    bool contacts = true;       ///< write contacts_*.vtp
    bool walls = true;          ///< write walls_*.vtp
};

/// When a run ends before `Scene::end`: at the end of the first step in which one of the conditions holds.
struct StopOptions {
    /// The mean kinetic energy of a mobile particle, rotation included, stays small.
    struct AtRest {
        double energy = 0.0;  ///< it is below [J], > 0
        double time = 0.0;    ///< for so long without break [s], > 0
    };
    /// Something has passed, and nothing has for a while, though there is more.
    struct Jammed {
        std::string name;            ///< of a counter, or else of an outlet
        double time = 0.0;           ///< since the last passing [s], > 0
        std::optional<double> from;  ///< waiting begins here [s]; not set: when the first has passed
    };
    std::optional<AtRest> at_rest;
    bool emptied = false;  ///< all mobile particles have left, and no inlet will add any
    std::optional<Jammed> jammed;
};

struct Scene {
    std::string path;  ///< of the scene file
    std::string text;  ///< the file as read, after --set (written beside the results)
    int dimension = 3;
    std::array<Schedule, 3> gravity = {Schedule::constant(0.0), Schedule::constant(0.0),
                                       Schedule::constant(0.0)};
    double end = 0.0;  ///< [s]
    StepOptions step;
    ContactLaw law;
    std::vector<Group> groups;  ///< group 0 is "default"
    std::vector<ParticleInput> particles;
    std::vector<Wall> walls;
    std::vector<Inlet> inlets;
    std::vector<Outlet> outlets;
    std::vector<Counter> counters;
    std::vector<Measure> measures;
    OverlapPolicy overlap_policy = OverlapPolicy::refuse;
    Box domain = {Vec3::Constant(-std::numeric_limits<double>::infinity()),
                  Vec3::Constant(std::numeric_limits<double>::infinity())};  ///< leaving it is an escape [m]
    EscapePolicy escape_policy = EscapePolicy::report;
    OutputOptions output;
    StopOptions stop;
};

}  // namespace talus
