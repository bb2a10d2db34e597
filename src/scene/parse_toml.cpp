#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <limits>
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

/// A text of TOML in lines, which must outlive it.
class Document {
public:
    Document(std::string name, std::string_view text) : file(std::move(name)) {
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            const std::string_view line = text.substr(begin, end - begin);
            const bool ascii = std::all_of(line.begin(), line.end(), [](char c) { return (c & 0x80) == 0; });
            lines_.push_back({line, ascii});
            begin = end + 1;
        }
    }

    const std::string file;

    std::string line(std::uint32_t number) const {
        return number >= 1 && number <= lines_.size() ? std::string(lines_[number - 1].text) : std::string();
    }

    /// The number as it is written where it is not 0 but was read as 0.
    std::string underflown(const toml::value<double>& number) const {
        const toml::source_region& place = number.source();
        if (number.get() != 0.0 || place.begin.line < 1 || place.begin.line > lines_.size()) return {};
        const auto& [text, ascii] = lines_[place.begin.line - 1];
        // The library counts characters, not bytes.
        if (!ascii || place.begin.column > text.size()) return {};
        const std::string_view written =
            text.substr(place.begin.column - 1, place.end.column - place.begin.column);
        const std::string_view digits = written.substr(0, written.find_first_of("eE"));
        return std::string(digits.find_first_of("123456789") == digits.npos ? std::string_view() : written);
    }

private:
    struct Line {
        std::string_view text;
        bool ascii;
    };
    std::vector<Line> lines_;
};

/// The library bounds the depth of arrays and tables in each other, but not the parts of a dotted key.
/// @param place of the first line.
void refuse_deep_keys(std::string_view text, SourcePlace place) {
    int dots = 0;
    for (const char c : text) {
        if (c == '\n') ++place.line;
        const bool ends_key = std::string_view("\n,=[]{}#").find(c) != std::string_view::npos;
        dots = ends_key ? 0 : dots + (c == '.' ? 1 : 0);
        if (dots >= most_parts) {
            throw InputError(
                place, "",
                fmt::format("a key of more than {} parts; keys are such as time.step", most_parts));
        }
    }
}

Node convert(const toml::node& source, const Document& document);

/// The library keeps members sorted by name; users are told about the first mistake in the order of the file.
void convert_members(const toml::table& source, const Document& document, Node& node) {
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::string>> order;
    for (const auto& [name, value] : source) {
        std::uint32_t line = 0;
        const std::uint32_t column = column_and_line(value, line);
        order.emplace_back(line, column, std::string(name.str()));
    }
    std::sort(order.begin(), order.end());
    for (const auto& [line, column, name] : order) {
        node.members.push_back({name, convert(*source.get(name), document)});
    }
}

Node convert(const toml::node& source, const Document& document) {
    Node node;
    node.place = {document.file, static_cast<int>(source.source().begin.line)};
    switch (source.type()) {
        case toml::node_type::table:
            convert_members(*source.as_table(), document, node);
            break;
        case toml::node_type::array:
            node.kind = Node::Kind::array;
            for (const toml::node& item : *source.as_array()) node.items.push_back(convert(item, document));
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
            node.text = document.underflown(*source.as_floating_point());
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

void refuse_underflow(const Node& node) {
    if (node.kind == Node::Kind::number && !node.text.empty()) {
        fail(node, fmt::format("the number {} is too small for a double; the smallest is {:.2g}", node.text,
                               std::numeric_limits<double>::min()));
    }
    for (const auto& [name, member] : node.members) refuse_underflow(member);
    for (const Node& item : node.items) refuse_underflow(item);
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
    refuse_deep_keys(text, {file, 1});
    const Document document(file, text);
    try {
        const toml::table table = toml::parse(std::string_view(text), std::string_view(file));
        Node root = convert(table, document);
        name_tree(root, "");
        refuse_underflow(root);
        return root;
    } catch (const toml::parse_error& error) {
        const std::uint32_t line = error.source().begin.line;
        throw InputError(
            SourcePlace{file, static_cast<int>(line)}, "",
            fmt::format("not valid TOML (column {}): {}{}", error.source().begin.column, error.description(),
                        likely_mistake(document.line(line), error.description())));
    }
}

Node parse_setting_value(const std::string& text, const std::string& key) {
    // Commas only in calls such as max(a, b): "0,5" is a slip.
    static const std::regex plain_text(R"([^\s"'\[\]{},#=][^"'\[\]{},#=]*(\([^"'\[\]{}#=]*)?)");
    refuse_deep_keys(text, {fmt::format("{} {}", command_line, key), 0});
    const std::string assignment = "value = " + text;
    const Document document(command_line, assignment);
    Node value;
    try {
        const toml::table table = toml::parse(std::string_view(assignment));
        if (table.size() != 1) {
            throw InputError(SourcePlace{fmt::format("{} {}", command_line, key), 0}, "",
                             "expected one value in one line");
        }
        value = convert(*table.get("value"), document);
    } catch (const toml::parse_error& error) {
        // A word without quotes (the shell eats them), or a formula of the parameters.
        if (!std::regex_match(text, plain_text)) {
            throw InputError(SourcePlace{fmt::format("{} {}", command_line, key), 0}, "",
                             fmt::format("'{}' is no value: {}{}", text, error.description(),
                                         likely_mistake(assignment, error.description())));
        }
        value.kind = Node::Kind::text;
        value.text = text;
    }
    const auto place_on_command_line = [](Node& node, const auto& self) -> void {
        node.place = {command_line, 0};
        for (auto& member : node.members) self(member.value, self);
        for (auto& item : node.items) self(item, self);
    };
    place_on_command_line(value, place_on_command_line);
    name_tree(value, key);
    refuse_underflow(value);
    return value;
}

}  // namespace talus::reading
