#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "readers.hpp"
#include "talus/scene/simulation.hpp"
#include "talus/step/step_time.hpp"

namespace talus::reading {

const Node& section(const Node& root, std::string_view key) {
    static const Node empty;
    const Node* found = root.find(key);
    return found == nullptr ? empty : *found;
}

const std::vector<Node>& entries(const Node& root, std::string_view key) {
    static const std::vector<Node> none;
    const Node* found = root.find(key);
    if (found == nullptr) return none;
    if (found->kind != Node::Kind::array) {
        fail(*found,
             fmt::format("expected entries that each begin with [[{}]], found {}", key, found->describe()));
    }
    return found->items;
}

Vec3 upwards(const Context& context) {
    return context.dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
}

std::string unique_name(const Node& entry, const std::string& section,
                        const std::vector<std::string>& taken) {
    const Node* given = entry.find("name");
    std::string name = given == nullptr ? fmt::format("{}{}", section, taken.size()) : to_text(*given);
    const Node& place = given == nullptr ? entry : *given;
    if (name.empty()) fail(place, "expected a name, found an empty text");
    if (std::find(taken.begin(), taken.end(), name) == taken.end()) return name;
    fail(place, fmt::format("the name '{}' is taken by another {}", name, section));
}

std::string resolve_path(const std::string& path, const Context& context) {
    const std::filesystem::path given(path);
    return given.is_absolute() ? path
                               : (std::filesystem::path(context.folder) / given).lexically_normal().string();
}

void read_dimension(const Node& root, Context& context, Scene& scene) {
    if (const Node* found = root.find("dimension")) {
        scene.dimension = static_cast<int>(to_integer(*found, context, 2, 3));
    }
    context.dimension = scene.dimension;
}

void read_gravity(const Node& root, const Context& context, Scene& scene) {
    const Node* found = root.find("gravity");
    if (found == nullptr) return;
    const auto count = static_cast<std::size_t>(context.dimension);
    const std::vector<Node>& items = to_array(*found);
    if (items.size() != count) {
        fail(*found,
             fmt::format("expected {0} components (dimension = {0}), found {1}", count, items.size()));
    }
    for (std::size_t k = 0; k < count; ++k) {
        scene.gravity[k] = read_schedule(items[k], context);
        check_course(items[k], scene.gravity[k], context, kLargestNumber, "gravity", "m/s^2");
    }
}

void read_time(const Node& root, Context& context, Scene& scene) {
    const Node* found = root.find("time");
    if (found == nullptr) {
        fail(root,
             "section [time] is missing: expected step = (time step in s) and end = (end of the run in s)");
    }
    const Table table(*found, context, {"step", "end"});
    scene.step.time_step = table.number("step", Range::positive());
    scene.end = table.number("end", Range::positive());
    constexpr double kMostSteps = 1e15;  // counted exactly by a double, and more than anybody can wait for
    if (scene.end / scene.step.time_step > kMostSteps) {
        fail(*found,
             fmt::format(
                 "end = {:g} s is {:.3g} steps of {:g} s: expected at most {:g} steps; use a larger step",
                 scene.end, scene.end / scene.step.time_step, scene.step.time_step, kMostSteps));
    }
    // Steps are whole: the last one may end after time.end.
    const std::int64_t steps = count_steps(scene.end, scene.step.time_step);
    context.end = std::max(scene.end, step_time(steps, scene.step.time_step));
}

void read_solver(const Node& root, const Context& context, Scene& scene) {
    const Table table(section(root, "solver"), context,
                      {"kind", "tolerance", "overlap_tolerance", "max_iterations", "friction_tolerance",
                       "friction_iterations", "relaxation", "warm_start"});
    SolverOptions& solver = scene.step.solver;
    solver.kind = table.choice<SolverKind>("kind",
                                           {{"monotone_pgs", SolverKind::monotone_pgs},
                                            {"clip_cg", SolverKind::clip_cg},
                                            {"apgd", SolverKind::apgd},
                                            {"uzawa", SolverKind::uzawa},
                                            {"exact", SolverKind::exact}},
                                           solver.kind);
    solver.tolerance = table.number("tolerance", Range::positive(), solver.tolerance);
    solver.overlap_tolerance = table.number("overlap_tolerance", Range::positive(), solver.overlap_tolerance);
    solver.max_iterations = static_cast<int>(
        table.integer("max_iterations", 1, std::numeric_limits<int>::max(), solver.max_iterations));
    solver.friction_tolerance =
        table.number("friction_tolerance", Range::positive(), solver.friction_tolerance);
    solver.friction_iterations = static_cast<int>(
        table.integer("friction_iterations", 1, std::numeric_limits<int>::max(), solver.friction_iterations));
    solver.relaxation = table.number("relaxation", Range::inside(0.0, 2.0), solver.relaxation);
    solver.warm_start = table.flag("warm_start", solver.warm_start);
}

void read_broad_phase(const Node& root, const Context& context, Scene& scene) {
    const Table table(section(root, "broad_phase"), context, {"kind", "skin", "margin"});
    scene.step.broad_phase = table.choice<BroadPhaseKind>("kind",
                                                          {{"cell_grid", BroadPhaseKind::cell_grid},
                                                           {"kd_tree", BroadPhaseKind::kd_tree},
                                                           {"r_tree", BroadPhaseKind::r_tree},
                                                           {"brute_force", BroadPhaseKind::brute_force}},
                                                          scene.step.broad_phase);
    scene.step.skin = table.number("skin", Range::from(0.0), scene.step.skin);
    scene.step.margin = table.number("margin", Range::positive(), scene.step.margin);
}

void read_start(const Node& root, const Context& context, Scene& scene) {
    const Table table(section(root, "start"), context, {"overlaps"});
    scene.overlap_policy = table.choice<OverlapPolicy>(
        "overlaps", {{"refuse", OverlapPolicy::refuse}, {"resolve", OverlapPolicy::resolve}},
        scene.overlap_policy);
}

void read_domain(const Node& root, const Context& context, Scene& scene) {
    const Table table(section(root, "domain"), context, {"low", "high", "escape"});
    scene.escape_policy = table.choice<EscapePolicy>(
        "escape", {{"report", EscapePolicy::report}, {"remove", EscapePolicy::remove}}, scene.escape_policy);
    const Vec3 low = table.vector("low", scene.domain.low, Range::unbounded());
    const Vec3 high = table.vector("high", scene.domain.high, Range::unbounded());
    for (Index k = 0; k < static_cast<Index>(context.dimension); ++k) {
        scene.domain.low[k] = low[k];
        scene.domain.high[k] = high[k];
        if (scene.domain.low[k] < scene.domain.high[k]) continue;
        fail(table.at(table.has("high") ? "high" : "low"),
             fmt::format("expected high > low along {}, found low = {}, high = {}", "xyz"[k],
                         scene.domain.low[k], scene.domain.high[k]));
    }
}

void read_output(const Node& root, const Context& context, Scene& scene) {
    const Table table(section(root, "output"), context, {"every", "series_every", "contacts", "walls"});
    OutputOptions& output = scene.output;
    output.every = table.number("every", Range::from(0.0), output.every);
    output.series_every = table.number("series_every", Range::from(0.0), output.series_every);
    output.contacts = table.flag("contacts", output.contacts);
    output.walls = table.flag("walls", output.walls);
}

namespace {

/// The name of a group or wall. @throws InputError that lists those there are.
std::string surface_name(const Node& node, const Context& context, const Scene& scene) {
    const std::string& name = to_text(node);
    std::vector<std::string_view> names;
    for (const auto& [group, index] : context.groups) names.push_back(group);
    for (const Wall& wall : scene.walls) {
        if (std::find(names.begin(), names.end(), wall.name) == names.end()) names.push_back(wall.name);
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) return name;
    const std::string near = nearest(name, names);
    fail(node, fmt::format("there is no group or wall '{}'{}; groups and walls: {}", name,
                           near.empty() ? "" : fmt::format("; did you mean '{}'?", near), join(names)));
}

bool moves(const std::string& name, const Context& context, const Scene& scene) {
    const auto group = context.groups.find(name);
    return group != context.groups.end() && !scene.groups[static_cast<std::size_t>(group->second)].frozen;
}

/// One of the coefficients of resistance, as a scene calls it and a law keeps it.
struct Coefficient {
    const char* key;
    double ContactLaw::*everywhere;
    std::map<std::string, double> ContactLaw::*of_surfaces;
    std::optional<double> PairOverride::*of_pairs;
};
// More holds nothing tighter, and drowns all other impulses in rounding.
const Range kFrictionRange = Range::between(0.0, 1e6);

constexpr Coefficient kFriction = {"friction", &ContactLaw::friction, &ContactLaw::surface_friction,
                                   &PairOverride::friction};
constexpr Coefficient kRollingFriction = {"rolling_friction", &ContactLaw::rolling_friction,
                                          &ContactLaw::surface_rolling_friction,
                                          &PairOverride::rolling_friction};

/// A surface or pair where the coefficient is above 0, in words; "" when there is none.
std::string what_has(const Coefficient& coefficient, const ContactLaw& law) {
    const char* key = coefficient.key;
    const double everywhere = law.*coefficient.everywhere;
    if (everywhere > 0.0) return fmt::format("{} = {}", key, everywhere);
    for (const auto& [surface, value] : law.*coefficient.of_surfaces) {
        if (value > 0.0) return fmt::format("'{}' has {} = {}", surface, key, value);
    }
    for (const auto& [names, said] : law.pairs) {
        const double value = (said.*coefficient.of_pairs).value_or(0.0);
        if (value <= 0.0) continue;
        return fmt::format("the pair '{}' and '{}' has {} = {}", names.first, names.second, key, value);
    }
    return {};
}

/// Sliding or rolling friction, in words; "" when nothing has any.
std::string what_has_friction(const ContactLaw& law) {
    const std::string sliding = what_has(kFriction, law);
    return sliding.empty() ? what_has(kRollingFriction, law) : sliding;
}

/// @throws InputError where friction is given that the law would not apply.
void check_law(const Table& table, const ContactLaw& law) {
    const auto refuse = [&](const char* name, const char* lacks, const std::string& given) {
        if (given.empty()) return;
        fail(table.at("law"), fmt::format("the law \"{}\" has no {}, but {}; choose \"coulomb\", "
                                          "leave 'law' out, or set the coefficient to 0",
                                          name, lacks, given));
    };
    if (law.kind == FrictionLaw::inelastic) refuse("inelastic", "friction", what_has_friction(law));
    if (law.kind == FrictionLaw::coulomb_relaxed) {
        refuse("coulomb_relaxed", "rolling resistance", what_has(kRollingFriction, law));
    }
}

std::optional<double> given(const Table& table, std::string_view key, const Range& range) {
    if (!table.has(key)) return {};
    return table.number(key, range);
}

/// One entry of [[contact.pair]].
void read_pair(const Node& entry, const Context& context, Scene& scene) {
    const Table pair(entry, context, {"between", "restitution", "friction", "rolling_friction"});
    const Node& between = pair.at("between", "expected the names of two groups or walls in [ ]");
    if (to_array(between).size() != 2) {
        fail(between, fmt::format("expected two names, found {}", between.items.size()));
    }
    std::string first = surface_name(between.items[0], context, scene);
    std::string second = surface_name(between.items[1], context, scene);
    if (second < first) std::swap(first, second);
    if (!moves(first, context, scene) && !moves(second, context, scene)) {
        fail(between, fmt::format("'{}' and '{}' never touch: expected at least one group that is not frozen",
                                  first, second));
    }
    const PairOverride said{.restitution = given(pair, "restitution", Range::between(0.0, 1.0)),
                            .friction = given(pair, "friction", kFrictionRange),
                            .rolling_friction = given(pair, "rolling_friction", kFrictionRange)};
    if (!said.restitution && !said.friction && !said.rolling_friction) {
        fail(entry,
             "nothing is said about the pair: expected 'restitution', 'friction' or 'rolling_friction'");
    }
    if (!scene.law.pairs.emplace(std::pair(first, second), said).second) {
        fail(entry, fmt::format("the pair '{}' and '{}' is given twice", first, second));
    }
}

}  // namespace

void read_surface(const Table& table, const std::string& name, Scene& scene) {
    for (const Coefficient& coefficient : {kFriction, kRollingFriction}) {
        if (!table.has(coefficient.key)) continue;
        (scene.law.*coefficient.of_surfaces)[name] = table.number(coefficient.key, kFrictionRange);
    }
}

void read_contact(const Node& root, const Context& context, Scene& scene) {
    const Node& contact = section(root, "contact");
    const Table table(contact, context, {"law", "restitution", "friction", "rolling_friction", "pair"});
    ContactLaw& law = scene.law;
    law.restitution = table.number("restitution", Range::between(0.0, 1.0), law.restitution);
    law.friction = table.number("friction", kFrictionRange, law.friction);
    law.rolling_friction = table.number("rolling_friction", kFrictionRange, law.rolling_friction);
    for (const Node& entry : entries(contact, "pair")) read_pair(entry, context, scene);
    law.kind = table.choice<FrictionLaw>(
        "law",
        {{"inelastic", FrictionLaw::inelastic},
         {"coulomb", FrictionLaw::coulomb},
         {"coulomb_relaxed", FrictionLaw::coulomb_relaxed}},
        what_has_friction(law).empty() ? FrictionLaw::inelastic : FrictionLaw::coulomb);
    check_law(table, law);
}

}  // namespace talus::reading
