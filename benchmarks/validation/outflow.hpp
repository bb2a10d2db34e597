#pragma once

#include <vector>

#include "talus/scene/simulation.hpp"

namespace talus::validation {

/// Watches a silo whose outlet is at height 0 while it runs out.
class Outflow {
public:
    /// A slab of the bed, over whose volume (2-D: area) the bulk density is taken.
    struct Slab {
        double low = 0.0, high = 0.0;  ///< heights [m]
        double section = 0.0;          ///< across [m^2; 2-D: m]
    };

    /// @param from nothing is recorded before [s].
    Outflow(double from, const Slab& slab) : from_(from), slab_(slab) {}

    void look(const Simulation& simulation);

    /// Mass that sinks below height 0 a second, the slope of a line through all looks [kg/s].
    double rate() const;
    /// Standard error of the rate, from the rates of four parts of the time [kg/s].
    double rate_error() const;
    /// Mass over volume of the slab, walls and all, mean over the looks [kg/m^3; 2-D: kg/m^2].
    double bulk_density() const;

private:
    double from_;
    Slab slab_;
    std::vector<double> time_, mass_above_, slab_mass_;  // [s], [kg], [kg] of each look
};

}  // namespace talus::validation
