#include "scene_tree.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace talus::reading {

namespace {

std::string read_text(const std::string& path) {
    const SourcePlace place{path, 0};
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        throw InputError(place, "", "there is no such file; expected the path of a scene (.toml)");
    }
    if (std::filesystem::is_directory(path, error)) {
        throw InputError(place, "", "this is a directory; expected the path of a scene (.toml)");
    }
    // A device may have no end.
    if (!std::filesystem::is_regular_file(path, error)) {
        throw InputError(place, "", "this is no file; expected the path of a scene (.toml)");
    }
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw InputError(place, "", fmt::format("can not be opened: {}", std::strerror(errno)));
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (stream.bad()) throw InputError(place, "", "can not be read to its end");
    if (text.find('\0') != std::string::npos) {
        throw InputError(place, "", "a scene is a text file in TOML, and this file holds binary data");
    }
    return text;
}

/// The text to keep beside the results. With settings it is the resulting tree: comments are lost, the values
/// are those that counted.
std::string resulting_text(const std::string& text, const Node& root,
                           const std::vector<std::string>& settings) {
    if (settings.empty()) return text;
    std::string head;
    for (const std::string& setting : settings) head += fmt::format("# --set {}\n", setting);
    return head + write_toml(root);
}

}  // namespace

SceneTree read_tree(const std::string& path, const std::vector<std::string>& settings) {
    const std::string text = read_text(path);
    Node root = parse_toml(text, path);
    if (root.members.empty()) {
        throw InputError(SourcePlace{path, 0}, "",
                         "the file is empty; a scene needs at least [time] step = (s) and end = (s)");
    }
    for (const std::string& setting : settings) apply_setting(root, setting);
    std::string resulting = resulting_text(text, root, settings);
    return {std::move(root), std::move(resulting)};
}

}  // namespace talus::reading
