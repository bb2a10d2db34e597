#include "talus/scene/scene_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "readers.hpp"

namespace talus {

namespace {

using reading::Context;
using reading::Node;

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

bool is_empty(const Node& root) {
    return root.members.empty();
}

/// Checks the names of the sections; what is in them is up to their readers.
void check_sections(const Node& root) {
    const Context none;
    reading::Table(
        root, none,
        {"dimension", "gravity", "parameters", "time", "solver", "broad_phase", "contact", "group",
         "particles", "wall", "inlet", "outlet", "counter", "measure", "start", "stop", "domain", "output"});
}

void read_sections(const Node& root, Context& context, Scene& scene) {
    reading::HopperSpaces hoppers;
    read_dimension(root, context, scene);
    context.parameters = reading::Parameters(reading::section(root, "parameters"));
    read_time(root, context, scene);
    read_gravity(root, context, scene);
    read_solver(root, context, scene);
    read_broad_phase(root, context, scene);
    read_start(root, context, scene);
    read_domain(root, context, scene);
    read_output(root, context, scene);
    read_groups(root, context, scene);
    read_walls(root, context, hoppers, scene);
    read_particles(root, context, hoppers, scene);
    read_flow(root, context, hoppers, scene);
    read_measures(root, context, hoppers, scene);
    read_contact(root, context, scene);
    read_stop(root, context, scene);
}

/// The text to keep beside the results. With settings it is the resulting tree: comments are lost, the values
/// are those that counted.
std::string resulting_text(const std::string& text, const Node& root,
                           const std::vector<std::string>& settings) {
    if (settings.empty()) return text;
    std::string head;
    for (const std::string& setting : settings) head += fmt::format("# --set {}\n", setting);
    return head + reading::write_toml(root);
}

}  // namespace

Scene read_scene(const std::string& path, const std::vector<std::string>& settings) {
    const std::string text = read_text(path);
    Node root = reading::parse_toml(text, path);
    if (is_empty(root)) {
        throw InputError(SourcePlace{path, 0}, "",
                         "the file is empty; a scene needs at least [time] step = (s) and end = (s)");
    }
    for (const std::string& setting : settings) reading::apply_setting(root, setting);
    check_sections(root);
    Scene scene;
    scene.path = path;
    scene.text = resulting_text(text, root, settings);
    Context context;
    context.folder = std::filesystem::absolute(path).parent_path().string();
    read_sections(root, context, scene);
    return scene;
}

}  // namespace talus
