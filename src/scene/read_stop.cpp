#include <fmt/format.h>

#include <algorithm>

#include "readers.hpp"

namespace talus::reading {

namespace {

StopOptions::AtRest read_at_rest(const Node& node, const Context& context) {
    const Table table(node, context, {"energy", "time"});
    return {.energy = table.number("energy", Range::positive()),
            .time = table.number("time", Range::positive())};
}

/// The name of a counter or outlet. @throws InputError that lists those there are.
std::string gate_name(const Node& node, const Scene& scene) {
    const std::string& name = to_text(node);
    std::vector<std::string_view> names;
    for (const Counter& counter : scene.counters) names.push_back(counter.name);
    for (const Outlet& outlet : scene.outlets) names.push_back(outlet.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return name;
    const std::string there_is = fmt::format("there is no counter or outlet '{}'", name);
    if (names.empty()) fail(node, there_is + "; declare one with [[counter]] name = \"...\"");
    const std::string near = nearest(name, names);
    fail(node, fmt::format("{}{}; counters and outlets: {}", there_is,
                           near.empty() ? "" : fmt::format("; did you mean '{}'?", near), join(names)));
}

StopOptions::Jammed read_jammed(const Node& node, const Context& context, const Scene& scene) {
    const Table table(node, context, {"counter", "time", "from"});
    StopOptions::Jammed jammed{
        .name = gate_name(table.at("counter", "expected the name of a counter or outlet"), scene),
        .time = table.number("time", Range::positive()),
        .from = {}};
    if (table.has("from")) jammed.from = table.number("from", Range::from(0.0));
    return jammed;
}

}  // namespace

void read_stop(const Node& root, const Context& context, Scene& scene) {
    const Table table(section(root, "stop"), context, {"at_rest", "emptied", "jammed"});
    if (table.has("at_rest")) scene.stop.at_rest = read_at_rest(table.at("at_rest"), context);
    scene.stop.emptied = table.flag("emptied", scene.stop.emptied);
    if (table.has("jammed")) scene.stop.jammed = read_jammed(table.at("jammed"), context, scene);
}

}  // namespace talus::reading
