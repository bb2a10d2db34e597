#include "talus/scene/scene_file.hpp"

#include <filesystem>

#include "readers.hpp"
#include "scene_tree.hpp"

namespace talus {

namespace {

using reading::Context;
using reading::Node;

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

}  // namespace

Scene read_scene(const std::string& path, const std::vector<std::string>& settings) {
    const reading::SceneTree tree = reading::read_tree(path, settings);
    const Node& root = tree.root;
    if (const Node* system = root.find("system")) {
        reading::fail(*system,
                      "this scene is one in generalized coordinates, without particles: use talus lagrange "
                      "(or converge, or check)");
    }
    check_sections(root);
    Scene scene;
    scene.path = path;
    scene.text = tree.text;
    Context context;
    context.folder = std::filesystem::absolute(path).parent_path().string();
    read_sections(root, context, scene);
    return scene;
}

}  // namespace talus
