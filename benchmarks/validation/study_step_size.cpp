#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "deposit.hpp"
#include "fit.hpp"
#include "outflow.hpp"
#include "report.hpp"
#include "silo_scene.hpp"

namespace talus::validation {

namespace {

constexpr double kDiameter = 0.01;      // of the spheres of both scenes [m]
constexpr double kColumnRadius = 0.12;  // of scenes/deposit_3d.toml [m]

struct Deposit {
    double run_out, height;  // half covered; of the highest centre: over the radius of the column [-]
    RunRecord record;
};

Deposit deposit_of(const Options& options) {
    SceneRun run(options, user_scene("deposit_3d.toml"),
                 {fmt::format("time.end={}", options.quick ? 0.02 : 0.45)});
    run.to_end(HUGE_VAL, [](const Simulation&) {});
    return {covered_front(run.system(), kDiameter) / kColumnRadius - 1.0,
            (summit(run.system()) - 0.5 * kDiameter) / kColumnRadius, run.record()};
}

// What was measured with one step, a value for each run.
struct Measured {
    std::vector<double> rate, run_out, height;
};

Measured measure_step(const Options& options, double step, Report& report) {
    Measured all;
    for_each_run(options, [&](const Options& of_run, double run) {
        Options with_step = of_run;
        with_step.step = step;
        const Discharge silo = silo_discharge(with_step, 6.0);
        const Deposit deposit = deposit_of(with_step);
        report.point({step, run, silo.rate, silo.rate_error, silo.bulk_density, deposit.run_out,
                      deposit.height, static_cast<double>(deposit.record.unconverged),
                      deposit.record.worst_residual, deposit.record.seconds},
                     silo.record);
        all.rate.push_back(silo.rate);
        all.run_out.push_back(deposit.run_out);
        all.height.push_back(deposit.height);
    });
    return all;
}

void judge_step(Report& report, double step, const Measured& measured) {
    const std::string at = fmt::format(", step {:g} ms, mean", 1e3 * step);
    const auto judge = [&](const char* what, const std::vector<double>& values, double expected, double part,
                           const char* source) {
        report.judge(within(what + at, mean_of(values), expected, part * expected, source));
    };
    judge("silo, rate [kg/s]", measured.rate, 1.085, 0.05, "LAMMPS, 5 %");
    judge("deposit, run-out over r0", measured.run_out, 1.03, 0.07, "LAMMPS, 7 %");
    judge("deposit, height over r0", measured.height, 0.62, 0.07, "LAMMPS, 7 %");
    report.note(fmt::format("Step {:g} ms: standard errors of the means {:.3f} kg/s, {:.3f} and {:.3f} r0.",
                            1e3 * step, mean_error_of(measured.rate), mean_error_of(measured.run_out),
                            mean_error_of(measured.height)));
}

}  // namespace

void study_step_size(const Options& options) {
    Report report(options, "step_size",
                  {"h", "run", "rate", "rate_error", "bulk_density", "run_out", "height",
                   "deposit_unconverged", "deposit_residual", "deposit_seconds"});
    for (const double h : values_of(options, {4e-3, 2e-3, 1e-3, 5e-4}, {4e-3, 2e-3})) {
        judge_step(report, h, measure_step(options, h, report));
    }
    report.finish();
}

}  // namespace talus::validation
