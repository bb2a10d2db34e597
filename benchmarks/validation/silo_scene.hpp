#pragma once

#include "scene_run.hpp"

namespace talus::validation {

/// How a silo ran out.
struct Discharge {
    double orifice = 0.0;       ///< its diameter over that of the grains [-]
    double fill = 0.0;          ///< height of the bed at the start, over the diameter of the grains [-]
    double rate = 0.0;          ///< [kg/s; 2-D: for each metre of depth]
    double rate_error = 0.0;    ///< standard error of it
    double bulk_density = 0.0;  ///< of the bed [kg/m^3; 2-D: kg/m^2]
    RunRecord record;
};

/// Runs scenes/silo_3d.toml, whose spheres fill a cylinder of 20 diameters to 30, with this orifice.
Discharge silo_discharge(const Options& options, double orifice);

/// W = C rho sqrt(g) (D - k d)^p, k = 1.4.
/// Source: W. A. Beverloo et al. 1961, Chem. Eng. Sci. 15:260.
double beverloo_prefactor(const Discharge& discharge, double diameter, double exponent);

constexpr double kEmptyAnnulus = 1.4;  ///< k of Beverloo's law [-]

}  // namespace talus::validation
