#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "node.hpp"

/// The only file that sees the TOML library (a heavy header).
namespace talus::reading {

namespace {

template <class T>
std::string as_text(const T& value) {
    std::ostringstream stream;
    stream.imbue(std::locale::classic());
    stream << value;
    return stream.str();
}

std::uint32_t column_and_line(const toml::node& node, std::uint32_t& line) {
    line = node.source().begin.line;
    return node.source().begin.column;
}

Node convert(const toml::node& source, const std::string& file);

/// The library keeps members sorted by name; users are told about the first mistake in the order of the file.
void convert_members(const toml::table& source, const std::string& file, Node& node) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::string>> order;
    for (const auto& [name, value] : source) {
        std::uint32_t line = 0;
        const std::uint32_t column = column_and_line(value, line);
        order.emplace_back(line, column, std::string(name.str()));
    }
    std::sort(order.begin(), order.end());
    for (const auto& [line, column, name] : order) {
        node.members.emplace_back(name, convert(*source.get(name), file));
    }
}

Node convert(const toml::node& source, const std::string& file) {
    Node node;
    node.place = {file, static_cast<int>(source.source().begin.line)};
    switch (source.type()) {
        case toml::node_type::table:
            convert_members(*source.as_table(), file, node);
            break;
        case toml::node_type::array:
            node.kind = Node::Kind::array;
            for (const toml::node& item : *source.as_array()) node.items.push_back(convert(item, file));
            break;
        case toml::node_type::string:
            node.kind = Node::Kind::text;
            node.text = source.as_string()->get();
            break;
        case toml::node_type::integer:
            node.kind = Node::Kind::integer;
            node.integer = source.as_integer()->get();
            break;
        case toml::node_type::floating_point:
            node.kind = Node::Kind::number;
            node.number = source.as_floating_point()->get();
            break;
        case toml::node_type::boolean:
            node.kind = Node::Kind::boolean;
            node.boolean = source.as_boolean()->get();
            break;
        default:
            node.kind = Node::Kind::date;
            source.visit([&](const auto& value) { node.text = as_text(value); });
    }
    return node;
}

std::string line_of(const std::string& text, std::uint32_t line) {
    std::istringstream stream(text);
    std::string found;
    for (std::uint32_t i = 0; i < line && std::getline(stream, found); ++i) {
    }
    return found;
}

/// What the user probably did, from the line that the library stumbled over.
std::string likely_mistake(const std::string& line, std::string_view description) {
    static const std::regex decimal_comma(R"(^[^\["']*[=:]\s*[-+]?\d+,\d+)");
    static const std::regex bare_point(R"((^|[^\d\w])\.\d|\d\.([^\d]|$))");
    static const std::regex bare_word(R"(=\s*[A-Za-z_])");
    if (std::regex_search(line, decimal_comma)) {
        return "; numbers are written with a decimal point: 0.5, not 0,5";
    }
    if (description.find("utf-8") != std::string_view::npos) {
        return "; a scene is a text file in TOML, and this is something else";
    }
    if (std::regex_search(line, bare_point)) {
        return "; a decimal point needs a digit on both sides: 0.5 or 5.0";
    }
    if (std::regex_search(line, bare_word)) return "; text is written in quotes: kind = \"sphere\"";
    return {};
}

}  // namespace

Node parse_toml(const std::string& text, const std::string& file) {
    try {
        const toml::table table = toml::parse(std::string_view(text), std::string_view(file));
        Node root = convert(table, file);
        name_tree(root, "");
        return root;
    } catch (const toml::parse_error& error) {
        const std::uint32_t line = error.source().begin.line;
        throw InputError(
            SourcePlace{file, static_cast<int>(line)}, "",
            fmt::format("not valid TOML (column {}): {}{}", error.source().begin.column, error.description(),
                        likely_mistake(line_of(text, line), error.description())));
    }
}

Node parse_setting_value(const std::string& text, const std::string& key) {
    // Commas only in calls such as max(a, b): "0,5" is a slip.
    static const std::regex plain_text(R"([^\s"'\[\]{},#=][^"'\[\]{},#=]*(\([^"'\[\]{}#=]*)?)");
    Node value;
    try {
        const toml::table table = toml::parse(std::string_view("value = " + text));
        if (table.size() != 1) {
            throw InputError(SourcePlace{fmt::format("{} {}", command_line, key), 0}, "",
                             "expected one value in one line");
        }
        value = convert(*table.get("value"), command_line);
    } catch (const toml::parse_error& error) {
        // A word without quotes (the shell eats them), or a formula of the parameters.
        if (!std::regex_match(text, plain_text)) {
            throw InputError(SourcePlace{fmt::format("{} {}", command_line, key), 0}, "",
                             fmt::format("'{}' is no value: {}{}", text, error.description(),
                                         likely_mistake("value = " + text, error.description())));
        }
        value.kind = Node::Kind::text;
        value.text = text;
    }
    const auto place_on_command_line = [](Node& node, const auto& self) -> void {
        node.place = {command_line, 0};
        for (auto& member : node.members) self(member.second, self);
        for (auto& item : node.items) self(item, self);
    };
    place_on_command_line(value, place_on_command_line);
    name_tree(value, key);
    return value;
}

}  // namespace talus::reading
