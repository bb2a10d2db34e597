#include <fmt/format.h>

#include "readers.hpp"

namespace talus::reading {

namespace {

// Rounding turns a wall that has gone so far by 1e-4 rad to and fro [rad].
constexpr double kLargestAngle = 1e12;

/// Adds the axis of a turning wall: in 2-D always the normal of the plane.
void read_axis(const Table& table, WallMotion& motion) {
    motion.centre = table.vector("centre", Vec3::Zero());
    if (table.context().dimension == 3) motion.axis = table.direction("axis", Vec3::UnitZ());
}

std::vector<std::string_view> with_axis(std::vector<std::string_view> keys, const Context& context) {
    keys.emplace_back("centre");
    if (context.dimension == 3) keys.emplace_back("axis");
    return keys;
}

/// Constant rate between two times.
Schedule read_rate(const Table& table, double rate) {
    const double from = table.number("from", Range::any(), 0.0);
    const double until = table.number("until", Range::unbounded(), kForever);
    if (!(until > from)) {
        fail(table.at("until"), fmt::format("expected a time after from = {}, found {}", from, until));
    }
    return Schedule::ramp(0.0, rate, from, until);
}

Schedule read_swing(const Table& table) {
    return Schedule::sine(0.0, table.number("amplitude", Range::any()),
                          table.number("frequency", Range::positive()),
                          table.number("phase", Range::any(), 0.0));
}

WallMotion read_schedules(const Node& node, const Context& context) {
    const Table table(node, context, with_axis({"kind", "direction", "displacement", "angle"}, context));
    WallMotion motion;
    if (!table.has("displacement") && !table.has("angle")) {
        fail(node, "'displacement' (with 'direction') or 'angle' is missing");
    }
    if (const Node* displacement = table.find("displacement")) {
        motion.direction = table.direction("direction");
        motion.displacement = read_schedule(*displacement, context);
    }
    if (const Node* angle = table.find("angle")) {
        read_axis(table, motion);
        motion.angle = read_schedule(*angle, context);
    }
    return motion;
}

}  // namespace

WallMotion read_motion(const Node& node, const Context& context) {
    const std::string& kind = kind_of(node, {"translate", "rotate", "oscillate", "swing", "schedule"});
    WallMotion motion;
    if (kind == "translate") {
        const Table table(node, context, {"kind", "velocity", "from", "until"});
        motion.direction = table.direction("velocity");
        motion.displacement = read_rate(table, table.vector("velocity").norm());
    } else if (kind == "rotate") {
        const Table table(node, context, with_axis({"kind", "rate", "from", "until"}, context));
        read_axis(table, motion);
        motion.angle = read_rate(table, table.number("rate", Range::any()));
    } else if (kind == "oscillate") {
        const Table table(node, context, {"kind", "direction", "amplitude", "frequency", "phase"});
        motion.direction = table.direction("direction");
        motion.displacement = read_swing(table);
    } else if (kind == "swing") {
        const Table table(node, context, with_axis({"kind", "amplitude", "frequency", "phase"}, context));
        read_axis(table, motion);
        motion.angle = read_swing(table);
    } else {
        motion = read_schedules(node, context);
    }
    check_course(node, motion.displacement, context, kLargestNumber, "the displacement", "m");
    check_course(node, motion.angle, context, kLargestAngle, "the angle", "rad");
    return motion;
}

}  // namespace talus::reading
