#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "table.hpp"
#include "talus/geometry/shapes.hpp"
#include "talus/scene/scene.hpp"

/// The sections of a scene file, one function each. All throw InputError. Keys, units, ranges and defaults:
/// docs/scene.md.
namespace talus::reading {

constexpr double kForever = std::numeric_limits<double>::infinity();

/// The space inside a hopper wall, so that particles can be placed in it by the hopper's name.
using HopperSpaces = std::map<std::string, Region>;

/// A number, or a table with a `kind`. @param range of the values that the schedule is made of.
Schedule read_schedule(const Node& node, const Context& context, const Range& range = Range::any());
/// @throws InputError when a value of the schedule during the run is larger than `most`.
/// @param what is scheduled, with its unit at `unit`: "the angle reaches 1e+20 rad".
void check_course(const Node& node, const Schedule& schedule, const Context& context, double most,
                  const char* what, const char* unit);
RadiusDistribution read_radius(const Node& node, const Context& context);
Region read_region(const Node& node, const Context& context, const HopperSpaces& hoppers);
WallMotion read_motion(const Node& node, const Context& context);

void read_dimension(const Node& root, Context& context, Scene& scene);
void read_gravity(const Node& root, const Context& context, Scene& scene);
void read_time(const Node& root, Context& context, Scene& scene);
void read_solver(const Node& root, const Context& context, Scene& scene);
void read_broad_phase(const Node& root, const Context& context, Scene& scene);
void read_start(const Node& root, const Context& context, Scene& scene);
void read_domain(const Node& root, const Context& context, Scene& scene);
void read_output(const Node& root, const Context& context, Scene& scene);
/// What the entry of a group or wall says of its own surface: `friction`, `rolling_friction`.
void read_surface(const Table& table, const std::string& name, Scene& scene);
/// After groups and walls: pairs name them.
void read_contact(const Node& root, const Context& context, Scene& scene);

/// After the flow: a condition names a counter or an outlet.
void read_stop(const Node& root, const Context& context, Scene& scene);

void read_groups(const Node& root, Context& context, Scene& scene);
void read_walls(const Node& root, const Context& context, HopperSpaces& hoppers, Scene& scene);
/// After groups and walls.
void read_particles(const Node& root, const Context& context, const HopperSpaces& hoppers, Scene& scene);
void read_flow(const Node& root, const Context& context, const HopperSpaces& hoppers, Scene& scene);

void read_measures(const Node& root, const Context& context, const HopperSpaces& hoppers, Scene& scene);

/// Shapes of a [[wall]] of the kind "hopper", without its gate. @param gate the shape that closes the outlet.
std::vector<ShapePtr> read_hopper(const Table& table, ShapePtr& gate, std::optional<Region>& space);

/// A section of the file, or an empty table that stands where the file stands.
const Node& section(const Node& root, std::string_view key);
/// The entries of an array of tables; none when the key is missing.
const std::vector<Node>& entries(const Node& root, std::string_view key);
/// +z, in 2-D +y.
Vec3 upwards(const Context& context);
/// Name of an entry of a section, or section and number when it has none. @throws InputError when it is in
/// `taken`.
std::string unique_name(const Node& entry, const std::string& section, const std::vector<std::string>& taken);
template <class Item>
std::string unique_name(const Node& entry, const std::string& section, const std::vector<Item>& others) {
    std::vector<std::string> taken;
    for (const Item& other : others) taken.push_back(other.name);
    return unique_name(entry, section, taken);
}
/// `path` as it is when absolute, or else from the folder of the scene file.
std::string resolve_path(const std::string& path, const Context& context);
/// Runs a check of a lower layer and gives its message the place of `node`.
template <class Check>
auto located(const Node& node, const Check& check) {
    return located(source_entry(node), check);
}

}  // namespace talus::reading
