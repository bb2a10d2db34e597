#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <variant>

#include "talus/scene/describe_scene.hpp"
#include "talus/step/contact_law.hpp"
#include "talus/step/initial_overlap.hpp"

namespace talus {

namespace {

// Rounding of positions that were computed to touch (overlap over the smaller radius).
constexpr double touching = 1e-12;
// A dense factorisation of the contacts takes their cube: beyond this a step takes minutes.
constexpr Index most_for_exact = 300;
// Light particles between heavy ones pass forces on slowly: beyond this ratio solves may not converge.
constexpr double largest_mass_ratio = 1e9;

// Nobody looks at more frames; each is up to three files.
constexpr double most_frames = 1e5;

bool has_gravity(const Scene& scene) {
    return std::any_of(scene.gravity.begin(), scene.gravity.end(),
                       [](const Schedule& g) { return !g.is_constant() || g.value != 0.0; });
}

bool anything_moves(const Scene& scene, const System& system) {
    const auto any = [](const std::vector<Vec3>& vectors) {
        return std::any_of(vectors.begin(), vectors.end(), [](const Vec3& v) { return v != Vec3::Zero(); });
    };
    const bool particles = any(system.particles.velocity) || any(system.particles.angular_velocity);
    const bool walls = std::any_of(scene.walls.begin(), scene.walls.end(),
                                   [](const Wall& wall) { return wall.motion.moves(); });
    const bool radii = std::any_of(scene.groups.begin(), scene.groups.end(),
                                   [](const Group& group) { return !group.radius_scale.is_constant(); });
    const bool inlets = !scene.inlets.empty();
    return particles || walls || radii || inlets;
}

void warn_about_law(const Scene& scene, const System& system, std::vector<std::string>& warnings) {
    if (scene.law.kind == FrictionLaw::inelastic) return;
    const LawTable table = law_table(system);
    if (!table.any_friction() && table.any_rolling_friction()) {
        warnings.emplace_back(
            "rolling_friction, but no two surfaces with friction: bodies slide over each other without being "
            "turned; give them a 'friction' too");
    } else if (!table.any_friction()) {
        warnings.emplace_back(
            "friction, but no two surfaces that have it: a pair takes the geometric mean of both, so give "
            "the particles' group or [contact] a 'friction' too");
    }
    const ContactLaw& law = scene.law;
    const bool any_rolling =
        law.rolling_friction > 0.0 ||
        std::any_of(law.surface_rolling_friction.begin(), law.surface_rolling_friction.end(),
                    [](const auto& surface) { return surface.second > 0.0; });
    if (any_rolling && !table.any_rolling_friction()) {
        warnings.emplace_back(
            "rolling_friction, but no two surfaces that have it: a pair takes the geometric mean of both, so "
            "give the particles' group or [contact] a 'rolling_friction' too");
    }
}

// Options of the solver that is not used.
void warn_about_solver(const Scene& scene, const System& system, std::vector<std::string>& warnings) {
    const SolverOptions usual;
    const SolverOptions& solver = scene.step.solver;
    const LawTable table = law_table(system);
    const bool friction =
        scene.law.kind != FrictionLaw::inelastic && (table.any_friction() || table.any_rolling_friction());
    const auto warn = [&](bool is_set, bool of_friction, const char* key, const char* counts) {
        if (!is_set || of_friction == friction) return;
        warnings.push_back(fmt::format("solver.{} does not count in a scene {} friction: {}", key,
                                       friction ? "with" : "without", counts));
    };
    warn(solver.kind != usual.kind, false, "kind", "it has one solver");
    warn(solver.tolerance != usual.tolerance, false, "tolerance", "see solver.friction_tolerance");
    warn(solver.max_iterations != usual.max_iterations, false, "max_iterations",
         "see solver.friction_iterations");
    warn(solver.relaxation != usual.relaxation, false, "relaxation", "its sweeps have none");
    warn(solver.friction_tolerance != usual.friction_tolerance, true, "friction_tolerance",
         "see solver.tolerance");
    warn(solver.friction_iterations != usual.friction_iterations, true, "friction_iterations",
         "see solver.max_iterations");
}

void warn_about_loads(const Scene& scene, const System& system, std::vector<std::string>& warnings) {
    const bool gravity = has_gravity(scene);
    if (!gravity && !anything_moves(scene, system)) {
        warnings.emplace_back("no gravity, and nothing moves: the state stays as it is");
    }
    const std::vector<double>& inverse_mass = system.particles.inverse_mass;
    const bool any_frozen = std::find(inverse_mass.begin(), inverse_mass.end(), 0.0) != inverse_mass.end();
    if (gravity && scene.walls.empty() && system.particles.size() > 0 && !any_frozen) {
        warnings.emplace_back("gravity but no walls: the particles fall for ever");
    }
    if (scene.law.kind == FrictionLaw::inelastic && gravity && !scene.walls.empty()) {
        warnings.emplace_back(
            "no friction: a heap spreads until it is one layer or meets a wall, so run-out and slope depend "
            "on the end time; a 'friction' > 0 in [contact] gives some");
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
    double lightest = std::numeric_limits<double>::infinity(), heaviest = 0.0;
    for (Index i = 0; i < system.particles.size(); ++i) {
        if (system.particles.frozen(i)) continue;
        lightest = std::min(lightest, system.particles.mass[static_cast<std::size_t>(i)]);
        heaviest = std::max(heaviest, system.particles.mass[static_cast<std::size_t>(i)]);
    }
    if (heaviest > largest_mass_ratio * lightest) {
        warnings.push_back(fmt::format(
            "masses from {:g} to {:g} kg: light particles between heavy ones make solves slow, or fail",
            lightest, heaviest));
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
    const double frames =
        scene.output.every > 0.0 ? scene.end / std::max(scene.output.every, scene.step.time_step) : 0.0;
    if (frames > most_frames) {
        warnings.push_back(
            fmt::format("output.every = {:g} s makes {:.3g} frames", scene.output.every, frames));
    }
    if (scene.step.time_step > scene.end) warnings.emplace_back("time.step is longer than the run");
}

/// The step must see at least the ups and downs of a wall.
bool is_unresolved(const Schedule& schedule, double time_step) {
    return schedule.kind == Schedule::Kind::sine && !schedule.is_constant() &&
           schedule.frequency * time_step > 0.5;
}

void warn_about_times(const Scene& scene, std::vector<std::string>& warnings) {
    for (const Wall& wall : scene.walls) {
        if (wall.from > scene.end || wall.until <= 0.0) {
            warnings.push_back(
                fmt::format("wall {} is never there: from {:g} s until {:g} s, the run ends at {:g} s",
                            wall.name, wall.from, wall.until, scene.end));
        }
        const double step = scene.step.time_step;
        if (is_unresolved(wall.motion.displacement, step) || is_unresolved(wall.motion.angle, step)) {
            warnings.push_back(fmt::format(
                "wall {} oscillates with a period shorter than two steps: its motion is not resolved",
                wall.name));
        }
    }
    for (const Inlet& inlet : scene.inlets) {
        if (inlet.from < scene.end && inlet.until > 0.0) continue;
        warnings.push_back(
            fmt::format("inlet {} never opens: from {:g} s until {:g} s, the run ends at {:g} s", inlet.name,
                        inlet.from, inlet.until, scene.end));
    }
}

void warn_about_measures(const Scene& scene, std::vector<std::string>& warnings) {
    for (const Measure& measure : scene.measures) {
        const auto* region = std::get_if<Region>(&measure.what);
        if (region == nullptr) continue;
        const Box box = region->bounds();
        const auto beyond = [&](int k) {
            return box.low[k] > scene.domain.high[k] || box.high[k] < scene.domain.low[k];
        };
        if (beyond(0) || beyond(1) || (scene.dimension == 3 && beyond(2))) {
            warnings.push_back(
                fmt::format("measure {} lies outside [domain]: nothing comes there", measure.name));
        }
    }
}

void warn_about_stop(const Scene& scene, std::vector<std::string>& warnings) {
    const StopOptions& stop = scene.stop;
    const auto too_long = [&](const char* condition, double time) {
        if (time <= scene.end) return;
        warnings.push_back(
            fmt::format("stop.{}.time = {:g} s is longer than the run: it never ends it", condition, time));
    };
    if (stop.at_rest) too_long("at_rest", stop.at_rest->time);
    if (stop.jammed) too_long("jammed", stop.jammed->time);
    if (stop.jammed && stop.jammed->from && *stop.jammed->from > scene.end) {
        warnings.push_back(
            fmt::format("stop.jammed.from = {:g} s is after the end of the run", *stop.jammed->from));
    }
    if (!stop.emptied) return;
    if (scene.outlets.empty() && scene.escape_policy != EscapePolicy::remove) {
        warnings.emplace_back(
            "stop.emptied, but nothing removes particles: there is no outlet, and domain.escape is not "
            "\"remove\"");
    }
    for (const Inlet& inlet : scene.inlets) {
        if (inlet.count >= 0 || inlet.until < scene.end) continue;
        warnings.push_back(fmt::format(
            "stop.emptied never ends the run: inlet {} adds particles until its end", inlet.name));
    }
}

}  // namespace

std::vector<std::string> scene_warnings(const Scene& scene, const System& system) {
    std::vector<std::string> warnings;
    warn_about_loads(scene, system, warnings);
    warn_about_law(scene, system, warnings);
    warn_about_solver(scene, system, warnings);
    warn_about_particles(scene, system, warnings);
    warn_about_times(scene, warnings);
    warn_about_output(scene, warnings);
    warn_about_stop(scene, warnings);
    warn_about_measures(scene, warnings);
    return warnings;
}

}  // namespace talus
