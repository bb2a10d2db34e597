#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "talus/core/error.hpp"

/// The text of a scene as a tree of values that know where they stand. The TOML library is used only to make
/// such a tree, in parse_toml.cpp.
namespace talus::reading {

/// File name of values that were given on the command line.
inline constexpr const char* command_line = "--set";

/// Parts that a dotted key may have: trees are walked by recursion.
inline constexpr int most_parts = 256;

struct Node {
    enum class Kind { boolean, integer, number, text, array, table, date };

    Kind kind = Kind::table;
    SourcePlace place;
    std::string key;  ///< full path, such as "wall[0].radius"; empty for the file itself
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0.0;
    std::string text;  ///< of a text; as written: of a date, and of a number that is too small to be read
    struct Member;
    std::vector<Node> items;      ///< of an array
    std::vector<Member> members;  ///< of a table, in the order of the file

    const Node* find(std::string_view name) const;
    Node* find(std::string_view name);
    /// What the user wrote, for messages: "the text \"abc\"", "the number 1.5", "an array of 3", "a table".
    std::string describe() const;
};

struct Node::Member {
    std::string name;
    Node value;
};

/// Throws an InputError for a value: "file:line: key: message", or "--set key: message".
[[noreturn]] void fail(const Node& node, const std::string& message);

/// Where `node` stands, for messages about it after reading.
SourceEntry source_entry(const Node& node);

/// @throws InputError for text that is not TOML, naming the line and the likely mistake.
Node parse_toml(const std::string& text, const std::string& file);

/// Value of a --set: TOML, or else text without quotes. @throws InputError naming `key`.
Node parse_setting_value(const std::string& text, const std::string& key);

/// Gives `node` and everything below it the path `key`.
void name_tree(Node& node, const std::string& key);

/// Replaces or adds the value that "key=value" names. @throws InputError for a key that leads nowhere.
void apply_setting(Node& root, const std::string& setting);

/// The tree as TOML text that reads back to the same tree.
std::string write_toml(const Node& root);

/// The candidate with the fewest edits from `name`, or "" when none is near enough to be a slip of the
/// fingers.
std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates);

/// "a, b, c".
std::string join(const std::vector<std::string_view>& names);

}  // namespace talus::reading
