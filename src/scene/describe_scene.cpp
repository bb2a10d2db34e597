#include "talus/scene/describe_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "talus/core/text.hpp"
#include "talus/scene/simulation.hpp"

namespace talus {

namespace {

using Lines = std::vector<std::string>;

std::string schedule_text(const Schedule& s) {
    const std::string until = std::isfinite(s.end) ? fmt::format(" until {:.6g} s", s.end) : "";
    switch (s.kind) {
        case Schedule::Kind::constant:
            return fmt::format("{:.6g}", s.value);
        case Schedule::Kind::ramp:
            return fmt::format("{:.6g} + {:.6g} (t - {:.6g}){}", s.value, s.rate, s.begin, until);
        case Schedule::Kind::exponential:
            return fmt::format("{:.6g} exp({:.6g} (t - {:.6g})){}", s.value, s.rate, s.begin, until);
        case Schedule::Kind::sine:
            return fmt::format("{:.6g} + {:.6g} sin(2 pi {:.6g} (t - {:.6g}) + {:.6g})", s.value, s.amplitude,
                               s.frequency, s.begin, s.phase);
        case Schedule::Kind::table:
            return fmt::format("table of {} values from {:.6g} to {:.6g} s", s.times.size(), s.times.front(),
                               s.times.back());
    }
    return {};
}

std::string solver_name(SolverKind kind) {
    switch (kind) {
        case SolverKind::monotone_pgs:
            return "monotone_pgs";
        case SolverKind::clip_cg:
            return "clip_cg";
        case SolverKind::apgd:
            return "apgd";
        case SolverKind::uzawa:
            return "uzawa";
        case SolverKind::exact:
            return "exact";
    }
    return {};
}

std::string broad_phase_name(BroadPhaseKind kind) {
    switch (kind) {
        case BroadPhaseKind::cell_grid:
            return "cell_grid";
        case BroadPhaseKind::kd_tree:
            return "kd_tree";
        case BroadPhaseKind::r_tree:
            return "r_tree";
        case BroadPhaseKind::brute_force:
            return "brute_force";
    }
    return {};
}

std::string friction_text(const ContactLaw& law) {
    if (law.kind == FrictionLaw::inelastic) return "frictionless";
    const char* name = law.kind == FrictionLaw::coulomb ? "coulomb" : "coulomb_relaxed";
    const std::string rolling = law.rolling_friction > 0.0
                                    ? fmt::format(", rolling friction {:.6g}", law.rolling_friction)
                                    : std::string();
    return fmt::format("{}, friction {:.6g}{}", name, law.friction, rolling);
}

std::string pair_text(const PairOverride& said) {
    Lines parts;
    if (said.restitution) parts.push_back(fmt::format("restitution {:.6g}", *said.restitution));
    if (said.friction) parts.push_back(fmt::format("friction {:.6g}", *said.friction));
    if (said.rolling_friction) {
        parts.push_back(fmt::format("rolling friction {:.6g}", *said.rolling_friction));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

void add_law(const ContactLaw& law, Lines& lines) {
    lines.push_back(fmt::format("law          {}, restitution {:.6g}{}", friction_text(law), law.restitution,
                                law.restitution == 0.0 ? " (inelastic)" : ""));
    if (law.kind != FrictionLaw::inelastic) {
        for (const auto& [surface, friction] : law.surface_friction) {
            lines.push_back(fmt::format("             {}: friction {:.6g}", surface, friction));
        }
        for (const auto& [surface, rolling] : law.surface_rolling_friction) {
            lines.push_back(fmt::format("             {}: rolling friction {:.6g}", surface, rolling));
        }
    }
    for (const auto& [names, said] : law.pairs) {
        lines.push_back(fmt::format("             {} - {}: {}", names.first, names.second, pair_text(said)));
    }
}

void add_options(const Scene& scene, Lines& lines) {
    const SolverOptions& solver = scene.step.solver;
    std::string gravity = schedule_text(scene.gravity[0]);
    for (std::size_t k = 1; k < static_cast<std::size_t>(scene.dimension); ++k) {
        gravity += ", " + schedule_text(scene.gravity[k]);
    }
    lines.push_back(fmt::format("dimension    {}", scene.dimension));
    lines.push_back(fmt::format("gravity      ({}) m/s^2", gravity));
    const std::int64_t steps = count_steps(scene.end, scene.step.time_step);
    lines.push_back(fmt::format("time         step {:.6g} s, end {:.6g} s: {}", scene.step.time_step,
                                scene.end, counted(steps, "step")));
    add_law(scene.law, lines);
    const SolveLimits limits = solve_limits(solver, scene.law);
    lines.push_back(
        fmt::format("solver       {}: residual {:.3g}, overlap {:.3g} of the radius, {} iterations at most",
                    scene.law.kind == FrictionLaw::inelastic ? solver_name(solver.kind) : "friction sweeps",
                    limits.tolerance, solver.overlap_tolerance, limits.iterations));
    lines.push_back(fmt::format("broad phase  {}: skin {:.3g}, margin {:.3g} of the radius",
                                broad_phase_name(scene.step.broad_phase), scene.step.skin,
                                scene.step.margin));
    const std::string frames =
        scene.output.every > 0.0
            ? fmt::format("every {:.6g} s: {:.0f} frames", scene.output.every,
                          std::ceil(scene.end / scene.output.every * (1.0 - 1e-12)) + 1.0)
            : "first and last frame only";
    lines.push_back(fmt::format("output       {}", frames));
}

void add_stop(const StopOptions& stop, Lines& lines) {
    if (stop.at_rest) {
        lines.push_back(
            fmt::format("stop         at rest: mean kinetic energy below {:.6g} J a particle for {:.6g} s",
                        stop.at_rest->energy, stop.at_rest->time));
    }
    if (stop.emptied) lines.emplace_back("stop         emptied: no particle is left inside");
    if (stop.jammed) {
        const std::string from =
            stop.jammed->from ? fmt::format("t = {:.6g} s on", *stop.jammed->from) : "the first passing on";
        lines.push_back(fmt::format("stop         jammed: nothing has passed '{}' for {:.6g} s, from {}",
                                    stop.jammed->name, stop.jammed->time, from));
    }
}

void add_particles(const Scene& scene, const System& system, Lines& lines) {
    const Particles& particles = system.particles;
    lines.push_back(fmt::format("particles    {} at t = 0", particles.size()));
    for (std::size_t g = 0; g < system.groups.size(); ++g) {
        const Group& group = system.groups[g];
        double low = std::numeric_limits<double>::infinity(), high = 0.0, mass = 0.0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < particles.id.size(); ++i) {
            if (static_cast<std::size_t>(particles.group[i]) != g) continue;
            ++count;
            low = std::min(low, particles.radius[i]);
            high = std::max(high, particles.radius[i]);
            mass += particles.mass[i];
        }
        if (count == 0 && g == 0) continue;
        std::string text = fmt::format("             {}: {}", group.name, count);
        if (count > 0) text += fmt::format(", radius {:.6g} to {:.6g} m, {:.6g} kg in all", low, high, mass);
        if (group.frozen) text += ", frozen";
        if (group.inertia == Inertia::hollow) text += ", hollow";
        if (!group.rotates) text += ", rotation locked";
        if (!group.radius_scale.is_constant()) {
            text += fmt::format(", radius x ({}), {}", schedule_text(group.radius_scale),
                                group.constant_density ? "constant density" : "constant mass");
        }
        lines.push_back(text);
    }
    for (const Inlet& inlet : scene.inlets) {
        const std::string rate =
            inlet.rate > 0.0 ? fmt::format("{:.6g} particles/s", inlet.rate) : "until full";
        lines.push_back(fmt::format("inlet        {}: {}, {:.6g} to {:.6g} s", inlet.name, rate, inlet.from,
                                    inlet.until));
    }
    for (const Outlet& outlet : scene.outlets) lines.push_back("outlet       " + outlet.name);
    for (const Counter& counter : scene.counters) lines.push_back("counter      " + counter.name);
}

std::string place_text(const Vec3& x, int dimension) {
    return dimension == 2 ? fmt::format("({:.4g}, {:.4g})", x[0], x[1])
                          : fmt::format("({:.4g}, {:.4g}, {:.4g})", x[0], x[1], x[2]);
}

/// What each kind of measure measures.
struct MeasureText {
    int dimension;

    std::string place(const Vec3& x) const { return place_text(x, dimension); }
    std::string outward(const Coordinate& c) const {
        return fmt::format("{} {} through {}", c.radial ? "from the axis" : "along", place(c.axis),
                           place(c.point));
    }
    std::string operator()(const Region& region) const {
        const Box box = region.bounds();
        return fmt::format(
            "region of {:.4g} m^{} from {} to {} m: solid fraction, coordination, stress, motion",
            region.volume(dimension), dimension, place(box.low), place(box.high));
    }
    std::string operator()(const Front& front) const {
        return fmt::format("front of {:.6g} of the mass, {}", front.fraction, outward(front.outward));
    }
    std::string operator()(const HeapHeight& height) const {
        const std::string where =
            std::isfinite(height.radius) ? fmt::format(" within {:.4g} m of its axis", height.radius) : "";
        const std::string what = height.fraction == 1.0
                                     ? "highest top"
                                     : fmt::format("top of {:.6g} of the mass", height.fraction);
        return fmt::format("{}{}, along {} from {}", what, where, place(height.up), place(height.point));
    }
    std::string operator()(const Repose& repose) const {
        return fmt::format("angle of repose between {:.4g} and {:.4g} of the height, {}", repose.low,
                           repose.high, outward(repose.outward));
    }
};

void add_measures(const Scene& scene, Lines& lines) {
    for (const Measure& measure : scene.measures) {
        lines.push_back(fmt::format("measure      {}: {}", measure.name,
                                    std::visit(MeasureText{scene.dimension}, measure.what)));
    }
}

void add_walls(const Scene& scene, Lines& lines) {
    for (std::size_t k = 0; k < scene.walls.size(); ++k) {
        const Wall& wall = scene.walls[k];
        std::string text = fmt::format("wall {:<7} {}", k, wall.name);
        if (!wall.motion.displacement.is_constant()) {
            const Vec3& d = wall.motion.direction;
            text += fmt::format(", shifted by {} m along ({:.4g}, {:.4g}, {:.4g})",
                                schedule_text(wall.motion.displacement), d[0], d[1], d[2]);
        }
        if (!wall.motion.angle.is_constant())
            text += fmt::format(", turned by {} rad", schedule_text(wall.motion.angle));
        if (std::isfinite(wall.from)) text += fmt::format(", from {:.6g} s", wall.from);
        if (std::isfinite(wall.until)) text += fmt::format(", until {:.6g} s", wall.until);
        lines.push_back(text);
    }
}

void add_advice(const Scene& scene, const System& system, Lines& lines) {
    const double megabytes = estimated_memory(system.particles.size(), system.dimension) / 1e6;
    lines.push_back(megabytes < 1.0
                        ? "memory       less than 1 MB beside the program"
                        : fmt::format("memory       about {:.0f} MB beside the program", megabytes));
    const StepAdvice advice = advise_step(scene, system);
    if (advice.smallest_radius == 0.0) return;
    const double speed = advice.expected_speed();
    lines.push_back(fmt::format(
        "speed        {:.4g} m/s expected (free fall {:.4g}, start {:.4g}, radii {:.4g}), walls {:.4g} m/s",
        speed, advice.fall_speed, advice.particle_speed, advice.radius_rate, advice.wall_speed));
    std::string verdict = "fine";
    if (advice.radii_per_step > 0.5) verdict = "coarse, errors grow in proportion";
    if (advice.radii_per_step > 1.0) verdict = "too long, particles may touch what they would have passed";
    lines.push_back(
        fmt::format("step         moves a particle by {:.3g} of the smallest radius at that speed: {}",
                    advice.radii_per_step, verdict));
    if (advice.radii_per_step > 0.5) {
        lines.push_back(fmt::format("             time.step = {:.2g} would move half a radius",
                                    0.5 * advice.smallest_radius / speed));
    }
    if (advice.wall_radii_per_step > 1.0) {
        lines.push_back(fmt::format(
            "             moves a wall by {:.3g} of that radius (no matter when it slides along itself)",
            advice.wall_radii_per_step));
    }
}

}  // namespace

std::string describe_scene(const Scene& scene, const System& system) {
    Lines lines = {"scene        " + scene.path};
    add_options(scene, lines);
    add_stop(scene.stop, lines);
    add_particles(scene, system, lines);
    add_walls(scene, lines);
    add_measures(scene, lines);
    add_advice(scene, system, lines);
    for (const std::string& warning : scene_warnings(scene, system))
        lines.push_back("warning      " + warning);
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace talus
