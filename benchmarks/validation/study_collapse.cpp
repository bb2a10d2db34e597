#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "deposit.hpp"
#include "fit.hpp"
#include "report.hpp"

namespace talus::validation {

namespace {

constexpr double kDiameter = 0.01;  // largest [m]
constexpr double kGravity = 9.81;   // [m/s^2]

struct Column {
    int dimension;
    double aspect;  // height over width of its place; the column that settles there is measured
    double width;   // half width or radius, in largest diameters
};

struct Collapse {
    double nominal = 0.0;                 // aspect ratio that was asked for
    double aspect = 0.0;                  // of the settled column
    double run_out = 0.0, covered = 0.0;  // by mass and by coverage, over the width of the column
    double height = 0.0, time = 0.0;      // over the width; over sqrt(H0/g)
    RunRecord record;
};

struct Shape {
    double time = 0.0, front = 0.0, covered = 0.0, summit = 0.0;  // [s], [m]
};

// Of a column with so many grains at least, and at least so many grains wide.
Column column_of(const Options& options, int dimension, double aspect) {
    const double grains = options.quick ? 300.0 : dimension == 2 ? 2000.0 : 10000.0;
    const double least = options.quick ? 4.0 : dimension == 2 ? 20.0 : 12.0;
    // Grains of a column of width = height = 1 diameter, solid fractions 0.8 and 0.6.
    const double unit = dimension == 2 ? 1.26 : 4.2;
    const double width = std::pow(grains / (unit * aspect), 1.0 / dimension);
    return {dimension, aspect, std::ceil(std::max(least, width))};
}

Shape shape_of(const System& system) {
    constexpr double kShare = 0.99;                                // of the mass
    const double floor = system.dimension == 2 ? 0.0 : kDiameter;  // spheres lie on frozen ones
    return {system.time, front(system, kShare), covered_front(system, kDiameter), summit(system) - floor};
}

// When the front had made 95 % of its way, from the release on [s].
double stopping_time(const std::vector<Shape>& shapes) {
    constexpr double kNearly = 0.95;
    const double goal = shapes.front().front + kNearly * (shapes.back().front - shapes.front().front);
    for (const Shape& shape : shapes) {
        if (shape.front >= goal) return shape.time - shapes.front().time;
    }
    return 0.0;
}

Collapse summarised(const std::vector<Shape>& shapes, const Column& column) {
    const Shape &start = shapes.front(), &end = shapes.back();
    const double width = column.width * kDiameter;
    Collapse collapse;
    collapse.nominal = column.aspect;
    collapse.aspect = start.summit / width;
    collapse.run_out = end.front / start.front - 1.0;
    collapse.covered = end.covered / width - 1.0;
    collapse.height = end.summit / width;
    collapse.time = stopping_time(shapes) / std::sqrt(start.summit / kGravity);
    return collapse;
}

Collapse collapse_of(const Options& options, const Column& column) {
    const double settle = options.quick ? 0.05 : 0.15;  // [s]
    SceneRun run(
        options, validation_scene(fmt::format("collapse_{}d.toml", column.dimension)),
        {fmt::format("parameters.aspect={}", column.aspect), fmt::format("parameters.width={}", column.width),
         fmt::format("parameters.settle={}", settle)});
    std::vector<Shape> shapes;
    run.to_end(4e-3, [&](const Simulation& simulation) {
        constexpr double kRounding = 1e-9;  // of times [s]
        if (simulation.system().time >= settle - kRounding) shapes.push_back(shape_of(simulation.system()));
    });
    if (shapes.empty()) throw std::runtime_error("the run ended before the column was let go");
    Collapse collapse = summarised(shapes, column);
    collapse.record = run.record();
    return collapse;
}

// What is known of the exponents: below and above the change-over.
struct Expected {
    double from;                     // aspect ratio where the second law begins [-]
    double above, tolerance;         // exponent of the run-out
    double height_low, height_high;  // exponent of the final height, above, within 0.1
    const char* source;
};

// Aspect ratio up to which the first law holds: 2, and the columns are some per cent higher than asked for
// [-].
constexpr double kFirstLawEnds = 2.2;

template <class Quantity>
std::optional<PowerLaw> law_of(const std::vector<Collapse>& collapses, double low, double high,
                               const Quantity& quantity) {
    std::vector<double> nominal, aspect, value;
    for (const Collapse& c : collapses) {
        if (c.aspect < low || c.aspect > high) continue;
        nominal.push_back(c.nominal);
        aspect.push_back(c.aspect);
        value.push_back(quantity(c));
    }
    if (!differ(nominal)) return std::nullopt;
    return fit_power_law(aspect, value);
}

void judge_law(Report& report, const std::string& name, const std::optional<PowerLaw>& law, double exponent,
               double tolerance, const char* source) {
    if (!law) return;
    report.judge(within(name + ", exponent", law->exponent, exponent, tolerance, source));
    report.note(fmt::format("{}: {:.2f} a^{:.2f}, standard error of the exponent {:.2f}.", name,
                            law->prefactor, law->exponent, law->exponent_error));
}

template <class Quantity>
void judge_run_out(Report& report, const std::vector<Collapse>& collapses, const Expected& expected,
                   const std::string& name, const Quantity& quantity) {
    judge_law(report, name + " up to a = 2", law_of(collapses, 0.0, kFirstLawEnds, quantity), 1.0, 0.1,
              expected.source);
    judge_law(report, fmt::format("{} from a = {:g} on", name, expected.from),
              law_of(collapses, expected.from, HUGE_VAL, quantity), expected.above, expected.tolerance,
              expected.source);
}

void judge_height(Report& report, const std::vector<Collapse>& collapses, const Expected& expected) {
    constexpr double kTolerance = 0.1;
    const std::string name = fmt::format("final height from a = {:g} on", expected.from);
    const double middle = 0.5 * (expected.height_low + expected.height_high);
    judge_law(report, name,
              law_of(collapses, expected.from, HUGE_VAL, [](const Collapse& c) { return c.height; }), middle,
              expected.height_high - middle + kTolerance, expected.source);
}

void judge_collapses(Report& report, const std::vector<Collapse>& collapses, const Expected& expected) {
    judge_run_out(report, collapses, expected, "run-out (99 % of the mass)",
                  [](const Collapse& c) { return c.run_out; });
    judge_run_out(report, collapses, expected, "run-out (half covered)",
                  [](const Collapse& c) { return c.covered; });
    judge_height(report, collapses, expected);
    std::vector<double> times;
    for (const Collapse& c : collapses) times.push_back(c.time);
    report.judge(
        {"time to 95 % of the way over sqrt(H0/g), mean", mean_of(times), 2.2, 4.0, expected.source});
}

void study_collapse(const Options& options, int dimension, const std::vector<double>& aspects,
                    const Expected& expected) {
    Report report(options, fmt::format("collapse_{}d", dimension),
                  {"aspect", "width", "seed", "run_out", "covered_run_out", "height", "time"});
    std::vector<Collapse> collapses;
    for (const double aspect : values_of(options, aspects, {1.0, 3.0})) {
        const Column column = column_of(options, dimension, aspect);
        for_each_seed(
            options,
            [&](const Options& seeded, double seed) {
                collapses.push_back(collapse_of(seeded, column));
                const Collapse& c = collapses.back();
                report.point({c.aspect, column.width, seed, c.run_out, c.covered, c.height, c.time},
                             c.record);
            },
            dimension == 2 ? 0 : 1);
    }
    judge_collapses(report, collapses, expected);
    report.finish();
}

}  // namespace

void study_collapse_2d(const Options& options) {
    study_collapse(options, 2, {0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0},
                   {2.8, 0.7, 0.07, 0.35, 0.35,
                    "Staron, Hinch 2005; Lube et al. 2005 (where the laws hold); tolerance ours"});
}

void study_collapse_3d(const Options& options) {
    study_collapse(
        options, 3, {0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0},
        {2.8, 0.5, 0.07, 0.0, 1.0 / 6.0, "Lajeunesse et al. 2005, Lube et al. 2004; tolerance ours"});
}

}  // namespace talus::validation
