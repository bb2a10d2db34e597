#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "readers.hpp"

namespace talus::reading {

namespace {

/// Particles of an inlet grow with their group: at any time that it is open its region must hold the largest.
void check_width(const Node& region, const Inlet& inlet, const Schedule& scale, const Context& context) {
    const double opens = std::clamp(inlet.from, 0.0, context.end);
    const double closes = std::clamp(inlet.until, opens, context.end);
    const double largest = 2.0 * inlet.radius.largest() * scale.maximum(opens, closes);
    const Box box = inlet.region.bounds();
    const double width = (box.high - box.low).head(context.dimension).minCoeff();
    if (width >= largest) return;
    fail(region, fmt::format("the region is {:.6g} m wide, too small for the largest particle of the inlet, "
                             "of diameter {:.6g} m{}",
                             width, largest, scale.is_constant() ? "" : " when its group has grown"));
}

void read_inlet(const Node& node, const Context& context, const HopperSpaces& hoppers, Scene& scene) {
    const Table table(node, context,
                      {"name", "region", "radius", "density", "velocity", "group", "rate", "count", "from",
                       "until", "seed"});
    Inlet inlet;
    inlet.name = unique_name(node, "inlet", scene.inlets);
    inlet.region = read_region(table.at("region"), context, hoppers);
    inlet.radius = read_radius(table.at("radius"), context);
    inlet.density = table.number("density", Range::positive());
    for (const double radius : {inlet.radius.smallest(), inlet.radius.largest()}) {
        const double mass = particle_mass(inlet.density, radius, context.dimension);
        if (!Range::positive().contains(mass)) {
            fail(table.at("density"),
                 fmt::format("density {} and radius {} give the mass {} kg, which can not be "
                             "computed with",
                             inlet.density, radius, mass));
        }
    }
    inlet.velocity = table.vector("velocity", Vec3::Zero());
    inlet.group = table.group();
    if (scene.groups[static_cast<std::size_t>(inlet.group)].frozen) {
        fail(table.at("group"),
             "particles of a frozen group never leave the inlet; choose a group that moves");
    }
    inlet.rate = table.number("rate", Range::from(0.0), inlet.rate);
    inlet.count = table.integer("count", 0, std::numeric_limits<std::int64_t>::max(), inlet.count);
    inlet.from = table.number("from", Range::any(), inlet.from);
    inlet.until = table.number("until", Range::unbounded(), inlet.until);
    if (!(inlet.until > inlet.from)) {
        fail(table.at("until"),
             fmt::format("expected a time after from = {}, found {}", inlet.from, inlet.until));
    }
    check_width(table.at("region"), inlet, scene.groups[static_cast<std::size_t>(inlet.group)].radius_scale,
                context);
    inlet.seed = table.seed();
    inlet.entry = source_entry(node);
    scene.inlets.push_back(inlet);
}

void read_outlet(const Node& node, const Context& context, Scene& scene) {
    const Table table(node, context, {"name", "low", "high"});
    Outlet outlet;
    outlet.name = unique_name(node, "outlet", scene.outlets);
    outlet.low.setConstant(-kForever);
    outlet.high.setConstant(kForever);
    if (!table.has("low") && !table.has("high")) {
        fail(node, "'low' and 'high' are missing: give at least one corner; inf and -inf leave a side open");
    }
    const Vec3 low = table.vector("low", outlet.low, Range::unbounded());
    const Vec3 high = table.vector("high", outlet.high, Range::unbounded());
    for (Index k = 0; k < static_cast<Index>(context.dimension); ++k) {
        outlet.low[k] = low[k];
        outlet.high[k] = high[k];
        if (outlet.low[k] < outlet.high[k]) continue;
        fail(node, fmt::format("expected low < high along {}, found {} and {}", "xyz"[k], outlet.low[k],
                               outlet.high[k]));
    }
    scene.outlets.push_back(outlet);
}

void read_counter(const Node& node, const Context& context, Scene& scene) {
    const Table table(node, context, {"name", "point", "normal"});
    Counter counter;
    counter.name = unique_name(node, "counter", scene.counters);
    counter.point = table.vector("point");
    counter.normal = table.direction("normal");
    scene.counters.push_back(counter);
}

}  // namespace

void read_flow(const Node& root, const Context& context, const HopperSpaces& hoppers, Scene& scene) {
    for (const Node& entry : entries(root, "inlet")) read_inlet(entry, context, hoppers, scene);
    for (const Node& entry : entries(root, "outlet")) read_outlet(entry, context, scene);
    for (const Node& entry : entries(root, "counter")) read_counter(entry, context, scene);
}

}  // namespace talus::reading
