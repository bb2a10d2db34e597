#include "lagrange_systems.hpp"

#include <array>
#include <utility>

#include "readers.hpp"
#include "talus/lagrange/systems/ball_in_moving_box.hpp"
#include "talus/lagrange/systems/bead_chain.hpp"
#include "talus/lagrange/systems/bead_in_parabola.hpp"
#include "talus/lagrange/systems/bead_in_wedge.hpp"
#include "talus/lagrange/systems/beam_between_stops.hpp"
#include "talus/lagrange/systems/body_on_floor.hpp"
#include "talus/lagrange/systems/bouncing_ball.hpp"
#include "talus/lagrange/systems/linkage.hpp"
#include "talus/lagrange/systems/oscillator_with_stop.hpp"
#include "talus/lagrange/systems/pendulum_at_wall.hpp"
#include "talus/lagrange/systems/point_in_ellipse.hpp"
#include "talus/lagrange/systems/sphere_assembly.hpp"

namespace talus::reading {

namespace {

using System = std::unique_ptr<lagrange::MechanicalSystem>;

/// A number of the table and where it goes.
struct Parameter {
    std::string_view key;
    double* value;
};

/// The section's numbers, each optional; bounds are those of the system itself.
Table read_numbers(const Node& node, const Context& context, const std::vector<Parameter>& parameters,
                   std::vector<std::string_view> other_keys = {}) {
    other_keys.push_back("kind");
    for (const Parameter& parameter : parameters) other_keys.push_back(parameter.key);
    Table table(node, context, std::move(other_keys));
    for (const auto& [key, value] : parameters) *value = table.number(key, Range::any(), *value);
    return table;
}

System bouncing_ball(const Node& node, const Context& context) {
    lagrange::BouncingBallParameters p;
    read_numbers(node, context, {{"mass", &p.mass}, {"gravity", &p.gravity}});
    return std::make_unique<lagrange::BouncingBall>(p);
}

System moving_box(const Node& node, const Context& context) {
    lagrange::MovingBoxParameters p;
    read_numbers(node, context,
                 {{"mass", &p.mass},
                  {"width", &p.width},
                  {"amplitude", &p.amplitude},
                  {"angular_frequency", &p.frequency}});
    return std::make_unique<lagrange::BallInMovingBox>(p);
}

System oscillator(const Node& node, const Context& context) {
    lagrange::OscillatorParameters p;
    read_numbers(
        node, context,
        {{"mass", &p.mass}, {"stiffness", &p.stiffness}, {"damping", &p.damping}, {"stop", &p.stop}});
    return std::make_unique<lagrange::OscillatorWithStop>(p);
}

System parabola(const Node& node, const Context& context) {
    lagrange::BeadInParabolaParameters p;
    read_numbers(node, context, {{"mass", &p.mass}, {"gravity", &p.gravity}, {"curvature", &p.curvature}});
    return std::make_unique<lagrange::BeadInParabola>(p);
}

System wedge(const Node& node, const Context& context) {
    lagrange::BeadInWedgeParameters p;
    read_numbers(node, context, {{"mass", &p.mass}, {"gravity", &p.gravity}, {"slope", &p.slope}});
    return std::make_unique<lagrange::BeadInWedge>(p);
}

System ellipse(const Node& node, const Context& context) {
    lagrange::PointInEllipseParameters p;
    read_numbers(node, context,
                 {{"mass", &p.mass},
                  {"gravity", &p.gravity},
                  {"half_width", &p.half_width},
                  {"half_height", &p.half_height}});
    return std::make_unique<lagrange::PointInEllipse>(p);
}

System pendulum(const Node& node, const Context& context) {
    lagrange::PendulumParameters p;
    read_numbers(node, context,
                 {{"mass", &p.mass}, {"length", &p.length}, {"gravity", &p.gravity}, {"wall", &p.wall}});
    return std::make_unique<lagrange::PendulumAtWall>(p);
}

System double_pendulum(const Node& node, const Context& context) {
    lagrange::DoublePendulumParameters p;
    read_numbers(node, context,
                 {{"mass1", &p.mass1},
                  {"mass2", &p.mass2},
                  {"length1", &p.length1},
                  {"length2", &p.length2},
                  {"gravity", &p.gravity},
                  {"wall", &p.wall}});
    return std::make_unique<lagrange::Linkage>(lagrange::double_pendulum_at_wall(p));
}

System slider_crank(const Node& node, const Context& context) {
    lagrange::SliderCrankParameters p;
    read_numbers(node, context,
                 {{"crank_mass", &p.crank_mass},
                  {"rod_mass", &p.rod_mass},
                  {"slider_mass", &p.slider_mass},
                  {"crank_inertia", &p.crank_inertia},
                  {"rod_inertia", &p.rod_inertia},
                  {"slider_inertia", &p.slider_inertia},
                  {"crank_length", &p.crank_length},
                  {"rod_length", &p.rod_length},
                  {"slider_length", &p.slider_length},
                  {"slider_height", &p.slider_height},
                  {"clearance", &p.clearance},
                  {"gravity", &p.gravity}});
    return std::make_unique<lagrange::Linkage>(lagrange::slider_crank(p));
}

System falling_rod(const Node& node, const Context& context) {
    double mass = 1.0, length = 1.0, gravity = 9.81;
    read_numbers(node, context, {{"mass", &mass}, {"length", &length}, {"gravity", &gravity}});
    return std::make_unique<lagrange::BodyOnFloor>(lagrange::falling_rod(mass, length, gravity));
}

System rocking_block(const Node& node, const Context& context) {
    double mass = 1.0, width = 0.2, height = 0.6, gravity = 9.81;
    read_numbers(node, context,
                 {{"mass", &mass}, {"width", &width}, {"height", &height}, {"gravity", &gravity}});
    return std::make_unique<lagrange::BodyOnFloor>(lagrange::rocking_block(mass, width, height, gravity));
}

System bead_chain(const Node& node, const Context& context) {
    lagrange::BeadChainParameters p;
    const Table table = read_numbers(node, context, {{"diameter", &p.diameter}, {"gravity", &p.gravity}},
                                     {"masses", "floor"});
    if (table.has("masses")) p.masses = table.numbers("masses", Range::positive(), 2);
    p.floor = table.flag("floor", p.floor);
    return std::make_unique<lagrange::BeadChain>(p);
}

lagrange::SphereWall read_wall(const Node& node, const Context& context) {
    const Table table(node, context, {"normal", "offset"});
    return {table.direction("normal"), table.number("offset", Range::any(), 0.0)};
}

System sphere_assembly(const Node& node, const Context& context) {
    lagrange::SphereAssemblyParameters p;
    const Table table(node, context, {"kind", "masses", "radii", "walls", "gravity"});
    p.masses = table.numbers("masses", Range::positive(), 1);
    p.radii = table.numbers("radii", Range::positive(), 1);
    p.gravity = table.vector("gravity", p.gravity);
    if (table.has("walls")) {
        p.walls.clear();
        for (const Node& wall : to_array(table.at("walls"))) p.walls.push_back(read_wall(wall, context));
    }
    return std::make_unique<lagrange::SphereAssembly>(p);
}

System beam(const Node& node, const Context& context) {
    constexpr int most_elements = 1000;  // dense matrices of twice this size
    lagrange::BeamParameters p;
    const Table table = read_numbers(node, context,
                                     {{"length", &p.length},
                                      {"bending_stiffness", &p.bending_stiffness},
                                      {"line_mass", &p.line_mass},
                                      {"load", &p.load},
                                      {"damping", &p.damping},
                                      {"lower", &p.lower},
                                      {"upper", &p.upper}},
                                     {"elements"});
    p.elements = static_cast<int>(table.integer("elements", 1, most_elements, p.elements));
    return std::make_unique<lagrange::BeamBetweenStops>(p);
}

constexpr std::array<std::pair<std::string_view, System (*)(const Node&, const Context&)>, 15> kKinds = {{
    {"bouncing_ball", bouncing_ball},
    {"ball_in_moving_box", moving_box},
    {"oscillator_with_stop", oscillator},
    {"bead_in_parabola", parabola},
    {"bead_in_wedge", wedge},
    {"point_in_ellipse", ellipse},
    {"pendulum_at_wall", pendulum},
    {"double_pendulum_at_wall", double_pendulum},
    {"slider_crank", slider_crank},
    {"falling_rod", falling_rod},
    {"rocking_block", rocking_block},
    {"bead_chain", bead_chain},
    {"sphere_assembly", sphere_assembly},
    {"beam_between_stops", beam},
    {"expressions", read_expressions},
}};

}  // namespace

System read_system(const Node& node, const Context& context, std::string& kind) {
    std::vector<std::string_view> names;
    for (const auto& [name, read] : kKinds) names.push_back(name);
    kind = kind_of(node, names);
    for (const auto& [name, read] : kKinds) {
        if (name != kind) continue;
        try {
            return read(node, context);
        } catch (const std::invalid_argument& error) {
            fail(node, error.what());
        }
    }
    throw std::logic_error("kind_of gave a kind that is not among those given");
}

}  // namespace talus::reading
