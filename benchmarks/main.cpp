#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <map>

#include "stages.hpp"
#include "talus/core/parallel.hpp"

namespace {

using namespace talus::bench;

const std::map<std::string, void (*)(const Options&)> kStages = {
    {"broad_phase", bench_broad_phase}, {"contacts", bench_contacts}, {"operator", bench_operator},
    {"projection", bench_projection},   {"write", bench_write},       {"scaling", bench_scaling}};

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{
        "Times the stages of a talus step. One run before the counted ones, the same state before each, "
        "minimum and "
        "median of the wall clock, a hash of the result. Compare rows of one run only, and quote ratios."};
    Options options;
    std::vector<std::string> names;
    app.add_option("stage", names, "broad_phase, contacts, operator, projection, write, scaling; or all")
        ->required();
    app.add_option("--particles", options.particles, "spheres of the settled box")
        ->check(CLI::Range(8, 4000000));
    app.add_option("--repeats", options.repeats, "counted runs")->check(CLI::Range(1, 1000));
    app.add_option("--threads", options.threads, "thread counts, such as 1,2,4")
        ->delimiter(',')
        ->check(CLI::Range(1, 4096));
    app.add_option("--csv", options.csv, "append the rows to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        print_header();
        for (const std::string& name : names) {
            if (name == "all") {
                for (const auto& [stage, run] : kStages) run(options);
            } else if (kStages.contains(name)) {
                kStages.at(name)(options);
            } else {
                fmt::print(stderr,
                           "talus-bench: no stage '{}'; there are broad_phase, contacts, operator, "
                           "projection, write, scaling\n",
                           name);
                return 1;
            }
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "talus-bench: {}\n", error.what());
        return 2;
    }
    return 0;
}
