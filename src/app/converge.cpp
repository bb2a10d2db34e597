#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

#include "commands.hpp"
#include "log_plot.hpp"
#include "results.hpp"
#include "talus/core/error.hpp"
#include "talus/core/text.hpp"
#include "talus/io/output_directory.hpp"
#include "talus/lagrange/convergence.hpp"
#include "talus/scene/lagrange_scene.hpp"
#include "text.hpp"

namespace talus::app {

namespace {

using lagrange::Comparison;
using lagrange::SchemeKind;

/// What was found for one scheme: runs, or why there are none.
struct SchemeResult {
    SchemeKind scheme;
    std::string not_applicable;
    std::vector<Comparison> runs;  ///< one a step
};

std::vector<std::string> parts(const std::string& list) {
    std::vector<std::string> result;
    std::istringstream stream(list);
    for (std::string part; std::getline(stream, part, ',');) result.push_back(part);
    return result;
}

std::vector<double> read_steps(const std::string& list, const LagrangeScene& scene) {
    std::vector<double> steps;
    for (const std::string& part : parts(list)) {
        const double h = parse_number(part, "--steps", "time steps in seconds, for example 1e-2,1e-3");
        if (!(h > 0.0 && h <= scene.end)) {
            throw InputError(
                fmt::format("--steps: expected steps > 0 s and up to the end of the scene, {:g} s, not '{}'",
                            scene.end, part));
        }
        steps.push_back(h);
    }
    return steps;
}

std::vector<SchemeKind> read_schemes(const std::string& list) {
    std::vector<SchemeKind> kinds;
    std::vector<std::string_view> names;
    for (const auto& scheme : lagrange::kSchemeNames) {
        names.push_back(scheme.name);
        if (list.empty()) kinds.push_back(scheme.kind);
    }
    for (const std::string& part : parts(list)) {
        const auto found = std::find(names.begin(), names.end(), part);
        if (found == names.end()) {
            throw InputError(
                fmt::format("--schemes: there is no scheme '{}'; schemes: {}", part, fmt::join(names, ", ")));
        }
        kinds.push_back(lagrange::kSchemeNames[static_cast<std::size_t>(found - names.begin())].kind);
    }
    return kinds;
}

std::vector<double> column(const SchemeResult& result, double Comparison::*member) {
    std::vector<double> values;
    for (const Comparison& run : result.runs) {
        if (run.failure.empty()) values.push_back(run.*member);
    }
    return values;
}

std::string order(const SchemeResult& result, double Comparison::*error) {
    const auto fit = lagrange::fit_order(column(result, &Comparison::step), column(result, error));
    return fit ? fmt::format("{:.2f} ± {:.2f}", fit->order, fit->standard_error) : "-";
}

std::string markdown(const LagrangeScene& scene, const std::vector<SchemeResult>& results, bool closed_form) {
    std::string text = fmt::format(
        "# {}: {}, restitution {:g}, until {:g} s\n\nReference: {}. Errors in the largest coordinate, each "
        "in "
        "its own unit.\n\n| scheme | h [s] | position, max | position, L1 | velocity, L1 | energy, end [J] | "
        "violation | iterations | unconverged | seconds |\n|---|---|---|---|---|---|---|---|---|---|\n",
        scene.path, scene.system_kind, fmt::join(scene.options.restitution, ", "), scene.end,
        closed_form ? "closed form" : "event-driven integrator");
    for (const SchemeResult& result : results) {
        if (!result.not_applicable.empty()) {
            text +=
                fmt::format("| {} | not applicable: {} |\n", name_of(result.scheme), result.not_applicable);
        }
        for (const Comparison& r : result.runs) {
            if (!r.failure.empty()) {
                text += fmt::format("| {} | {:g} | failed: {} |\n", name_of(r.scheme), r.step, r.failure);
                continue;
            }
            text += fmt::format(
                "| {} | {:g} | {:.2e} | {:.2e} | {:.2e} | {:+.2e} | {:.1e} | {} | {} | {:.2g} |\n",
                name_of(r.scheme), r.step, r.position_max, r.position_mean, r.velocity_mean, r.energy,
                r.violation, r.iterations, r.unconverged, r.seconds);
        }
    }
    text +=
        "\nObserved order (slope of the logarithms, with its standard error):\n\n| scheme | position, max | "
        "position, L1 | velocity, L1 |\n|---|---|---|---|\n";
    for (const SchemeResult& result : results) {
        if (result.runs.size() < 2) continue;
        text += fmt::format(
            "| {} | {} | {} | {} |\n", name_of(result.scheme), order(result, &Comparison::position_max),
            order(result, &Comparison::position_mean), order(result, &Comparison::velocity_mean));
    }
    for (const SchemeResult& result : results) {
        if (result.runs.empty()) continue;
        for (const std::string& warning : result.runs.back().warnings) {
            text += fmt::format("\n{}: {}\n", name_of(result.scheme), warning);
        }
    }
    return text;
}

std::string csv(const std::vector<SchemeResult>& results) {
    std::string text =
        "scheme,step,position_max,position_l1,velocity_l1,energy,violation,iterations,unconverged,seconds\n";
    for (const SchemeResult& result : results) {
        for (const Comparison& r : result.runs) {
            if (!r.failure.empty()) continue;
            text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", name_of(r.scheme), r.step, r.position_max,
                                r.position_mean, r.velocity_mean, r.energy, r.violation, r.iterations,
                                r.unconverged, r.seconds);
        }
    }
    return text;
}

std::string plot(const LagrangeScene& scene, const std::vector<SchemeResult>& results) {
    std::vector<Curve> curves;
    for (const SchemeResult& result : results) {
        if (result.runs.empty()) continue;
        curves.push_back({std::string(name_of(result.scheme)), column(result, &Comparison::step),
                          column(result, &Comparison::position_max)});
    }
    return log_plot(scene.system_kind, "time step [s]", "largest error of a coordinate", curves);
}

}  // namespace

int converge(const ConvergeArguments& arguments) {
    const LagrangeScene scene = read_lagrange_scene(arguments.scene, arguments.settings);
    const std::vector<double> steps = read_steps(arguments.steps, scene);
    std::vector<SchemeResult> results;
    for (const SchemeKind kind : read_schemes(arguments.schemes)) {
        results.push_back({kind, broken_hypothesis(kind, *scene.system, scene.options).value_or(""), {}});
    }
    const std::string directory = results_directory(arguments.scene, arguments.out, "_convergence");
    keep_scene_apart(scene.path, directory);
    prepare_output_directory(directory, arguments.force);

    bool closed_form = false;
    for (const double h : steps) {
        const lagrange::Reference reference =
            make_reference(*scene.system, scene.start, scene.end, h, scene.options);
        closed_form = reference.closed_form;
        for (SchemeResult& result : results) {
            if (!result.not_applicable.empty()) continue;
            if (result.scheme == SchemeKind::event_driven && !closed_form) {
                result.not_applicable = "it is the reference itself";
                continue;
            }
            result.runs.push_back(
                compare(result.scheme, *scene.system, scene.start, h, scene.options, reference));
        }
    }
    const std::string table = markdown(scene, results, closed_form);
    write_file_atomically(directory + "/scene.toml", scene.text);
    write_file_atomically(directory + "/convergence.csv", csv(results));
    write_file_atomically(directory + "/convergence.md", table);
    write_file_atomically(directory + "/convergence.svg", plot(scene, results));
    fmt::print("{}\nresults      {}: convergence.csv, convergence.md, convergence.svg\n", table, directory);
    return kDone;
}

}  // namespace talus::app
