#include <fmt/format.h>

#include <cmath>

#include "readers.hpp"

namespace talus::reading {

namespace {

struct Span {
    double begin, end;
};

Span read_span(const Table& table) {
    const Span span = {table.number("begin", Range::any(), 0.0),
                       table.number("end", Range::unbounded(), kForever)};
    if (!(span.end > span.begin)) {
        fail(table.at("end"),
             fmt::format("expected a time after begin = {}, found {}", span.begin, span.end));
    }
    return span;
}

Schedule read_table(const Table& table, const Range& range) {
    std::vector<double> times = table.numbers("times", Range::any(), 1);
    std::vector<double> values = table.numbers("values", range, 1);
    if (times.size() != values.size()) {
        fail(table.at("values"),
             fmt::format("expected as many values as times ({}), found {}", times.size(), values.size()));
    }
    for (std::size_t i = 1; i < times.size(); ++i) {
        if (times[i] <= times[i - 1]) fail(table.at("times").items[i], "expected times that increase");
    }
    return Schedule::table(std::move(times), std::move(values));
}

}  // namespace

Schedule read_schedule(const Node& node, const Context& context, const Range& range) {
    if (node.kind != Node::Kind::table) return Schedule::constant(to_number(node, context, range));
    const std::string& kind = kind_of(node, {"constant", "ramp", "exponential", "sine", "table"});
    if (kind == "constant")
        return Schedule::constant(Table(node, context, {"kind", "value"}).number("value", range));
    if (kind == "table") return read_table(Table(node, context, {"kind", "times", "values"}), range);
    if (kind == "sine") {
        const Table table(node, context, {"kind", "value", "amplitude", "frequency", "phase", "begin"});
        return Schedule::sine(
            table.number("value", range, range.contains(0.0) ? 0.0 : 1.0),
            table.number("amplitude", Range::any()), table.number("frequency", Range::positive()),
            table.number("phase", Range::any(), 0.0), table.number("begin", Range::any(), 0.0));
    }
    const Table table(node, context, {"kind", "value", "rate", "begin", "end"});
    // Radii start from their own size, everything else from rest; an exponential can not start from zero.
    const bool ramp = kind == "ramp";
    const double value = table.number("value", range, ramp && range.contains(0.0) ? 0.0 : 1.0);
    if (!ramp && value == 0.0) {
        fail(table.at("value"), "an exponential that starts from 0 stays 0; expected another value");
    }
    const double rate = table.number("rate", Range::any());
    const Span span = read_span(table);
    return ramp ? Schedule::ramp(value, rate, span.begin, span.end)
                : Schedule::exponential(value, rate, span.begin, span.end);
}

void check_course(const Node& node, const Schedule& schedule, const Context& context, double most,
                  const char* what, const char* unit) {
    const double low = schedule.minimum(0.0, context.end), high = schedule.maximum(0.0, context.end);
    if (low >= -most && high <= most) return;
    fail(node, fmt::format("{} reaches {:g} {unit} during the run; expected at most {:g} {unit}", what,
                           -low > high ? low : high, most, fmt::arg("unit", unit)));
}

}  // namespace talus::reading
