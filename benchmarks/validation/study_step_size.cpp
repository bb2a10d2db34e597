#include <fmt/format.h>

#include <cmath>

#include "deposit.hpp"
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

void judge_step(Report& report, double step, double rate, const Deposit& deposit) {
    const std::string at = fmt::format(", step {:g} ms", 1e3 * step);
    report.judge(within("silo, rate [kg/s]" + at, rate, 1.085, 0.05 * 1.085, "LAMMPS, 5 %"));
    report.judge(within("deposit, run-out over r0" + at, deposit.run_out, 1.03, 0.07 * 1.03, "LAMMPS, 7 %"));
    report.judge(within("deposit, height over r0" + at, deposit.height, 0.62, 0.07 * 0.62, "LAMMPS, 7 %"));
}

}  // namespace

void study_step_size(const Options& options) {
    Report report(options, "step_size",
                  {"h", "rate", "rate_error", "bulk_density", "run_out", "height", "deposit_unconverged",
                   "deposit_residual", "deposit_seconds"});
    for (const double h : values_of(options, {4e-3, 2e-3, 1e-3, 5e-4}, {4e-3, 2e-3})) {
        Options with_step = options;
        with_step.step = h;
        const Discharge silo = silo_discharge(with_step, 6.0);
        const Deposit deposit = deposit_of(with_step);
        report.point({h, silo.rate, silo.rate_error, silo.bulk_density, deposit.run_out, deposit.height,
                      static_cast<double>(deposit.record.unconverged), deposit.record.worst_residual,
                      deposit.record.seconds},
                     silo.record);
        judge_step(report, h, silo.rate, deposit);
    }
    report.finish();
}

}  // namespace talus::validation
