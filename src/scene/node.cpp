#include "node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace talus::reading {

const Node* Node::find(std::string_view name) const {
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const auto& member) { return member.name == name; });
    return found == members.end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view name) {
    return const_cast<Node*>(std::as_const(*this).find(name));
}

std::string Node::describe() const {
    switch (kind) {
        case Kind::boolean:
            return boolean ? "true" : "false";
        case Kind::integer:
            return fmt::format("the number {}", integer);
        case Kind::number:
            return fmt::format("the number {}", number);
        case Kind::text:
            return fmt::format("the text \"{}\"", text);
        case Kind::array:
            return fmt::format("an array of {}", items.size());
        case Kind::table:
            return "a table";
        case Kind::date:
            return "the date or time " + text;
    }
    return {};
}

SourceEntry source_entry(const Node& node) {
    if (node.place.file == command_line) {
        return {SourcePlace{fmt::format("{} {}", command_line, node.key), 0}, ""};
    }
    return {node.place, node.key};
}

void fail(const Node& node, const std::string& message) {
    const SourceEntry entry = source_entry(node);
    throw InputError(entry.place, entry.key, message);
}

void name_tree(Node& node, const std::string& key) {
    node.key = key;
    for (auto& [name, member] : node.members)
        name_tree(member, key.empty() ? name : fmt::format("{}.{}", key, name));
    for (std::size_t i = 0; i < node.items.size(); ++i) {
        name_tree(node.items[i], fmt::format("{}[{}]", key, i));
    }
}

namespace {

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b (Damerau's distance,
/// without edits inside a swap).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

}  // namespace

std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
    // About a third of the letters, and at least one: "plain" finds "plane", "foo" finds nothing.
    std::size_t best = std::max<std::size_t>(1, (name.size() + 1) / 3) + 1;
    std::string_view found;
    for (const std::string_view candidate : candidates) {
        // A name that was cut short.
        if (name.size() > 1 && candidate.starts_with(name)) return std::string(candidate);
        const std::size_t distance = edit_distance(name, candidate);
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return std::string(found);
}

std::string join(const std::vector<std::string_view>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace talus::reading
