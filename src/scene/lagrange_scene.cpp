#include "talus/scene/lagrange_scene.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>

#include "lagrange_systems.hpp"
#include "readers.hpp"
#include "scene_tree.hpp"

namespace talus {

namespace {

using lagrange::Quantity;
using lagrange::Vector;
using reading::Choices;
using reading::Context;
using reading::Node;
using reading::Range;
using reading::Table;

/// n numbers in [ ], or a table of names and numbers, where the others are 0.
Vector read_vector(const Node& node, const Context& context, const std::vector<Quantity>& names) {
    Vector values = Vector::Zero(static_cast<Eigen::Index>(names.size()));
    if (node.kind == Node::Kind::table) {
        std::vector<std::string_view> keys;
        for (const Quantity& quantity : names) keys.push_back(quantity.name);
        const Table table(node, context, keys);
        for (std::size_t k = 0; k < names.size(); ++k) {
            values[static_cast<Eigen::Index>(k)] = table.number(names[k].name, Range::any(), 0.0);
        }
        return values;
    }
    const std::vector<Node>& items = reading::to_array(node);
    if (items.size() != names.size()) {
        std::vector<std::string_view> list;
        for (const Quantity& quantity : names) list.push_back(quantity.name);
        reading::fail(node, fmt::format("expected {} numbers ({}), found {}", names.size(),
                                        reading::join(list), items.size()));
    }
    for (std::size_t k = 0; k < items.size(); ++k) {
        values[static_cast<Eigen::Index>(k)] = reading::to_number(items[k], context, Range::any());
    }
    return values;
}

/// Gaps below minus this times the size of the start are no rounding.
constexpr double kTouching = 1e-12;

void check_start(const Node& node, const LagrangeScene& scene) {
    const lagrange::Matrix mass = scene.system->mass(scene.start.q);
    if (!mass.allFinite() || !mass.isApprox(mass.transpose()) ||
        Eigen::LLT<lagrange::Matrix>(mass).info() != Eigen::Success) {
        reading::fail(node, "the mass matrix is not symmetric positive definite at the start");
    }
    if (!scene.system->force(0.0, scene.start.q, scene.start.v).allFinite()) {
        reading::fail(node, "the force is not finite at the start");
    }
    const Vector gaps = scene.system->gaps(0.0, scene.start.q);
    const std::vector<Quantity> names = scene.system->constraints();
    const double least = -kTouching * (1.0 + scene.start.q.cwiseAbs().maxCoeff());
    for (Eigen::Index a = 0; a < gaps.size(); ++a) {
        if (gaps[a] >= least) continue;
        const Quantity& name = names[static_cast<std::size_t>(a)];
        reading::fail(node, fmt::format("the gap '{}' is {:.6g}{}{} at the start; expected one >= 0",
                                        name.name, gaps[a], name.unit.empty() ? "" : " ", name.unit));
    }
}

void read_start(const Node& root, const Context& context, LagrangeScene& scene) {
    const std::vector<Quantity> names = scene.system->coordinates();
    const Node* found = root.find("start");
    if (found == nullptr) {
        reading::fail(root, "section [start] is missing: expected q = (coordinates) and v = (velocities)");
    }
    const Table table(*found, context, {"q", "v"});
    scene.start.q = read_vector(table.at("q", "expected the coordinates at t = 0"), context, names);
    scene.start.v = Vector::Zero(scene.start.q.size());
    if (table.has("v")) scene.start.v = read_vector(table.at("v"), context, names);
    check_start(table.at("q"), scene);
}

Choices<lagrange::SchemeKind> scheme_choices() {
    Choices<lagrange::SchemeKind> choices;
    for (const lagrange::SchemeName& scheme : lagrange::kSchemeNames) {
        choices.emplace_back(scheme.name, scheme.kind);
    }
    return choices;
}

void read_scheme(const Node& root, const Context& context, LagrangeScene& scene) {
    const Table table(reading::section(root, "scheme"), context,
                      {"kind", "restitution", "theta", "metric", "first_step", "tolerance", "max_step"});
    using lagrange::FirstStep;
    using lagrange::ProjectionMetric;
    scene.scheme = table.choice<lagrange::SchemeKind>("kind", scheme_choices(), scene.scheme);
    lagrange::SchemeOptions& options = scene.options;
    if (const Node* e = table.find("restitution")) {
        options.restitution = e->kind == Node::Kind::array
                                  ? table.numbers("restitution", Range::between(0.0, 1.0), 1)
                                  : std::vector{table.number("restitution", Range::between(0.0, 1.0))};
        reading::located(*e, [&] { return expanded(options.restitution, *scene.system); });
    }
    options.theta = table.number("theta", Range::between(0.5, 1.0), options.theta);
    options.metric = table.choice<ProjectionMetric>(
        "metric", {{"geodesic", ProjectionMetric::geodesic}, {"frozen", ProjectionMetric::frozen}},
        options.metric);
    options.first_step = table.choice<FirstStep>(
        "first_step", {{"with_force", FirstStep::with_force}, {"free_velocity", FirstStep::free_velocity}},
        options.first_step);
    options.tolerance = table.number("tolerance", Range::inside(0.0, 1.0), options.tolerance);
    options.max_step = table.number("max_step", Range::positive(), options.max_step);
}

/// The step and the end of the run, as scenes of particles have them.
void read_times(const Node& root, Context& context, LagrangeScene& scene) {
    Scene times;
    reading::read_time(root, context, times);
    scene.step = times.step.time_step;
    scene.end = times.end;
    const Table table(reading::section(root, "output"), context, {"every", "series_every"});
    scene.every = table.number("every", Range::from(0.0), 0.0);
    scene.series_every = table.number("series_every", Range::from(0.0), 0.0);
}

}  // namespace

bool is_lagrange_scene(const std::string& path, const std::vector<std::string>& settings) {
    return reading::read_tree(path, settings).root.find("system") != nullptr;
}

LagrangeScene read_lagrange_scene(const std::string& path, const std::vector<std::string>& settings) {
    const reading::SceneTree tree = reading::read_tree(path, settings);
    const Node* system = tree.root.find("system");
    if (system == nullptr) {
        reading::fail(tree.root,
                      "section [system] is missing: expected kind = (a system in generalized coordinates); a "
                      "scene of particles is for talus run");
    }
    Context context;
    const Table sections(tree.root, context, {"parameters", "system", "start", "time", "scheme", "output"});
    context.parameters = reading::Parameters(reading::section(tree.root, "parameters"));
    LagrangeScene scene;
    scene.path = path;
    scene.text = tree.text;
    read_times(tree.root, context, scene);
    scene.system = reading::read_system(*system, context, scene.system_kind);
    read_start(tree.root, context, scene);
    read_scheme(tree.root, context, scene);
    return scene;
}

}  // namespace talus
