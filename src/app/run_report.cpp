#include "run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "talus/core/version.hpp"
#include "text.hpp"

namespace talus::app {

namespace {

class Lines {
public:
    template <class... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '\n';
    }
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

void add_particles(Lines& lines, const Scene& scene, const Simulation& simulation) {
    const RunSummary& s = simulation.summary();
    lines.add("particles          {} created = {} inside + {} removed", s.created, s.inside, s.removed());
    for (std::size_t k = 0; k < scene.inlets.size(); ++k) {
        lines.add("  inlet {:<12} {} inserted of {} due", scene.inlets[k].name,
                  simulation.created_by_inlet()[k], simulation.asked_of_inlet()[k]);
    }
    for (std::size_t k = 0; k < scene.counters.size(); ++k) {
        lines.add("  counter {:<10} {} passed, {:.6g} kg", scene.counters[k].name, simulation.counted()[k],
                  simulation.mass_counted()[k]);
    }
    for (std::size_t k = 0; k < scene.outlets.size(); ++k) {
        lines.add("  outlet {:<11} {} removed, {:.6g} kg", scene.outlets[k].name,
                  simulation.removed_by_outlet()[k], simulation.mass_removed_by_outlet()[k]);
    }
    if (s.escaped > 0) {
        lines.add("  escaped            {}, of which {} removed", s.escaped, s.removed_as_escaped);
    }
}

void add_certificate(Lines& lines, const Simulation& simulation) {
    const RunSummary& s = simulation.summary();
    lines.add("worst of all steps");
    lines.add("  overlap          {:.2e} of the smaller radius{}", s.worst_overlap,
              s.worst_overlap > 0.0 ? fmt::format(", at t = {:.6g} s", s.worst_overlap_time) : "");
    lines.add("  residual         {:.2e}, as a speed {:.2e} m/s", s.worst_residual, s.worst_residual_speed);
    lines.add("  complementarity  {:.2e}", s.worst_complementarity);
    lines.add("  energy identity  {:.2e}", s.worst_energy_defect);
    lines.add("  iterations       {}", s.worst_iterations);
    if (s.unconverged == 0) {
        lines.add("not converged      none of {}", counted(s.steps, "step"));
    } else {
        lines.add("not converged      {} of {}, the first is step {}", s.unconverged,
                  counted(s.steps, "step"), s.first_unconverged);
    }
    if (s.fast_steps > 0) {
        lines.add("too fast           particles moved further than their radius in {}",
                  counted(s.fast_steps, "step"));
    }
}

double percent(double seconds, double wall_seconds) {
    return 100.0 * seconds / std::max(wall_seconds, 1e-9);
}

void add_shares(Lines& lines, const StageTimes& times, double wall_seconds) {
    std::string shares;
    for (std::size_t k = 0; k < kStageNames.size(); ++k) {
        shares += fmt::format("{}{} {:.0f} %", k == 0 ? "" : ", ", kStageNames[k],
                              percent(times.stages[k].seconds, wall_seconds));
    }
    lines.add("                   {}", shares);
}

void add_profile(Lines& lines, const StageTimes& times, const RunFacts& facts) {
    const auto row = [&](const char* name, double seconds, const std::string& calls, const std::string& each,
                         const std::string& bandwidth) {
        lines.add("                   {:<12}{:>7.1f} %{:>10}{:>12.3f}{:>11}{:>7}", name,
                  percent(seconds, facts.wall_seconds), calls, seconds, each, bandwidth);
    };
    lines.add("profile            stage          share     calls     seconds    ms/call   GB/s");
    double other = facts.wall_seconds;
    for (std::size_t k = 0; k < kStageNames.size(); ++k) {
        const StageTime& spent = times.stages[k];
        other -= spent.seconds;
        row(kStageNames[k], spent.seconds, fmt::to_string(spent.calls),
            spent.calls > 0 ? fmt::format("{:.3f}", 1e3 * spent.seconds / static_cast<double>(spent.calls))
                            : "-",
            spent.bytes > 0.0 ? fmt::format("{:.1f}", 1e-9 * spent.bytes / spent.seconds) : "-");
    }
    row("other", other, "-", "-", "-");
    lines.add("                   frames took {:.3f} s of a thread beside the steps",
              facts.background_seconds);
}

void add_cost(Lines& lines, const Simulation& simulation, const RunFacts& facts) {
    const RunSummary& s = simulation.summary();
    const double steps = static_cast<double>(std::max<std::int64_t>(s.steps, 1));
    const double simulated = simulation.system().time;
    lines.add("wall time          {}{}, {} steps/s, on {}", duration(facts.wall_seconds),
              simulated > 0.0
                  ? fmt::format(" ({} s per simulated second)", rounded(facts.wall_seconds / simulated))
                  : "",
              rounded(steps / std::max(facts.wall_seconds, 1e-9)), counted(facts.threads, "thread"));
    lines.add("                   {:.1f} iterations a step, {} at most",
              static_cast<double>(s.iterations) / steps, counted(s.most_contacts, "contact"));
    StageTimes times = s.times;
    times[Stage::write] += facts.write;
    if (facts.profile) {
        add_profile(lines, times, facts);
    } else {
        add_shares(lines, times, facts.wall_seconds);
    }
}

}  // namespace

std::string describe_doubt(const Scene& scene, const RunSummary& summary) {
    if (summary.unconverged == 0) return "";
    const SolverOptions& solver = scene.step.solver;
    const SolveLimits limits = solve_limits(solver, scene.law);
    const bool dense_flow =
        scene.law.kind != FrictionLaw::inelastic && summary.worst_overlap <= solver.overlap_tolerance;
    return fmt::format(
        "WARNING: {} of {} did not converge (worst residual {:.2e}, {:.2e} m/s, worst overlap {:.2e} of a "
        "radius); the "
        "results of these steps exceed the tolerances (residual {:g}, overlap {:g}){}",
        summary.unconverged, counted(summary.steps, "step"), summary.worst_residual,
        summary.worst_residual_speed, summary.worst_overlap, limits.tolerance, solver.overlap_tolerance,
        dense_flow
            ? fmt::format("; usual where grains with friction flow densely: see whether what you measure "
                          "changes with {}",
                          limits.iterations_key)
            : "");
}

std::string describe_run(const Scene& scene, const Simulation& simulation, const RunFacts& facts) {
    Lines lines;
    lines.add("talus {} ({})", kVersion, kGitHash);
    lines.add("scene              {}", scene.path);
    lines.add("ended              at t = {:.9g} s after {}: {}", simulation.system().time,
              counted(simulation.summary().steps, "step"), facts.ending);
    add_particles(lines, scene, simulation);
    add_certificate(lines, simulation);
    add_cost(lines, simulation, facts);
    lines.add("results            {}: {} (particles.pvd opens in ParaView), series.csv, scene.toml",
              facts.directory, counted(facts.frames, "frame"));
    const std::string doubt = describe_doubt(scene, simulation.summary());
    if (!doubt.empty()) lines.add("{}", doubt);
    return lines.take();
}

}  // namespace talus::app
