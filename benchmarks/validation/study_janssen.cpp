#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "fit.hpp"
#include "report.hpp"
#include "talus/measure/walls.hpp"

namespace talus::validation {

namespace {

constexpr double kSpeed = 0.01;        // of the bottom that sinks [m/s]
constexpr double kRadius = 0.05;       // of the tube [m]
constexpr double kGravity = 9.81;      // [m/s^2]
constexpr double kWallFriction = 0.5;  // [-]

struct Fill {
    double height = 0.0;      // of the bed: twice that of its centre of mass above the bottom [m]
    double weight = 0.0;      // [N]
    double base_force = 0.0;  // mean over the last 0.1 s, downwards [N]
    double scatter = 0.0;     // standard deviation of single steps, over the mean [-]
    RunRecord record;

    double carried() const { return base_force / weight; }
};

double force_on_bottom(const SceneRun& run) {
    const std::vector<std::string> names = wall_names(run.system().walls);
    const auto number = std::find(names.begin(), names.end(), "bottom") - names.begin();
    return -wall_forces(run.system(), run.simulation().contacts_of_step(), run.step()).at(number).z();
}

void weigh(Fill& fill, const System& system, double bottom) {
    const Particles& p = system.particles;
    double mass = 0.0, moment = 0.0;
    for (Index i = 0; i < p.size(); ++i) {
        mass += p.mass[i];
        moment += p.mass[i] * (p.position[i].z() - bottom);
    }
    fill.weight = mass * kGravity;
    fill.height = 2.0 * moment / mass;
}

Fill fill_of(const Options& options, double height, std::vector<std::string> settings) {
    const double settle = options.quick ? 0.1 : 0.3, sink = options.quick ? 0.1 : 0.5;  // [s]
    settings.insert(settings.end(),
                    {fmt::format("parameters.fill={}", height), fmt::format("parameters.speed={}", kSpeed),
                     fmt::format("parameters.settle={}", settle), fmt::format("parameters.sink={}", sink)});
    SceneRun run(options, validation_scene("janssen.toml"), settings);
    const double from = settle + sink - (options.quick ? 0.05 : 0.1);
    std::vector<double> forces;
    run.to_end(0.0, [&](const Simulation& simulation) {
        if (simulation.system().time > from) forces.push_back(force_on_bottom(run));
    });
    if (forces.empty()) throw std::runtime_error("the run ended before the bottom had sunk");
    Fill fill;
    weigh(fill, run.system(), -kSpeed * sink);
    fill.base_force = mean_of(forces);
    double square = 0.0;
    for (const double force : forces) square += std::pow(force / fill.base_force - 1.0, 2);
    fill.scatter = std::sqrt(square / static_cast<double>(forces.size()));
    fill.record = run.record();
    return fill;
}

void add_point(Report& report, const Fill& fill, double seed, double wall_friction) {
    const double area = std::numbers::pi * kRadius * kRadius;
    report.point({wall_friction, seed, fill.height, fill.base_force / area, fill.weight / area,
                  fill.carried(), fill.scatter},
                 fill.record);
}

// Share of the weight that the bottom carries: Lam/z (1 - exp(-z/Lam)).
double janssen_share(double height, double k) {
    const double length = kRadius / (2.0 * k * kWallFriction);
    return length / height * (1.0 - std::exp(-height / length));
}

double worst_miss(const std::vector<Fill>& fills, double k) {
    double worst = 0.0;
    for (const Fill& fill : fills) {
        worst = std::max(worst, std::abs(fill.carried() / janssen_share(fill.height, k) - 1.0));
    }
    return worst;
}

double fitted_k(const std::vector<Fill>& fills) {
    return minimum_of(
        [&](double k) {
            double sum = 0.0;
            for (const Fill& f : fills)
                sum += std::pow(std::log(f.carried() / janssen_share(f.height, k)), 2);
            return sum;
        },
        0.01, 3.0);
}

// The better test: without friction of the tube the bottom carries everything.
void judge_frictionless(Report& report, const Options& options, double height) {
    const Options seeded = with_seed(options, options.first_seed);
    const Fill tube = fill_of(seeded, height, {"parameters.wall_friction=0.0"});
    add_point(report, tube, options.first_seed, 0.0);
    report.judge(within("force on the bottom over weight, tube without friction", tube.carried(), 1.0, 0.01,
                        "balance of momentum"));
    // Without friction the bed creeps on as long as the solver's tolerance lets it.
    const Fill all = fill_of(seeded, height,
                             {"parameters.wall_friction=0.0", "parameters.friction=0.0",
                              "solver.tolerance=1e-6", "solver.overlap_tolerance=1e-6"});
    add_point(report, all, options.first_seed, 0.0);
    report.judge(within("the same, no friction at all", all.carried(), 1.0, 0.01, "balance of momentum"));
}

}  // namespace

void study_janssen(const Options& options) {
    Report report(options, "janssen",
                  {"wall_friction", "seed", "height", "pressure", "hydrostatic", "carried", "scatter"});
    std::vector<Fill> fills;
    for (const double height : values_of(options, {5.0, 10.0, 20.0, 40.0}, {5.0, 10.0})) {
        for_each_seed(options, [&](const Options& seeded, double seed) {
            fills.push_back(fill_of(seeded, height, {}));
            add_point(report, fills.back(), seed, kWallFriction);
        });
    }
    const double k = fitted_k(fills);
    report.judge({"largest miss of Janssen's law with the fitted K", worst_miss(fills, k), 0.0, 0.15,
                  "Landry et al. 2004: not exact; tolerance ours"});
    report.note(fmt::format("K = {:.3f}, Lam = {:.2f} tube radii.", k, 0.5 / (k * kWallFriction)));
    judge_frictionless(report, options, options.quick ? 5.0 : 20.0);
    report.finish();
}

}  // namespace talus::validation
