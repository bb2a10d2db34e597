#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "stages.hpp"

namespace {

using namespace talus::bench;

struct StageOf {
    const char* name;
    void (*run)(const Options& options, int particles);
    const char* what;
};

constexpr StageOf kStages[] = {
    {"broad_phase", bench_broad_phase, "candidate pairs of random spheres, every method"},
    {"contacts", bench_contacts, "gaps and normals of a box's candidates and walls"},
    {"operator", bench_operator,
     "200 iterations of the default solver: ns per contact, bandwidth beside triad"},
    {"projection", bench_projection, "two steps of a creeping box: every solver, cold and warm"},
    {"packings", bench_packings, "two steps from rest: every solver, cold and warm, beside other codes"},
    {"friction", bench_friction, "the tenth step from rest of a packing, without friction and with"},
    {"growth", bench_growth,
     "steps of boxes and columns: time, iterations, memory over the number of spheres"},
    {"scaling", bench_scaling, "ten steps over --threads in turns: strong and weak"},
    {"order", bench_order, "steps of a box whose spheres are in disorder in memory"},
    {"size_ratio", bench_size_ratio, "steps of radii 1:1, 1:10, 1:100 and of one giant among equals"},
    {"hopper", bench_hopper, "seconds per simulated second of scenes/hopper_3d.toml, by stage"},
    {"write", bench_write, "one frame to disk; steps with frames and without"}};

std::string footer() {
    std::string text = "Stages, each for every number of --particles:\n";
    for (const StageOf& stage : kStages) text += fmt::format("  {:<12} {}\n", stage.name, stage.what);
    return text +
           "One run comes before the counted ones, the same state before each; minimum and median of the "
           "wall clock, a "
           "hash of the result. Compare rows of one run only, and quote ratios. docs/benchmarks.md says what "
           "is "
           "measured and how.";
}

void add_options(CLI::App& app, Options& options) {
    const CLI::Range spheres(8, 4000000), runs(1, 1000), counts(1, 4096), times(0.0, 1e6);
    app.add_option("--particles", options.particles, "numbers of spheres, such as 1000,8000")
        ->delimiter(',')
        ->check(spheres);
    app.add_option("--tile", options.tile,
                   "spheres of the largest box that is settled; larger ones mirror it")
        ->check(spheres);
    app.add_option("--data", options.data, "directory of box_1k.csv.gz and so on, in place of settled boxes")
        ->check(CLI::ExistingDirectory);
    app.add_option("--solvers", options.solvers,
                   "of packings and projection: monotone_pgs,clip_cg,apgd,uzawa")
        ->delimiter(',')
        ->check(CLI::IsMember(options.solvers));
    app.add_option("--scene", options.scene, "of hopper");
    app.add_option("--filling", options.filling, "time that hopper runs before it is measured [s]")
        ->check(times);
    app.add_option("--window", options.window, "time that hopper is measured for [s]")->check(times);
    app.add_option("--repeats", options.repeats, "counted runs")->check(runs);
    app.add_option("--threads", options.threads, "thread counts, such as 1,2,4")
        ->delimiter(',')
        ->check(counts);
    app.add_option("--csv", options.csv, "append the rows to this file");
    app.get_formatter()->column_width(32);
}

void run_stages(const std::string& name, const Options& options) {
    for (const StageOf& stage : kStages) {
        if (name != "all" && name != stage.name) continue;
        for (const int particles : options.particles) stage.run(options, particles);
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Times the stages of a talus step."};
    app.footer(footer());
    Options options;
    options.scene = TALUS_SCENES "/hopper_3d.toml";
    std::vector<std::string> names;
    std::vector<std::string> known = {"all"};
    for (const StageOf& stage : kStages) known.emplace_back(stage.name);
    app.add_option("stage", names, "stages, or all")->required()->check(CLI::IsMember(known));
    add_options(app, options);
    CLI11_PARSE(app, argc, argv);
    try {
        print_header();
        for (const std::string& name : names) run_stages(name, options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "talus-bench: {}\n", error.what());
        return 2;
    }
    return 0;
}
