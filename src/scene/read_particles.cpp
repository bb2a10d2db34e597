#include <fmt/format.h>

#include <cmath>

#include "readers.hpp"

namespace talus::reading {

namespace {

// With constant density masses follow the third power, and must stay far from the ends of a double.
constexpr double kLargestScale = 1e15;

/// First time at which the smallest value so far is not above zero; it is known to exist in [0, end].
double time_of_zero(const Schedule& schedule, double end) {
    double before = 0.0, after = end;
    for (int k = 0; k < 60; ++k) {  // halves the interval down to the digits of a double
        const double middle = 0.5 * (before + after);
        (schedule.minimum(0.0, middle) > 0.0 ? before : after) = middle;
    }
    return after;
}

void check_scale(const Node& node, const Schedule& scale, const Context& context) {
    if (!(scale.at(0.0) > 0.0)) {
        fail(node, fmt::format("the scale of the radii is {} at t = 0; it must be > 0", scale.at(0.0)));
    }
    const double smallest = scale.minimum(0.0, context.end);
    if (!(smallest > 0.0)) {
        const bool underflows = scale.kind == Schedule::Kind::exponential;
        const char* vanishes = underflows ? "become too small for a double" : "reach zero";
        fail(node,
             fmt::format("the radii {} at about t = {:.6g} s, before the end of the run at {} s; use an "
                         "earlier time.end, or end the change with `end`",
                         vanishes, time_of_zero(scale, context.end), context.end));
    }
    const double largest = scale.maximum(0.0, context.end);
    if (largest > kLargestScale || smallest < 1.0 / kLargestScale) {
        fail(node, fmt::format(
                       "the scale of the radii runs from {:g} to {:g} during the run; expected {:g} to {:g}",
                       smallest, largest, 1.0 / kLargestScale, kLargestScale));
    }
}

/// Density or mass, exactly one; the other is 0.
struct DensityOrMass {
    double density = 0.0, mass = 0.0;

    double of(double radius, int dimension) const {
        return density > 0.0 ? particle_mass(density, radius, dimension) : mass;
    }
};

DensityOrMass read_density_or_mass(const Table& table) {
    const bool both = table.has("density") && table.has("mass");
    const bool none = !table.has("density") && !table.has("mass");
    const char* unit = table.context().dimension == 2 ? "kg/m^2" : "kg/m^3";
    if (both) fail(table.at("mass"), "give density or mass, not both");
    if (none) fail(table.node(), fmt::format("'density' [{}] or 'mass' [kg] is missing", unit));
    if (table.has("density")) return {.density = table.number("density", Range::positive())};
    return {.mass = table.number("mass", Range::positive())};
}

void check_mass(const Table& table, const DensityOrMass& given, double radius) {
    const double mass = given.of(radius, table.context().dimension);
    if (Range::positive().contains(mass)) return;
    fail(table.node(),
         fmt::format("density {} and radius {} give the mass {} kg, which can not be computed with",
                     given.density, radius, mass));
}

/// The angular velocity of one particle: a vector, in the plane one number. @throws InputError.
Vec3 to_spin(const Node& node, const Context& context) {
    if (context.dimension == 3) return to_vector(node, context);
    if (node.kind == Node::Kind::array) {
        fail(node, "expected one number [rad/s] (dimension = 2), found an array; discs turn in their plane");
    }
    return {0.0, 0.0, to_number(node, context, Range::any())};
}

/// @throws InputError when the particles are to spin and their group can not.
void check_spins(const Node& node, const std::vector<Vec3>& spins, std::int32_t group, const Scene& scene) {
    const Group& of = scene.groups[static_cast<std::size_t>(group)];
    if (of.rotates && !of.frozen) return;
    const auto zero = [](const Vec3& spin) { return spin == Vec3::Zero(); };
    if (std::all_of(spins.begin(), spins.end(), zero)) return;
    fail(node, fmt::format("the group '{}' is {}, so that its particles can not spin; leave the angular "
                           "velocity out or change the group",
                           of.name, of.frozen ? "frozen" : "locked (rotation = \"locked\")"));
}

void read_sphere(const Node& node, const Context& context, Scene& scene) {
    const Table table(
        node, context,
        {"kind", "position", "velocity", "angular_velocity", "radius", "density", "mass", "group"});
    ListedParticle particle;
    particle.position = table.vector("position");
    particle.velocity = table.vector("velocity", Vec3::Zero());
    particle.radius = table.number("radius", Range::positive());
    const DensityOrMass given = read_density_or_mass(table);
    check_mass(table, given, particle.radius);
    particle.mass = given.of(particle.radius, context.dimension);
    particle.group = table.group();
    if (const Node* spin = table.find("angular_velocity")) {
        particle.angular_velocity = to_spin(*spin, context);
        check_spins(*spin, {particle.angular_velocity}, particle.group, scene);
    }
    scene.particles.emplace_back(particle);
}

/// One value for all under `single`, or one for each under `several`.
std::vector<double> one_or_each(const Table& table, std::string_view single, std::string_view several,
                                std::size_t count) {
    if (!table.has(several)) {
        return std::vector<double>(count, table.number(single, Range::positive()));
    }
    if (table.has(single)) fail(table.at(several), fmt::format("give {} or {}, not both", single, several));
    std::vector<double> values = table.numbers(several, Range::positive(), 0);
    if (values.size() != count) {
        fail(table.at(several),
             fmt::format("expected one entry for each of the {} positions, found {}", count, values.size()));
    }
    return values;
}

/// One value for all under `single`, or one for each under `several`, or none.
std::vector<Vec3> read_spins(const Table& table, std::size_t count, const Scene& scene) {
    std::vector<Vec3> spins(count, Vec3::Zero());
    const Node *single = table.find("angular_velocity"), *several = table.find("angular_velocities");
    if (single != nullptr && several != nullptr) {
        fail(*several, "give angular_velocity or angular_velocities, not both");
    }
    if (single != nullptr) spins.assign(count, to_spin(*single, table.context()));
    if (several != nullptr) {
        if (to_array(*several).size() != count) {
            fail(*several, fmt::format("expected one entry for each of the {} positions, found {}", count,
                                       several->items.size()));
        }
        for (std::size_t i = 0; i < count; ++i) spins[i] = to_spin(several->items[i], table.context());
    }
    if (single != nullptr || several != nullptr) {
        check_spins(single != nullptr ? *single : *several, spins, table.group(), scene);
    }
    return spins;
}

void read_list(const Node& node, const Context& context, Scene& scene) {
    const Table table(node, context,
                      {"kind", "positions", "velocity", "velocities", "angular_velocity",
                       "angular_velocities", "radius", "radii", "density", "mass", "group"});
    const std::vector<Vec3> positions = table.vectors("positions", 0);
    const std::vector<double> radii = one_or_each(table, "radius", "radii", positions.size());
    std::vector<Vec3> velocities(positions.size(), table.vector("velocity", Vec3::Zero()));
    if (table.has("velocities")) {
        if (table.has("velocity")) fail(table.at("velocities"), "give velocity or velocities, not both");
        velocities = table.vectors("velocities", 0);
        if (velocities.size() != positions.size()) {
            fail(table.at("velocities"),
                 fmt::format("expected one entry for each of the {} positions, found {}", positions.size(),
                             velocities.size()));
        }
    }
    const DensityOrMass given = read_density_or_mass(table);
    const std::int32_t group = table.group();
    const std::vector<Vec3> spins = read_spins(table, positions.size(), scene);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        check_mass(table, given, radii[i]);
        scene.particles.emplace_back(ListedParticle{.position = positions[i],
                                                    .velocity = velocities[i],
                                                    .radius = radii[i],
                                                    .mass = given.of(radii[i], context.dimension),
                                                    .group = group,
                                                    .angular_velocity = spins[i]});
    }
}

void read_file(const Node& node, const Context& context, Scene& scene) {
    const Table table(node, context, {"kind", "path", "density", "scale", "group"});
    ParticleFile file;
    file.path = resolve_path(table.text("path"), context);
    file.entry = source_entry(table.at("path"));
    file.density = table.number("density", Range::positive(), 0.0);
    file.scale = table.number("scale", Range::positive(), file.scale);
    file.group = table.has("group") ? table.group() : ParticleFile::group_of_file;
    scene.particles.emplace_back(file);
}

/// What lattice and random fills share.
ParticleSource read_source(const Table& table) {
    ParticleSource source;
    source.radius = read_radius(table.at("radius",
                                         "expected a number or a table such as { kind = \"uniform\", "
                                         "low = 1e-3, high = 2e-3 }"),
                                table.context());
    const DensityOrMass given = read_density_or_mass(table);
    check_mass(table, given, source.radius.smallest());
    check_mass(table, given, source.radius.largest());
    source.density = given.density;
    source.mass = given.mass;
    source.velocity = table.vector("velocity", Vec3::Zero());
    source.group = table.group();
    source.seed = table.seed();
    source.entry = source_entry(table.node());
    return source;
}

constexpr std::int64_t most_particles = std::numeric_limits<Index>::max();

void read_lattice(const Node& node, const Context& context, const HopperSpaces& hoppers, Scene& scene) {
    const Table table(node, context,
                      {"kind", "region", "arrangement", "spacing", "jitter", "count", "radius", "density",
                       "mass", "velocity", "group", "seed"});
    ParticleSource source = read_source(table);
    LatticeFill fill;
    fill.region = read_region(table.at("region"), context, hoppers);
    fill.kind = table.choice<LatticeFill::Kind>(
        "arrangement", {{"cubic", LatticeFill::Kind::cubic}, {"hexagonal", LatticeFill::Kind::hexagonal}},
        fill.kind);
    const Schedule& scale = scene.groups[static_cast<std::size_t>(source.group)].radius_scale;
    const double diameter = 2.0 * source.radius.largest() * scale.at(0.0);
    fill.spacing = table.number("spacing", Range::from(diameter), diameter);
    fill.jitter = table.number("jitter", Range::between(0.0, 1.0), fill.jitter);
    fill.count = table.integer("count", 0, most_particles, fill.count);
    source.fill = fill;
    scene.particles.emplace_back(source);
}

void read_random(const Node& node, const Context& context, const HopperSpaces& hoppers, Scene& scene) {
    const Table table(node, context,
                      {"kind", "region", "count", "solid_fraction", "radius", "density", "mass", "velocity",
                       "group", "seed"});
    ParticleSource source = read_source(table);
    RandomFill fill;
    fill.region = read_region(table.at("region"), context, hoppers);
    if (table.has("count") == table.has("solid_fraction")) {
        fail(table.node(),
             "give either 'count' (number of particles) or 'solid_fraction' (of the region's volume)");
    }
    // Denser random packings need compaction (gravity, growth) and are no initial state any more.
    const double densest = context.dimension == 2 ? 0.80 : 0.60;
    fill.count = table.integer("count", 0, most_particles, fill.count);
    fill.solid_fraction =
        table.number("solid_fraction", {.low = 0.0, .high = densest, .low_open = true}, fill.solid_fraction);
    source.fill = fill;
    scene.particles.emplace_back(source);
}

}  // namespace

void read_groups(const Node& root, Context& context, Scene& scene) {
    scene.groups.push_back(Group{.name = "default"});
    context.groups["default"] = 0;
    std::vector<std::string> declared;
    for (const Node& entry : entries(root, "group")) {
        const Table table(entry, context,
                          {"name", "radius_scale", "mass_law", "frozen", "friction", "rolling_friction",
                           "inertia", "rotation"});
        Group group;
        group.name = table.text("name");
        if (group.name.empty()) fail(table.at("name"), "expected a name, found an empty text");
        group.frozen = table.flag("frozen", group.frozen);
        group.constant_density =
            table.choice<bool>("mass_law", {{"constant_mass", false}, {"constant_density", true}}, false);
        group.inertia = table.choice<Inertia>(
            "inertia", {{"solid", Inertia::solid}, {"hollow", Inertia::hollow}}, group.inertia);
        group.rotates = table.choice<bool>("rotation", {{"free", true}, {"locked", false}}, group.rotates);
        if (const Node* scale = table.find("radius_scale")) {
            group.radius_scale = read_schedule(*scale, context, Range::positive());
            check_scale(*scale, group.radius_scale, context);
        }
        if (std::find(declared.begin(), declared.end(), group.name) != declared.end()) {
            fail(table.at("name"), fmt::format("the name '{}' is taken by another group", group.name));
        }
        declared.push_back(group.name);
        read_surface(table, group.name, scene);
        if (group.name == "default") {
            scene.groups[0] = group;
        } else {
            context.groups[group.name] = static_cast<std::int32_t>(scene.groups.size());
            scene.groups.push_back(group);
        }
    }
}

void read_particles(const Node& root, const Context& context, const HopperSpaces& hoppers, Scene& scene) {
    for (const Node& entry : entries(root, "particles")) {
        const std::string& kind = kind_of(entry, {"sphere", "list", "file", "lattice", "random"});
        if (kind == "sphere") read_sphere(entry, context, scene);
        if (kind == "list") read_list(entry, context, scene);
        if (kind == "file") read_file(entry, context, scene);
        if (kind == "lattice") read_lattice(entry, context, hoppers, scene);
        if (kind == "random") read_random(entry, context, hoppers, scene);
    }
}

}  // namespace talus::reading
