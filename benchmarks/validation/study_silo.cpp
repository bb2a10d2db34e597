#include <fmt/format.h>

#include <vector>

#include "fit.hpp"
#include "report.hpp"
#include "silo_scene.hpp"

namespace talus::validation {

namespace {

double lammps_rate(double orifice) {
    return orifice < 7.0 ? 1.085 : 2.627;  // [kg/s]
}

}  // namespace

void study_silo(const Options& options) {
    constexpr double kDiameter = 0.01;        // [m]
    constexpr double kLammpsSeconds = 240.0;  // CPU seconds for a simulated second
    Report report(options, "silo",
                  {"orifice", "run", "rate", "rate_error", "bulk_density", "C", "seconds_simulated"});
    for (const double orifice : values_of(options, {6.0, 8.0}, {6.0, 8.0})) {
        std::vector<double> rates, costs;
        for_each_run(options, [&](const Options& of_run, double run) {
            const Discharge silo = silo_discharge(of_run, orifice);
            rates.push_back(silo.rate);
            costs.push_back(silo.record.seconds / silo.record.simulated);
            report.point({orifice, run, silo.rate, silo.rate_error, silo.bulk_density,
                          beverloo_prefactor(silo, kDiameter, 2.5), costs.back()},
                         silo.record);
        });
        const double expected = lammps_rate(orifice);
        report.judge(within(fmt::format("rate [kg/s], D = {:g} d, mean", orifice), mean_of(rates), expected,
                            0.05 * expected, "LAMMPS, 5 %"));
        report.note(
            fmt::format("D = {:g} d: standard error of the mean {:.3f} kg/s; {:.0f} wall seconds a simulated "
                        "second; LAMMPS {:.0f}.",
                        orifice, mean_error_of(rates), mean_of(costs), kLammpsSeconds));
    }
    report.finish();
}

}  // namespace talus::validation
