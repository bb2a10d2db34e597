#include "outflow.hpp"

#include <algorithm>
#include <cmath>

#include "fit.hpp"

namespace talus::validation {

namespace {

double mass_between(const System& system, double low, double high) {
    const Particles& p = system.particles;
    double mass = 0.0;
    for (Index i = 0; i < p.size(); ++i) {
        const double height = p.position[i][system.dimension - 1];
        if (low <= height && height < high) mass += p.mass[i];
    }
    return mass;
}

}  // namespace

void Outflow::look(const Simulation& simulation) {
    const System& system = simulation.system();
    constexpr double kRounding = 1e-9;  // of times [s]
    if (system.time < from_ - kRounding) return;
    time_.push_back(system.time);
    mass_above_.push_back(mass_between(system, 0.0, HUGE_VAL));
    slab_mass_.push_back(mass_between(system, slab_.low, slab_.high));
}

double Outflow::rate() const {
    return -fit_line(time_, mass_above_).slope;
}

double Outflow::rate_error() const {
    constexpr std::ptrdiff_t kParts = 4;
    const auto looks = std::ssize(time_);
    std::vector<double> rates;
    for (std::ptrdiff_t part = 0; part < kParts; ++part) {
        const auto begin = looks * part / kParts, end = std::min(looks, looks * (part + 1) / kParts + 1);
        const std::vector<double> time(time_.begin() + begin, time_.begin() + end);
        const std::vector<double> mass(mass_above_.begin() + begin, mass_above_.begin() + end);
        rates.push_back(-fit_line(time, mass).slope);
    }
    const double mean = mean_of(rates);
    double square = 0.0;
    for (const double rate : rates) square += (rate - mean) * (rate - mean);
    return std::sqrt(square / (kParts - 1) / kParts);
}

double Outflow::bulk_density() const {
    return mean_of(slab_mass_) / (slab_.section * (slab_.high - slab_.low));
}

}  // namespace talus::validation
