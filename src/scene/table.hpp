#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expressions.hpp"
#include "node.hpp"
#include "talus/core/types.hpp"
#include "talus/scene/scene.hpp"

namespace talus::reading {

/// Admissible values of a number, within kLargestNumber.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false, high_open = false;
    bool infinite = false;  ///< inf and -inf are allowed (bounds of regions and times)

    static Range any() { return {}; }
    static Range positive() { return {.low = kSmallestNumber}; }
    static Range from(double low) { return {.low = low}; }
    static Range between(double low, double high) { return {.low = low, .high = high}; }
    static Range inside(double low, double high) {
        return {.low = low, .high = high, .low_open = true, .high_open = true};
    }
    static Range unbounded() { return {.infinite = true}; }

    bool contains(double value) const;
    std::string describe() const;
};

/// What every reader needs to know.
struct Context {
    int dimension = 3;
    double end = 0.0;    ///< of the run [s]
    std::string folder;  ///< of the scene file: relative paths start there
    Parameters parameters;
    std::map<std::string, std::int32_t> groups;  ///< index by name
};

/// Names of an option and what they stand for.
template <class T>
using Choices = std::vector<std::pair<std::string_view, T>>;

/// A table of the file whose keys are known: reads members, checks them, and says what is wrong.
class Table {
public:
    /// @param keys every key that may stand in the table. @throws InputError for any other key.
    Table(const Node& node, const Context& context, std::vector<std::string_view> keys);

    const Node& node() const { return node_; }
    const Context& context() const { return context_; }
    bool has(std::string_view key) const { return find(key) != nullptr; }
    const Node* find(std::string_view key) const;
    /// @throws InputError when the key is missing. @param hint completes "'radius' is missing: ".
    const Node& at(std::string_view key, std::string_view hint = "") const;

    double number(std::string_view key, const Range& range) const;
    double number(std::string_view key, const Range& range, double fallback) const;
    std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high) const;
    std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                         std::int64_t fallback) const;
    bool flag(std::string_view key, bool fallback) const;
    std::string text(std::string_view key) const;
    std::string text(std::string_view key, const std::string& fallback) const;
    /// As many numbers as the scene has dimensions; z = 0 in 2-D.
    Vec3 vector(std::string_view key, const Range& range = Range::any()) const;
    Vec3 vector(std::string_view key, const Vec3& fallback, const Range& range = Range::any()) const;
    /// A vector scaled to length 1. @throws InputError when it has no direction.
    Vec3 direction(std::string_view key) const;
    Vec3 direction(std::string_view key, const Vec3& fallback) const;
    std::vector<Vec3> vectors(std::string_view key, std::size_t least) const;
    std::vector<double> numbers(std::string_view key, const Range& range, std::size_t least) const;
    /// Index of the group with the name given; "default" when there is none.
    std::int32_t group(std::string_view key = "group") const;
    /// A seed: a whole number >= 0.
    std::uint64_t seed() const;

    template <class T>
    T choice(std::string_view key, const Choices<T>& choices) const {
        return choose(at(key), choices);
    }
    template <class T>
    T choice(std::string_view key, const Choices<T>& choices, T fallback) const {
        const Node* found = find(key);
        return found == nullptr ? fallback : choose(*found, choices);
    }

private:
    template <class T>
    static T choose(const Node& node, const Choices<T>& choices) {
        std::vector<std::string_view> names;
        for (const auto& [name, value] : choices) {
            if (node.kind == Node::Kind::text && node.text == name) return value;
            names.push_back(name);
        }
        fail_choice(node, names);
    }
    [[noreturn]] static void fail_choice(const Node& node, const std::vector<std::string_view>& names);

    const Node& node_;
    const Context& context_;
    std::vector<std::string_view> keys_;
};

/// A number, written as one or as a formula. @throws InputError if it is none, not finite or out of range.
double to_number(const Node& node, const Context& context, const Range& range);
std::int64_t to_integer(const Node& node, const Context& context, std::int64_t low, std::int64_t high);
Vec3 to_vector(const Node& node, const Context& context, const Range& range = Range::any());
const std::string& to_text(const Node& node);
/// The entries of an array, at least so many. @throws InputError.
const std::vector<Node>& to_array(const Node& node, std::size_t least = 0);

/// The `kind` of a table, before its other keys are known. @throws InputError.
const std::string& kind_of(const Node& node, const std::vector<std::string_view>& kinds);

}  // namespace talus::reading
