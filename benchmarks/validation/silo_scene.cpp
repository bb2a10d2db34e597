#include "silo_scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "outflow.hpp"

namespace talus::validation {

Discharge silo_discharge(const Options& options, double orifice) {
    constexpr double kRadius = 0.1, kFill = 0.3;  // of the cylinder and its fill [m]
    constexpr double kLow = 0.08, kHigh = 0.18;   // of the slab for the bulk density [m]
    const double from = options.quick ? 0.02 : 0.1, end = options.quick ? 0.08 : 0.8;  // [s]
    SceneRun run(options, user_scene("silo_3d.toml"),
                 {fmt::format("parameters.orifice_radius={}*diameter", 0.5 * orifice),
                  fmt::format("time.end={}", end)});
    Outflow outflow(from, {kLow, kHigh, std::numbers::pi * kRadius * kRadius});
    run.to_end(4e-3, [&](const Simulation& simulation) { outflow.look(simulation); });
    constexpr double kDiameter = 0.01;  // [m]
    return {orifice,     kFill / kDiameter, outflow.rate(), outflow.rate_error(), outflow.bulk_density(),
            run.record()};
}

double beverloo_prefactor(const Discharge& discharge, double diameter, double exponent) {
    constexpr double kGravity = 9.81;  // [m/s^2]
    const double width = (discharge.orifice - kEmptyAnnulus) * diameter;
    return discharge.rate / (discharge.bulk_density * std::sqrt(kGravity) * std::pow(width, exponent));
}

}  // namespace talus::validation
