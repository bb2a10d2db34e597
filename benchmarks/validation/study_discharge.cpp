#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fit.hpp"
#include "outflow.hpp"
#include "report.hpp"
#include "silo_scene.hpp"

namespace talus::validation {

namespace {

const char* const kMankoc = "Beverloo 1961, Mankoc 2007; tolerance ours";

// A silo that fills itself. Lengths in largest diameters.
struct Silo {
    int dimension = 3;
    double orifice = 0.0, width = 0.0, fill = 0.0;
};

constexpr double kLargest = 0.01;  // diameter of the grains [m]

// As wide and high as the rate asks for: 2.5 orifices wide, and higher than 2 orifices and 20 grains.
Silo valid_silo(int dimension, double orifice) {
    if (dimension == 2) return {2, orifice, std::max(40.0, 2.5 * orifice), std::max(60.0, 3.5 * orifice)};
    return {3, orifice, std::max(20.0, 2.5 * orifice), std::max(22.0, 2.3 * orifice)};
}

Outflow::Slab slab_of(const Silo& silo) {
    const double width = silo.width * kLargest;
    const double section = silo.dimension == 2 ? width : 0.25 * std::numbers::pi * width * width;
    return {0.25 * silo.fill * kLargest, 0.5 * silo.fill * kLargest, section};
}

Discharge discharge_of(const Options& options, const Silo& silo) {
    const double settle = options.quick ? 0.02 : 0.15, flow = options.quick ? 0.06 : 0.6;  // [s]
    const double start_up = options.quick ? 0.02 : 0.1;                                    // of the flow [s]
    SceneRun run(
        options, validation_scene(fmt::format("discharge_{}d.toml", silo.dimension)),
        {fmt::format("parameters.orifice={}", silo.orifice), fmt::format("parameters.width={}", silo.width),
         fmt::format("parameters.fill={}", silo.fill), fmt::format("parameters.settle={}", settle),
         fmt::format("parameters.flow={}", flow)});
    Outflow outflow(settle + start_up, slab_of(silo));
    run.to_end(4e-3, [&](const Simulation& simulation) { outflow.look(simulation); });
    return {silo.orifice,           silo.fill,   outflow.rate(), outflow.rate_error(),
            outflow.bulk_density(), run.record()};
}

// The mean diameter is what counts in D - k d, and what orifices are given in below.
double mean_diameter(int dimension) {
    return (dimension == 2 ? 0.9 : 0.95) * kLargest;
}

Discharge in_mean_diameters(Discharge discharge, int dimension) {
    discharge.orifice *= kLargest / mean_diameter(dimension);
    discharge.fill *= kLargest / mean_diameter(dimension);
    return discharge;
}

Discharge discharge_through(const Options& options, int dimension, double orifice) {
    const double to_largest = mean_diameter(dimension) / kLargest;
    Silo silo = valid_silo(dimension, orifice * to_largest);
    if (options.quick) silo.fill = 10.0;
    return in_mean_diameters(discharge_of(options, silo), dimension);
}

void add_point(Report& report, const Discharge& d, double seed, int dimension) {
    const double c = beverloo_prefactor(d, mean_diameter(dimension), dimension - 0.5);
    report.point({d.orifice, d.fill, seed, d.rate, d.rate_error, d.bulk_density, c}, d.record);
}

// One run for each orifice and seed.
std::vector<Discharge> discharges_of(const Options& options, int dimension, Report& report,
                                     const std::vector<double>& orifices) {
    std::vector<Discharge> discharges;
    for (const double orifice : orifices) {
        for_each_seed(options, [&](const Options& seeded, double seed) {
            discharges.push_back(discharge_through(seeded, dimension, orifice));
            add_point(report, discharges.back(), seed, dimension);
        });
    }
    return discharges;
}

// Slope of log W over log (D - k d), both by the grains' diameter.
PowerLaw rate_law(const std::vector<Discharge>& discharges, double diameter, double k) {
    std::vector<double> width, rate;
    for (const Discharge& d : discharges) {
        width.push_back((d.orifice - k) * diameter);
        rate.push_back(d.rate / d.bulk_density);
    }
    return fit_power_law(width, rate);
}

// The k for which the law has the expected exponent, where there is one between 0 and 4.
void note_empty_annulus(Report& report, const std::vector<Discharge>& discharges, double diameter,
                        double expected) {
    double most = 4.0;
    for (const Discharge& d : discharges) most = std::min(most, 0.9 * d.orifice);
    const auto exponent = [&](double k) { return rate_law(discharges, diameter, k).exponent; };
    const double k =
        minimum_of([&](double annulus) { return std::abs(exponent(annulus) - expected); }, 0.0, most);
    constexpr double kNear = 1e-3;
    if (std::abs(exponent(k) - expected) > kNear) return;
    report.note(fmt::format("The exponent is {:g} with k = {:.2f}.", expected, k));
}

// Mankoc's law for outlets of all sizes: W = C' rho sqrt(g) (1 - exp(-b (D/d - 1))/2) (D - d)^p.
PowerLaw corrected_rate_law(std::vector<Discharge> discharges, int dimension) {
    const double b = dimension == 2 ? 0.23 : 0.051;
    for (Discharge& d : discharges) d.rate /= 1.0 - 0.5 * std::exp(-b * (d.orifice - 1.0));
    return rate_law(discharges, mean_diameter(dimension), 1.0);
}

void judge_law(Report& report, const std::vector<Discharge>& discharges, int dimension, double tolerance) {
    std::vector<double> orifices;
    for (const Discharge& d : discharges) orifices.push_back(d.orifice);
    if (!differ(orifices)) return;
    const double expected = dimension - 0.5, diameter = mean_diameter(dimension);
    const PowerLaw law = rate_law(discharges, diameter, kEmptyAnnulus);
    report.judge(
        within("exponent p of W = C rho sqrt(g) (D - 1.4 d)^p", law.exponent, expected, tolerance, kMankoc));
    const PowerLaw corrected = corrected_rate_law(discharges, dimension);
    report.judge(within("exponent p of Mankoc's law for outlets of all sizes", corrected.exponent, expected,
                        tolerance, "Mankoc 2007; tolerance ours"));
    report.note(fmt::format("Standard errors of the exponents: {:.3f} and {:.3f}.", law.exponent_error,
                            corrected.exponent_error));
    note_empty_annulus(report, discharges, diameter, expected);
}

std::vector<std::string> columns() {
    return {"orifice", "fill", "seed", "rate", "rate_error", "bulk_density", "C"};
}

// At one orifice, from a bed half as high as another.
void judge_fill_height(Report& report, const Options& options) {
    constexpr double kOrifice = 7.0;
    const double orifice = kOrifice * mean_diameter(3) / kLargest;
    std::vector<double> rates;  // sums over the seeds
    for (const double fill : {20.0, 40.0}) {
        const Silo silo{3, orifice, 20.0, options.quick ? 0.25 * fill : fill};
        rates.push_back(0.0);
        for_each_seed(options, [&](const Options& seeded, double seed) {
            const Discharge run = in_mean_diameters(discharge_of(seeded, silo), 3);
            rates.back() += run.rate;
            add_point(report, run, seed, 3);
        });
    }
    report.judge(within("rate at twice the fill height over the rate, D = 7 d", rates[1] / rates[0], 1.0,
                        0.05, "Mankoc 2007: independent; tolerance ours"));
}

}  // namespace

void study_discharge_2d(const Options& options) {
    Report report(options, "discharge_2d", columns());
    const auto discharges =
        discharges_of(options, 2, report, values_of(options, {8.0, 10.0, 14.0, 20.0}, {8.0, 14.0}));
    judge_law(report, discharges, 2, 0.1);
    report.finish();
}

void study_discharge_3d(const Options& options) {
    Report report(options, "discharge_3d", columns());
    const auto discharges =
        discharges_of(options, 3, report, values_of(options, {5.0, 7.0, 10.0, 14.0}, {5.0, 7.0}));
    std::vector<double> prefactors;
    for (const Discharge& d : discharges) prefactors.push_back(beverloo_prefactor(d, mean_diameter(3), 2.5));
    judge_law(report, discharges, 3, 0.15);
    report.judge({"prefactor C, mean", mean_of(prefactors), 0.55, 0.65, "Beverloo 1961: 0.58"});
    if (options.at.empty()) judge_fill_height(report, options);
    report.finish();
}

}  // namespace talus::validation
