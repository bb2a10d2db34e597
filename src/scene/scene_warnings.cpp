#include <fmt/format.h>

#include <algorithm>

#include "talus/scene/describe_scene.hpp"
#include "talus/step/initial_overlap.hpp"

namespace talus {

namespace {

// Rounding of positions that were computed to touch (overlap over the smaller radius).
constexpr double touching = 1e-12;
// A dense factorisation of the contacts takes their cube: beyond this a step takes minutes.
constexpr Index most_for_exact = 300;

bool has_gravity(const Scene& scene) {
    return std::any_of(scene.gravity.begin(), scene.gravity.end(),
                       [](const Schedule& g) { return !g.is_constant() || g.value != 0.0; });
}

bool anything_moves(const Scene& scene, const System& system) {
    const bool particles = std::any_of(system.particles.velocity.begin(), system.particles.velocity.end(),
                                       [](const Vec3& v) { return v != Vec3::Zero(); });
    const bool walls = std::any_of(scene.walls.begin(), scene.walls.end(),
                                   [](const Wall& wall) { return wall.motion.moves(); });
    const bool radii = std::any_of(scene.groups.begin(), scene.groups.end(),
                                   [](const Group& group) { return !group.radius_scale.is_constant(); });
    const bool inlets = !scene.inlets.empty();
    return particles || walls || radii || inlets;
}

void warn_about_loads(const Scene& scene, const System& system, std::vector<std::string>& warnings) {
    const bool gravity = has_gravity(scene);
    if (!gravity && !anything_moves(scene, system)) {
        warnings.emplace_back("no gravity, and nothing moves: the state stays as it is");
    }
    if (gravity && scene.walls.empty() && system.particles.size() > 0) {
        warnings.emplace_back("gravity but no walls: the particles fall for ever");
    }
    if (gravity && !scene.walls.empty()) {
        warnings.emplace_back(
            "no friction: a heap spreads until it is one layer or meets a wall, so run-out and slope depend "
            "on the end "
            "time");
    }
}

void warn_about_particles(const Scene& scene, const System& system, std::vector<std::string>& warnings) {
    if (system.particles.size() == 0 && scene.inlets.empty())
        warnings.emplace_back("there are no particles and no inlet");
    const OverlapReport overlaps = find_overlaps(system, touching);
    if (overlaps.count > 0) {
        warnings.push_back(overlaps.describe(system) +
                           (scene.overlap_policy == OverlapPolicy::refuse
                                ? "; a run refuses this (start.overlaps = \"resolve\" moves them apart)"
                                : "; a run first moves them apart"));
    }
    const auto outside =
        std::count_if(system.particles.position.begin(), system.particles.position.end(), [&](const Vec3& x) {
            return (x.array() < scene.domain.low.array()).any() ||
                   (x.array() > scene.domain.high.array()).any();
        });
    if (outside > 0) warnings.push_back(fmt::format("{} particles start outside [domain]", outside));
    if (scene.step.solver.kind == SolverKind::exact && system.particles.size() > most_for_exact) {
        warnings.emplace_back("the exact solver is dense and meant for tiny scenes; take monotone_pgs");
    }
}

void warn_about_output(const Scene& scene, std::vector<std::string>& warnings) {
    if (scene.output.every > scene.end)
        warnings.emplace_back("output.every is longer than the run: first and last frame only");
    if (scene.output.every > 0.0 && scene.output.every < scene.step.time_step) {
        warnings.emplace_back("output.every is shorter than the step: one frame a step");
    }
    if (scene.step.time_step > scene.end) warnings.emplace_back("time.step is longer than the run");
}

}  // namespace

std::vector<std::string> scene_warnings(const Scene& scene, const System& system) {
    std::vector<std::string> warnings;
    warn_about_loads(scene, system, warnings);
    warn_about_particles(scene, system, warnings);
    warn_about_output(scene, warnings);
    return warnings;
}

}  // namespace talus
