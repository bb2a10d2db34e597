#include <fmt/format.h>

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
                  {"orifice", "rate", "rate_error", "bulk_density", "C", "seconds_simulated"});
    for (const double orifice : values_of(options, {6.0, 8.0}, {6.0, 8.0})) {
        const Discharge silo = silo_discharge(options, orifice);
        const double cost = silo.record.seconds / silo.record.simulated;
        report.point({orifice, silo.rate, silo.rate_error, silo.bulk_density,
                      beverloo_prefactor(silo, kDiameter, 2.5), cost},
                     silo.record);
        const double expected = lammps_rate(orifice);
        report.judge(within(fmt::format("rate [kg/s], D = {:g} d", orifice), silo.rate, expected,
                            0.05 * expected, "LAMMPS, 5 %"));
        report.note(fmt::format("D = {:g} d: {:.0f} wall seconds a simulated second; LAMMPS {:.0f}.", orifice,
                                cost, kLammpsSeconds));
    }
    report.finish();
}

}  // namespace talus::validation
