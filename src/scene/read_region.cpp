#include <fmt/format.h>

#include "readers.hpp"

namespace talus::reading {

namespace {

Region read_profile(const Node& node, const Context& context) {
    const Table table(node, context, {"kind", "origin", "axis", "profile"});
    Region region;
    region.kind = Region::Kind::revolved;
    region.origin = table.vector("origin", Vec3::Zero());
    region.axis = table.direction("axis", upwards(context));
    for (const Node& point : to_array(table.at("profile", "expected [[radius, height], ...]"), 2)) {
        if (to_array(point).size() != 2) {
            fail(point, fmt::format("expected [radius, height], found {} numbers", point.items.size()));
        }
        region.profile.emplace_back(to_number(point.items[0], context, Range::from(0.0)),
                                    to_number(point.items[1], context, Range::any()));
    }
    return region;
}

/// The part of a profile between two heights.
std::vector<std::pair<double, double>> clipped(const std::vector<std::pair<double, double>>& profile,
                                               double bottom, double top) {
    std::vector<std::pair<double, double>> result;
    for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
        const auto [r0, h0] = profile[k];
        const auto [r1, h1] = profile[k + 1];
        if (h1 < bottom || h0 > top) continue;
        const auto radius_at = [from = profile[k], to = profile[k + 1]](double height) {
            const double rise = to.second - from.second;
            return rise > 0.0 ? from.first + (to.first - from.first) * (height - from.second) / rise
                              : to.first;
        };
        const double low = std::max(h0, bottom), high = std::min(h1, top);
        const double low_radius = h1 > h0 ? radius_at(low) : r0;
        if (result.empty() || result.back() != std::pair(low_radius, low))
            result.emplace_back(low_radius, low);
        result.emplace_back(radius_at(high), high);
    }
    return result;
}

Region read_hopper_space(const Node& node, const Context& context, const HopperSpaces& hoppers) {
    const Table table(node, context, {"kind", "wall", "bottom", "top"});
    const std::string name = table.text("wall");
    const auto found = hoppers.find(name);
    if (found == hoppers.end()) {
        fail(table.at("wall"),
             fmt::format("there is no wall of kind \"hopper\" named '{}' whose inside is a body of "
                         "revolution (conical or flat; in 2-D also wedge)",
                         name));
    }
    Region region = found->second;
    const double lowest = region.profile.front().second, highest = region.profile.back().second;
    const double bottom = table.number("bottom", Range::between(lowest, highest), lowest);
    const double top = table.number("top", Range::between(lowest, highest), highest);
    if (!(bottom < top))
        fail(table.node(), fmt::format("expected bottom < top, found {} and {}", bottom, top));
    region.profile = clipped(region.profile, bottom, top);
    return region;
}

Region read_box(const Node& node, const Context& context) {
    const Table table(node, context, {"kind", "low", "high"});
    Region region;
    region.low = table.vector("low");
    region.high = table.vector("high");
    return region;
}

Region read_cylinder(const Node& node, const Context& context) {
    const Table table(node, context, {"kind", "base", "axis", "radius", "height"});
    Region region;
    region.kind = Region::Kind::cylinder;
    region.origin = table.vector("base", Vec3::Zero());
    region.axis = table.direction("axis", upwards(context));
    region.radius = table.number("radius", Range::positive());
    region.height = table.number("height", Range::positive());
    return region;
}

Region read_kind(const Node& node, const Context& context, const HopperSpaces& hoppers) {
    const std::string& kind = kind_of(node, {"box", "cylinder", "profile", "hopper"});
    if (kind == "box") return read_box(node, context);
    if (kind == "cylinder") return read_cylinder(node, context);
    if (kind == "profile") return read_profile(node, context);
    return read_hopper_space(node, context, hoppers);
}

}  // namespace

Region read_region(const Node& node, const Context& context, const HopperSpaces& hoppers) {
    const Region region = read_kind(node, context, hoppers);
    located(node, [&] { validate(region, context.dimension); });
    return region;
}

RadiusDistribution read_radius(const Node& node, const Context& context) {
    using Kind = RadiusDistribution::Kind;
    RadiusDistribution law;
    if (node.kind != Node::Kind::table) {
        law.mean = to_number(node, context, Range::positive());
        return law;
    }
    const std::string& kind =
        kind_of(node, {"constant", "uniform", "normal", "log_uniform", "bidisperse", "table"});
    if (kind == "constant") {
        law.mean = Table(node, context, {"kind", "value"}).number("value", Range::positive());
    } else if (kind == "table") {
        const Table table(node, context, {"kind", "radii", "weights"});
        law.kind = Kind::table;
        law.radii = table.numbers("radii", Range::positive(), 1);
        law.weights = table.numbers("weights", Range::from(0.0), 1);
    } else {
        std::vector<std::string_view> keys = {"kind", "low", "high"};
        if (kind == "normal") keys.insert(keys.end(), {"mean", "deviation"});
        if (kind == "bidisperse") keys.emplace_back("high_fraction");
        const Table table(node, context, keys);
        law.low = table.number("low", Range::positive());
        law.high = table.number("high", Range::positive());
        law.kind = kind == "uniform"       ? Kind::uniform
                   : kind == "log_uniform" ? Kind::log_uniform
                                           : Kind::bidisperse;
        if (kind == "bidisperse")
            law.high_fraction = table.number("high_fraction", Range::between(0.0, 1.0), 0.5);
        if (kind == "normal") {
            law.kind = Kind::normal;
            law.mean = table.number("mean", Range::positive());
            law.deviation = table.number("deviation", Range::from(0.0));
        }
    }
    located(node, [&] { validate(law); });
    return law;
}

}  // namespace talus::reading
