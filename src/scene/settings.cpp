#include <fmt/format.h>

#include <charconv>

#include "node.hpp"
#include "talus/core/text.hpp"

namespace talus::reading {

namespace {

/// One step of a key: a member's name, then any number of [index] or [name].
struct KeyPart {
    std::string member;
    std::vector<std::string> selectors;
};

std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

[[noreturn]] void fail_setting(const std::string& key, const std::string& message) {
    throw InputError(SourcePlace{fmt::format("{} {}", command_line, key), 0}, "", message);
}

KeyPart split_selectors(const std::string& part, const std::string& key) {
    KeyPart result;
    std::size_t open = part.find('[');
    result.member = part.substr(0, open);
    if (result.member.empty())
        fail_setting(key, "a part of the key has no name; write for example time.step");
    while (open < part.size()) {
        const std::size_t close = part.find(']', open);
        const bool ends_well =
            close != std::string::npos && (close + 1 == part.size() || part[close + 1] == '[');
        if (!ends_well || close == open + 1) {
            fail_setting(key,
                         "an entry is chosen by its number or name: wall[0].radius or wall[drum].radius");
        }
        result.selectors.push_back(part.substr(open + 1, close - open - 1));
        open = close + 1;
    }
    return result;
}

std::vector<KeyPart> split_key(const std::string& key) {
    std::vector<KeyPart> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= key.size(); ++i) {
        if (i < key.size() && key[i] == '[') ++depth;
        if (i < key.size() && key[i] == ']') --depth;
        if (i == key.size() || (key[i] == '.' && depth == 0)) {
            parts.push_back(split_selectors(key.substr(begin, i - begin), key));
            begin = i + 1;
        }
    }
    if (parts.size() > static_cast<std::size_t>(most_parts)) {
        throw InputError(SourcePlace{command_line, 0}, "",
                         fmt::format("a key of more than {} parts; keys are such as time.step", most_parts));
    }
    return parts;
}

Node* entry_of(Node& array, const std::string& selector, const std::string& key) {
    if (array.kind != Node::Kind::array) {
        fail_setting(key, fmt::format("'{}' is {}, it has no entries", array.key, array.describe()));
    }
    std::int64_t index = 0;
    const auto [rest, error] = std::from_chars(selector.data(), selector.data() + selector.size(), index);
    if (rest == selector.data() + selector.size()) {
        const std::size_t count = array.items.size();
        const bool exists = error == std::errc() && index >= 0 && index < static_cast<std::int64_t>(count);
        if (exists) return &array.items[static_cast<std::size_t>(index)];
        fail_setting(key, fmt::format("there is no '{}[{}]': {}, numbered from 0", array.key, selector,
                                      counted(static_cast<std::int64_t>(count), "entry", "entries")));
    }
    for (Node& item : array.items) {
        const Node* name = item.find("name");
        if (name != nullptr && name->text == selector) return &item;
    }
    fail_setting(key, fmt::format("no entry of '{}' has the name '{}'", array.key, selector));
}

Node* member_of(Node& table, const std::string& name, const std::string& key) {
    if (table.kind != Node::Kind::table) {
        fail_setting(key,
                     fmt::format("'{}' is {}, it has no members{}", table.key, table.describe(),
                                 table.kind == Node::Kind::array ? "; choose an entry: " + table.key + "[0]"
                                                                 : std::string()));
    }
    if (Node* found = table.find(name)) return found;
    Node fresh;  // an empty table: whether such a key exists is found out when the scene is read
    fresh.place = {command_line, 0};
    fresh.key = table.key.empty() ? name : table.key + "." + name;
    table.members.push_back({name, fresh});
    return &table.members.back().value;
}

}  // namespace

void apply_setting(Node& root, const std::string& setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        fail_setting(setting, "expected key=value, for example time.step=1e-4");
    }
    const std::string key = trimmed(setting.substr(0, equals));
    Node* target = &root;
    for (const KeyPart& part : split_key(key)) {
        target = member_of(*target, part.member, key);
        for (const std::string& selector : part.selectors) target = entry_of(*target, selector, key);
    }
    const std::string value = trimmed(setting.substr(equals + 1));
    if (value.empty()) fail_setting(key, "there is no value after '='; expected key=value");
    *target = parse_setting_value(value, target->key);
}

}  // namespace talus::reading
