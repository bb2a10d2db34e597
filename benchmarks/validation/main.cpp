#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>
#include <vector>

#include "study.hpp"
#include "talus/core/parallel.hpp"

namespace {

using namespace talus::validation;

struct Study {
    const char* name;
    void (*run)(const Options& options);
    const char* what;
};

constexpr Study kStudies[] = {
    {"discharge_3d", study_discharge_3d, "rate of a flat silo over the orifice's diameter: 5/2 law"},
    {"discharge_2d", study_discharge_2d, "the same for discs: 3/2 law"},
    {"silo", study_silo, "rate and cost of scenes/silo_3d.toml beside LAMMPS, orifices of 6 and 8"},
    {"outlet_blocked", study_outlet_blocked, "narrow outlets: nothing passes, or an arch ends the flow"},
    {"collapse_2d", study_collapse_2d, "run-out of a column of discs over its aspect ratio"},
    {"collapse_3d", study_collapse_3d, "run-out of a round column of spheres over its aspect ratio"},
    {"packing", study_packing, "solid fraction and contact number of settled packings"},
    {"janssen", study_janssen, "pressure on the bottom of a tube over the fill height"},
    {"step_size", study_step_size, "silo and deposit with steps of 4, 2, 1 and 0.5 ms"}};

std::string footer() {
    std::string text = "Studies, and the parameter that --at gives values to:\n";
    for (const Study& study : kStudies) text += fmt::format("  {:<15} {}\n", study.name, study.what);
    return text +
           "Each writes STUDY.csv, STUDY.md and, with gnuplot, STUDY.svg. docs/validation.md says what\n"
           "is measured, how, and where the expected numbers come from.";
}

void add_options(CLI::App& app, Options& options, int& threads) {
    app.add_option("--out", options.out, "folder of the reports")->capture_default_str();
    app.add_flag("--quick", options.quick, "few small runs, to see whether the command works");
    app.add_option("--threads", threads, "threads")->check(CLI::Range(1, 4096))->capture_default_str();
    app.add_option("--step", options.step, "time step in place of the scenes' own [s]")
        ->check(CLI::PositiveNumber);
    app.add_option("--set", options.settings,
                   "a value of every scene, such as solver.friction_iterations=1000; once for each")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_option("--at", options.at, "only these values of the study's parameter, such as 5,7")
        ->delimiter(',')
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", options.first_seed,
                   "seed of the (first) random fill of each kind; silo and step_size run given packings: "
                   "number of the run")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    app.add_option("--seeds", options.seeds, "runs of each kind, with --seed and the seeds after it")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.get_formatter()->column_width(32);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Reproduces laboratory numbers of grains with friction."};
    app.footer(footer());
    Options options;
    int threads = 1;
    std::string name;
    std::vector<std::string> known;
    for (const Study& study : kStudies) known.emplace_back(study.name);
    app.add_option("study", name, "one of the studies below")->required()->check(CLI::IsMember(known));
    add_options(app, options, threads);
    CLI11_PARSE(app, argc, argv);
    try {
        talus::set_thread_count(threads);
        for (const Study& study : kStudies) {
            if (name != study.name) continue;
            study.run(options);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "talus-validate: {}\n", error.what());
        return 2;
    }
    return 0;
}
