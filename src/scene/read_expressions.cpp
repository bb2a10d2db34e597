#include <fmt/format.h>

#include "expression_system.hpp"
#include "lagrange_systems.hpp"

namespace talus::reading {

namespace {

/// "x", or { name = "x", unit = "m" }.
lagrange::Quantity read_quantity(const Node& node, const Context& context) {
    if (node.kind != Node::Kind::table) return {to_text(node), ""};
    const Table table(node, context, {"name", "unit"});
    return {table.text("name"), table.text("unit", "")};
}

std::vector<const Node*> formulas(const Node& node, std::size_t count, const char* one_each) {
    std::vector<const Node*> list;
    for (const Node& item : to_array(node)) list.push_back(&item);
    if (list.size() != count) {
        fail(node, fmt::format("expected {} formulas, {}, found {}", count, one_each, list.size()));
    }
    return list;
}

/// One formula for a coordinate, or the rows of the whole matrix.
std::vector<const Node*> read_mass(const Node& node, std::size_t n) {
    const std::vector<Node>& items = to_array(node);
    const bool rows = !items.empty() && items.front().kind == Node::Kind::array;
    if (!rows) return formulas(node, n, "one a coordinate (or as many rows)");
    std::vector<const Node*> all;
    const std::vector<const Node*> lines = formulas(node, n, "one row a coordinate");
    for (const Node* line : lines) {
        for (const Node* item : formulas(*line, n, "one a coordinate")) all.push_back(item);
    }
    return all;
}

void read_constraints(const Node& node, ExpressionSpec& spec) {
    if (node.kind != Node::Kind::table) {
        fail(node,
             fmt::format("expected a table of names and formulas, such as {{ floor = \"y\" }}, found {}",
                         node.describe()));
    }
    for (const auto& [name, formula] : node.members) {
        spec.constraint_names.push_back({name, ""});
        spec.constraints.push_back(&formula);
    }
}

}  // namespace

std::unique_ptr<lagrange::MechanicalSystem> read_expressions(const Node& node, const Context& context) {
    const Table table(
        node, context,
        {"kind", "coordinates", "mass", "potential", "force", "damping", "constraints", "point"});
    ExpressionSpec spec;
    const Node& names = table.at("coordinates", "expected their names, such as [\"x\", \"y\"]");
    for (const Node& item : to_array(names, 1)) spec.coordinates.push_back(read_quantity(item, context));
    const std::size_t n = spec.coordinates.size();
    spec.mass = read_mass(table.at("mass", "expected formulas of the mass matrix"), n);
    spec.potential = table.find("potential");
    if (const Node* force = table.find("force")) {
        if (spec.potential != nullptr) fail(*force, "give 'potential' or 'force', not both");
        spec.force = formulas(*force, n, "one a coordinate");
    }
    if (table.has("damping") && spec.potential == nullptr) {
        fail(table.at("damping"), "'damping' goes with a 'potential'; put it into 'force'");
    }
    spec.damping = table.number("damping", Range::from(0.0), 0.0);
    if (const Node* constraints = table.find("constraints")) read_constraints(*constraints, spec);
    if (const Node* point = table.find("point")) {
        const std::size_t count = to_array(*point).size() == 2 ? 2 : 3;
        spec.point = formulas(*point, count, "x, y and z of a point to draw");
    }
    try {
        return make_expression_system(spec, context.parameters);
    } catch (const std::invalid_argument& error) {
        fail(names, error.what());
    }
}

}  // namespace talus::reading
