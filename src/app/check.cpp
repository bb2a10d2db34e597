#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "talus/core/parallel.hpp"
#include "talus/scene/describe_scene.hpp"
#include "talus/scene/scene_file.hpp"
#include "talus/scene/simulation.hpp"
#include "talus/step/initial_overlap.hpp"
#include "text.hpp"
#include "threads.hpp"

namespace talus::app {

int check(const CheckArguments& arguments) {
    set_thread_count(choose_threads("", available_threads()).count);
    const Scene scene = read_scene(arguments.scene, arguments.settings);
    const System system = build_system(scene);
    fmt::print("{}", describe_scene(scene, system));
    const OverlapReport overlaps = find_overlaps(system, Simulation::kTouching);
    if (overlaps.count == 0) {
        fmt::print("start        no overlaps\n");
        return kDone;
    }
    const bool refused = scene.overlap_policy == OverlapPolicy::refuse;
    fmt::print("start        {}; {}\n", overlaps.describe(system),
               refused ? "talus run refuses this" : "talus run resolves this by moving particles");
    return refused ? kBadInput : kDone;
}

}  // namespace talus::app
