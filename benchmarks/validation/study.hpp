#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

/// Studies that reproduce laboratory numbers. Each runs scenes with several values of one parameter, fits
/// what it measures and writes a report. docs/validation.md defines every measured quantity.
namespace talus::validation {

struct Options {
    std::string out = "results/validation";  ///< folder of the reports
    bool quick = false;  ///< few small runs: whether the command works, not whether it is right
    double step = 0.0;   ///< in place of the step of the scenes [s]; 0: theirs
    std::vector<std::string> settings;  ///< "key=value" for every scene, after those of the study
    std::vector<double> at;             ///< in place of the values of the study's parameter; empty: all
    int first_seed = 1;                 ///< of the random fills, or number of the run of a given packing
    int seeds = 1;                      ///< how many of each kind: with this seed and those after it
};

/// Values of its parameter that a study runs.
inline std::vector<double> values_of(const Options& options, const std::vector<double>& full,
                                     const std::vector<double>& quick) {
    if (!options.at.empty()) return options.at;
    return options.quick ? quick : full;
}

/// The options with this seed for the scene's random fill. It comes last: a seed among `settings` has no
/// effect. @param particles number of the fill among the scene's [[particles]].
inline Options with_seed(Options options, int seed, int particles = 0) {
    options.settings.push_back(fmt::format("particles[{}].seed={}", particles, seed));
    return options;
}

/// Calls visit(options with the seed, seed) for each seed.
template <class Visit>
void for_each_seed(const Options& options, const Visit& visit, int particles = 0) {
    for (int seed = options.first_seed; seed < options.first_seed + options.seeds; ++seed) {
        visit(with_seed(options, seed, particles), static_cast<double>(seed));
    }
}

/// For a packing that is given: the options with gravity along z that differs by (number - 1) parts in 1e9.
/// Grains amplify any difference, so that each number makes another run of the same experiment. Gravity
/// among `settings` has no effect.
inline Options with_run(Options options, int number) {
    constexpr double kGravity = 9.81, kPart = 1e-9;
    options.settings.push_back(
        fmt::format("gravity=[0.0, 0.0, {}]", -kGravity * (1.0 + (number - 1) * kPart)));
    return options;
}

/// Calls visit(options of the run, number) for each run of a given packing.
template <class Visit>
void for_each_run(const Options& options, const Visit& visit) {
    for (int run = options.first_seed; run < options.first_seed + options.seeds; ++run) {
        visit(with_run(options, run), static_cast<double>(run));
    }
}

void study_collapse_2d(const Options& options);
void study_collapse_3d(const Options& options);
void study_discharge_2d(const Options& options);
void study_discharge_3d(const Options& options);
void study_janssen(const Options& options);
void study_outlet_blocked(const Options& options);
void study_packing(const Options& options);
void study_silo(const Options& options);
void study_step_size(const Options& options);

}  // namespace talus::validation
