#include <fmt/format.h>

#include <deque>

#include "boxes.hpp"
#include "stages.hpp"
#include "step_record.hpp"
#include "talus/bodies/memory_order.hpp"
#include "talus/core/parallel.hpp"
#include "talus/core/random.hpp"

namespace talus::bench {

namespace {

constexpr double kEverywhere = 1e6;  ///< beyond the size of any box

/// As the curve has them after each sphere has moved somewhere within `distance`, along each axis [m].
std::vector<Index> mixed_order(const Particles& particles, double distance) {
    constexpr std::uint64_t kSeed = 1;
    Particles moved = particles;
    for (std::size_t i = 0; i < moved.position.size(); ++i) {
        Random random(kSeed, i);
        for (int axis = 0; axis < 3; ++axis) moved.position[i][axis] += random.uniform(-distance, distance);
    }
    return curve_order(moved);
}

/// The same box with its spheres in another order in memory.
struct Arrangement {
    std::string name;
    System system;
    ContactStepper stepper;
    StepRecord record;
    std::vector<double> outside;  ///< seconds of the steps without those of the solver

    Arrangement(const std::string& order_name, const System& box, const std::vector<Index>& order,
                const StepOptions& options)
        : name(order_name), system(box), stepper(options) {
        system.particles.arrange(order);
        stepper.step(system);  // not counted: it has neither impulses nor a list of neighbours
    }
    void step() {
        StepReport report;
        const double seconds = seconds_of([&] { report = stepper.step(system); });
        record.add(report, seconds);
        outside.push_back(seconds - report.times[Stage::solve].seconds);
    }
};

void print_order(const Options& options, const std::deque<Arrangement>& arrangements) {
    double least = 0.0, least_outside = 0.0;
    for (const Arrangement& one : arrangements) {
        Row row = one.record.whole("order", one.name, one.system.particles.size());
        if (least == 0.0) least = row.time.median;
        row.speed_up = least / row.time.median;
        print(options, row);
        row.variant += " unsolved";
        row.time = timing_of(one.outside);
        row.iterations = 0;
        row.residual = 0.0;
        if (least_outside == 0.0) least_outside = row.time.median;
        row.speed_up = least_outside / row.time.median;
        print(options, row);
    }
}

}  // namespace

// With the list of neighbours of a packing at rest, and with one that is built in every step, as where grains
// flow.
void bench_order(const Options& options, int particles) {
    set_thread_count(options.threads.front());
    const System box = box_of(options, particles).system;
    StepOptions step;
    step.time_step = kBoxStep;
    step.solver.tolerance = 1e-2;
    for (const bool flows : {false, true}) {
        if (flows) step.skin = 0.0;
        const std::string state = flows ? "new list" : "old list";
        std::deque<Arrangement> arrangements;
        const auto add = [&](const std::string& order, double distance) {
            arrangements.emplace_back(order + ' ' + state, box, mixed_order(box.particles, distance), step);
        };
        add("curve", 0.0);
        for (const double distance : {10.0, 20.0}) {
            add(fmt::format("mixed {:.0f} r", distance), distance);
        }
        add("shuffled", kEverywhere);
        for (int n = 0; n < options.repeats; ++n) {
            for (Arrangement& one : arrangements) one.step();
        }
        print_order(options, arrangements);
    }
}

}  // namespace talus::bench
