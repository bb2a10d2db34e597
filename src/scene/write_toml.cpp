#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "node.hpp"

namespace talus::reading {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += fmt::format("\\{}", c);
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
    return result + "\"";
}

std::string key_text(const std::string& key) {
    const bool bare = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-';
    });
    return bare ? key : quoted(key);
}

std::string value_text(const Node& node) {
    std::vector<std::string> parts;
    switch (node.kind) {
        case Node::Kind::boolean:
            return node.boolean ? "true" : "false";
        case Node::Kind::integer:
            return fmt::format("{}", node.integer);
        case Node::Kind::number:
            return fmt::format("{}", node.number);
        case Node::Kind::text:
            return quoted(node.text);
        case Node::Kind::date:
            return node.text;
        case Node::Kind::array:
            for (const Node& item : node.items) parts.push_back(value_text(item));
            return fmt::format("[{}]", fmt::join(parts, ", "));
        case Node::Kind::table:
            for (const auto& [name, member] : node.members) {
                parts.push_back(key_text(name) + " = " + value_text(member));
            }
            return fmt::format("{{ {} }}", fmt::join(parts, ", "));
    }
    return {};
}

bool is_array_of_tables(const Node& node) {
    return node.kind == Node::Kind::array && !node.items.empty() &&
           std::all_of(node.items.begin(), node.items.end(),
                       [](const Node& item) { return item.kind == Node::Kind::table; });
}

std::string members_text(const Node& table) {
    std::string text;
    for (const auto& [name, member] : table.members) {
        text += fmt::format("{} = {}\n", key_text(name), value_text(member));
    }
    return text;
}

std::string tables_text(const std::string& name, const std::vector<Node>& items) {
    std::string text;
    for (const Node& item : items) text += fmt::format("\n[[{}]]\n{}", key_text(name), members_text(item));
    return text;
}

}  // namespace

std::string write_toml(const Node& root) {
    std::string values, tables;
    for (const auto& [name, member] : root.members) {
        if (member.kind == Node::Kind::table) {
            tables += fmt::format("\n[{}]\n{}", key_text(name), members_text(member));
        } else if (is_array_of_tables(member)) {
            tables += tables_text(name, member.items);
        } else {
            values += fmt::format("{} = {}\n", key_text(name), value_text(member));
        }
    }
    return values + tables;
}

}  // namespace talus::reading
