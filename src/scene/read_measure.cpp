#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "readers.hpp"

namespace talus::reading {

namespace {

/// A direction across the axis when its cosine is less.
constexpr double kAcross = 1e-9;

const Range kFraction = {.low = 0.0, .high = 1.0, .low_open = true};

Region read_region_measure(const Node& node, const Context& context, const HopperSpaces& hoppers) {
    const Table table(node, context, {"name", "kind", "region"});
    return read_region(
        table.at("region", "expected { kind = \"box\", low = ..., high = ... } or another region"), context,
        hoppers);
}

Front read_front(const Node& node, const Context& context) {
    const Table table(node, context, {"name", "kind", "point", "axis", "direction", "fraction"});
    const bool both = table.has("axis") && table.has("direction");
    const bool none = !table.has("axis") && !table.has("direction");
    if (both) fail(table.at("axis"), "give 'direction' or 'axis', not both");
    if (none) fail(node, "'direction', or 'axis' for the distance from a line, is missing");
    Front front;
    front.outward.radial = table.has("axis");
    front.outward.axis = table.direction(front.outward.radial ? "axis" : "direction");
    front.outward.point = table.vector("point", Vec3::Zero());
    front.fraction = table.number("fraction", kFraction, front.fraction);
    return front;
}

HeapHeight read_height(const Node& node, const Context& context) {
    const Table table(node, context, {"name", "kind", "point", "axis", "radius", "fraction"});
    HeapHeight height;
    height.point = table.vector("point", Vec3::Zero());
    height.up = table.direction("axis", upwards(context));
    height.radius = table.number("radius", Range::positive(), height.radius);
    height.fraction = table.number("fraction", kFraction, height.fraction);
    return height;
}

Repose read_repose(const Node& node, const Context& context) {
    const Table table(node, context, {"name", "kind", "point", "axis", "direction", "bin", "low", "high"});
    Repose repose;
    repose.up = table.direction("axis", upwards(context));
    repose.outward = {!table.has("direction"), table.vector("point", Vec3::Zero()),
                      table.direction("direction", repose.up)};
    if (!repose.outward.radial && std::abs(repose.outward.axis.dot(repose.up)) > kAcross) {
        fail(table.at("direction"), "expected a direction at right angles to 'axis', which is upwards");
    }
    repose.bin = table.number("bin", Range::positive(), repose.bin);
    repose.low = table.number("low", Range::between(0.0, 1.0), repose.low);
    repose.high = table.number("high", Range::between(0.0, 1.0), repose.high);
    if (!(repose.low < repose.high)) {
        fail(node, fmt::format("expected low < high, found {} and {}", repose.low, repose.high));
    }
    return repose;
}

decltype(Measure::what) read_what(const Node& node, const Context& context, const HopperSpaces& hoppers) {
    const std::string& kind = kind_of(node, {"region", "front", "height", "repose"});
    if (kind == "region") return read_region_measure(node, context, hoppers);
    if (kind == "front") return read_front(node, context);
    if (kind == "height") return read_height(node, context);
    return read_repose(node, context);
}

/// Names that differ can make the same column: "a b" and "a_b".
void check_columns(const Node& node, const Measure& measure, const Scene& scene) {
    std::vector<std::string> taken = {"coordination_no_rattlers"};  // of all particles
    for (const Measure& other : scene.measures) {
        const std::vector<std::string> columns = measure_columns(other, scene.dimension);
        taken.insert(taken.end(), columns.begin(), columns.end());
    }
    for (const std::string& column : measure_columns(measure, scene.dimension)) {
        if (std::find(taken.begin(), taken.end(), column) == taken.end()) continue;
        const Node* name = node.find("name");
        fail(name == nullptr ? node : *name,
             fmt::format(
                 "the name '{}' makes a column {} of series.csv, which there is already; choose another",
                 measure.name, column));
    }
}

}  // namespace

void read_measures(const Node& root, const Context& context, const HopperSpaces& hoppers, Scene& scene) {
    for (const Node& entry : entries(root, "measure")) {
        Measure measure;
        measure.what = read_what(entry, context, hoppers);
        measure.name = unique_name(entry, "measure", scene.measures);
        check_columns(entry, measure, scene);
        scene.measures.push_back(measure);
    }
}

}  // namespace talus::reading
