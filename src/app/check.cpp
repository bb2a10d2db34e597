#include <fmt/format.h>

#include "commands.hpp"
#include "talus/core/parallel.hpp"
#include "talus/scene/describe_scene.hpp"
#include "talus/scene/lagrange_scene.hpp"
#include "talus/scene/scene_file.hpp"
#include "talus/scene/simulation.hpp"
#include "talus/step/initial_overlap.hpp"
#include "threads.hpp"

namespace talus::app {

int check(const CheckArguments& arguments) {
    if (is_lagrange_scene(arguments.scene, arguments.settings)) {
        const LagrangeScene scene = read_lagrange_scene(arguments.scene, arguments.settings);
        fmt::print("{}", describe_lagrange_scene(scene));
        return broken_hypothesis(scene.scheme, *scene.system, scene.options) ? kBadInput : kDone;
    }
    set_thread_count(choose_threads("", available_threads()).count);
    const Scene scene = read_scene(arguments.scene, arguments.settings);
    std::vector<std::string> remarks;
    const System system = build_system(scene, &remarks);
    fmt::print("{}", describe_scene(scene, system));
    for (const std::string& remark : remarks) fmt::print("warning      {}\n", remark);
    if (find_overlaps(system, Simulation::kTouching).count == 0) {
        fmt::print("start        no overlaps\n");
        return kDone;
    }
    // The warnings have said which; a script wants to know whether talus run would start.
    return scene.overlap_policy == OverlapPolicy::refuse ? kBadInput : kDone;
}

}  // namespace talus::app
