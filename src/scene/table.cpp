#include "table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "talus/core/text.hpp"
#include "talus/scene/scene.hpp"

namespace talus::reading {

namespace {

void check_is_table(const Node& node) {
    if (node.kind != Node::Kind::table)
        fail(node, fmt::format("expected a table, found {}", node.describe()));
}

/// What the command line gives below a key that the file does not have: ".every" for --set outptu.every=1.
std::string rest_of_setting(const Node& member) {
    if (member.place.file != command_line || member.members.size() != 1) return {};
    return "." + member.members.front().name + rest_of_setting(member.members.front().value);
}

[[noreturn]] void fail_unknown_key(const Node& member, const std::string& name,
                                   const std::vector<std::string_view>& keys) {
    const std::string near = nearest(name, keys);
    const std::string rest = rest_of_setting(member);
    if (!near.empty()) {
        fail(member, fmt::format("unknown key '{}'; did you mean '{}{}'?", name, near, rest));
    }
    fail(member, fmt::format("unknown key '{}'; keys here: {}", name, join(keys)));
}

/// What the range does not say: that a number is beyond what can be computed with.
std::string beyond_bounds(double value) {
    if (std::abs(value) > kLargestNumber) return fmt::format("; the largest number is {:g}", kLargestNumber);
    if (value > 0.0 && value < kSmallestNumber) return fmt::format("; the smallest is {:g}", kSmallestNumber);
    return {};
}

}  // namespace

bool Range::contains(double value) const {
    if (std::isnan(value)) return false;
    if (std::isinf(value) ? !infinite : std::abs(value) > kLargestNumber) return false;
    return (low_open ? value > low : value >= low) && (high_open ? value < high : value <= high);
}

std::string Range::describe() const {
    if (low == kSmallestNumber) return "a number > 0";
    if (std::isinf(low) && std::isinf(high)) return infinite ? "a number or inf" : "a finite number";
    if (std::isinf(high)) return fmt::format("a number {} {}", low_open ? ">" : ">=", low);
    return fmt::format("a number {} {} and {} {}", low_open ? ">" : ">=", low, high_open ? "<" : "<=", high);
}

double to_number(const Node& node, const Context& context, const Range& range) {
    double value = 0.0;
    if (node.kind == Node::Kind::number) {
        value = node.number;
    } else if (node.kind == Node::Kind::integer) {
        value = static_cast<double>(node.integer);
    } else if (node.kind == Node::Kind::text) {
        value = context.parameters.evaluate(node);
    } else {
        fail(node, fmt::format("expected {}, found {}", range.describe(), node.describe()));
    }
    if (!range.contains(value)) {
        const std::string formula = node.kind == Node::Kind::text ? " = \"" + node.text + "\"" : "";
        fail(node, fmt::format("expected {}, found {}{}{}", range.describe(), value, formula,
                               beyond_bounds(value)));
    }
    return value;
}

std::int64_t to_integer(const Node& node, const Context& context, std::int64_t low, std::int64_t high) {
    std::int64_t value = node.integer;
    if (node.kind != Node::Kind::integer) {
        // Whole numbers up to here are exact in a double.
        constexpr double exact = 9007199254740992.0;
        const double real = to_number(node, context, Range::any());
        if (std::abs(real) > exact || real != std::floor(real)) {
            fail(node, fmt::format("expected a whole number, found {}", real));
        }
        value = static_cast<std::int64_t>(real);
    }
    if (value < low || value > high) {
        const std::string bounds = high == std::numeric_limits<std::int64_t>::max()
                                       ? fmt::format(">= {}", low)
                                       : fmt::format(">= {} and <= {}", low, high);
        fail(node, fmt::format("expected a whole number {}, found {}", bounds, value));
    }
    return value;
}

const std::vector<Node>& to_array(const Node& node, std::size_t least) {
    if (node.kind != Node::Kind::array) {
        fail(node, fmt::format("expected an array in [ ], found {}", node.describe()));
    }
    if (node.items.size() < least) {
        fail(node,
             fmt::format("expected at least {}, found {}",
                         counted(static_cast<std::int64_t>(least), "entry", "entries"), node.items.size()));
    }
    return node.items;
}

Vec3 to_vector(const Node& node, const Context& context, const Range& range) {
    const auto count = static_cast<std::size_t>(context.dimension);
    const std::vector<Node>& items = to_array(node);
    if (items.size() != count) {
        const bool commas = items.size() == 2 * count;
        fail(node, fmt::format("expected {0} numbers (dimension = {0}), found {1}{2}", count, items.size(),
                               commas ? "; numbers are written with a decimal point: 0.5, not 0,5" : ""));
    }
    Vec3 result = Vec3::Zero();
    for (std::size_t k = 0; k < count; ++k)
        result[static_cast<Index>(k)] = to_number(items[k], context, range);
    return result;
}

const std::string& to_text(const Node& node) {
    if (node.kind != Node::Kind::text) fail(node, fmt::format("expected a text, found {}", node.describe()));
    return node.text;
}

const std::string& kind_of(const Node& node, const std::vector<std::string_view>& kinds) {
    check_is_table(node);
    const Node* kind = node.find("kind");
    if (kind == nullptr) {
        for (const auto& [name, member] : node.members) {
            if (nearest(name, {"kind"}) == "kind") fail_unknown_key(member, name, {"kind"});
        }
        fail(node, fmt::format("'kind' is missing; kinds: {}", join(kinds)));
    }
    const std::string& text = to_text(*kind);
    if (std::find(kinds.begin(), kinds.end(), text) == kinds.end()) {
        const std::string near = nearest(text, kinds);
        fail(*kind, fmt::format("unknown kind '{}'{}; kinds: {}", text,
                                near.empty() ? "" : fmt::format("; did you mean '{}'?", near), join(kinds)));
    }
    return text;
}

Table::Table(const Node& node, const Context& context, std::vector<std::string_view> keys)
    : node_(node), context_(context), keys_(std::move(keys)) {
    check_is_table(node);
    for (const auto& [name, member] : node.members) {
        if (std::find(keys_.begin(), keys_.end(), name) == keys_.end()) fail_unknown_key(member, name, keys_);
    }
}

const Node* Table::find(std::string_view key) const {
    if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) {
        throw std::logic_error(fmt::format("scene reader: key '{}' is read but not declared", key));
    }
    return node_.find(key);
}

const Node& Table::at(std::string_view key, std::string_view hint) const {
    const Node* found = find(key);
    if (found == nullptr) {
        fail(node_, fmt::format("'{}' is missing{}{}", key, hint.empty() ? "" : ": ", hint));
    }
    return *found;
}

double Table::number(std::string_view key, const Range& range) const {
    return to_number(at(key, "expected " + range.describe()), context_, range);
}

double Table::number(std::string_view key, const Range& range, double fallback) const {
    return has(key) ? number(key, range) : fallback;
}

std::int64_t Table::integer(std::string_view key, std::int64_t low, std::int64_t high) const {
    return to_integer(at(key, "expected a whole number"), context_, low, high);
}

std::int64_t Table::integer(std::string_view key, std::int64_t low, std::int64_t high,
                            std::int64_t fallback) const {
    return has(key) ? integer(key, low, high) : fallback;
}

bool Table::flag(std::string_view key, bool fallback) const {
    const Node* found = find(key);
    if (found == nullptr) return fallback;
    if (found->kind != Node::Kind::boolean) {
        fail(*found, fmt::format("expected true or false, found {}", found->describe()));
    }
    return found->boolean;
}

std::string Table::text(std::string_view key) const {
    return to_text(at(key, "expected a text"));
}

std::string Table::text(std::string_view key, const std::string& fallback) const {
    return has(key) ? text(key) : fallback;
}

Vec3 Table::vector(std::string_view key, const Range& range) const {
    return to_vector(at(key, fmt::format("expected {} numbers in [ ]", context_.dimension)), context_, range);
}

Vec3 Table::vector(std::string_view key, const Vec3& fallback, const Range& range) const {
    return has(key) ? vector(key, range) : fallback;
}

Vec3 Table::direction(std::string_view key) const {
    const Vec3 given = vector(key);
    const double length = given.stableNorm();
    if (length < std::numeric_limits<double>::min())
        fail(at(key), "expected a direction, found a zero vector");
    return (given / length).normalized();
}

Vec3 Table::direction(std::string_view key, const Vec3& fallback) const {
    return has(key) ? direction(key) : fallback;
}

std::vector<Vec3> Table::vectors(std::string_view key, std::size_t least) const {
    std::vector<Vec3> result;
    for (const Node& item : to_array(at(key, "expected an array of points"), least)) {
        result.push_back(to_vector(item, context_));
    }
    return result;
}

std::vector<double> Table::numbers(std::string_view key, const Range& range, std::size_t least) const {
    std::vector<double> result;
    for (const Node& item : to_array(at(key, "expected an array of numbers"), least)) {
        result.push_back(to_number(item, context_, range));
    }
    return result;
}

std::int32_t Table::group(std::string_view key) const {
    const Node* found = find(key);
    if (found == nullptr) return 0;
    const auto known = context_.groups.find(to_text(*found));
    if (known != context_.groups.end()) return known->second;
    std::vector<std::string_view> names;
    for (const auto& [name, index] : context_.groups) names.push_back(name);
    fail(*found, fmt::format("there is no group '{}'; groups: {} (declare one with [[group]] name = \"...\")",
                             found->text, join(names)));
}

std::uint64_t Table::seed() const {
    return static_cast<std::uint64_t>(integer("seed", 0, std::numeric_limits<std::int64_t>::max(), 0));
}

void Table::fail_choice(const Node& node, const std::vector<std::string_view>& names) {
    if (node.kind != Node::Kind::text) {
        fail(node, fmt::format("expected one of {}, found {}", join(names), node.describe()));
    }
    const std::string near = nearest(node.text, names);
    fail(node, fmt::format("unknown '{}'{}; valid: {}", node.text,
                           near.empty() ? "" : fmt::format("; did you mean '{}'?", near), join(names)));
}

}  // namespace talus::reading
