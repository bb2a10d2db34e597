#include <fmt/format.h>

#include <cmath>

#include "boxes.hpp"
#include "stages.hpp"
#include "step_record.hpp"
#include "talus/core/parallel.hpp"
#include "talus/scene/generators.hpp"

namespace talus::bench {

namespace {

constexpr double kFraction = 0.5;                           // solid, of the box at the start
const double kUnitDensity = 3.0 / (4.0 * std::acos(-1.0));  // m = r^3

RadiusDistribution radii(double ratio) {
    RadiusDistribution law;
    law.kind = RadiusDistribution::Kind::log_uniform;
    law.low = 1.0 / ratio;
    law.high = 1.0;
    if (ratio == 1.0) {
        law.kind = RadiusDistribution::Kind::constant;
        law.mean = 1.0;
    }
    return law;
}

double edge_for(int particles, const RadiusDistribution& law) {
    return std::cbrt(particles * law.mean_power(3) / kUnitDensity / kFraction);
}

void fill(Box& box, int particles, const RadiusDistribution& law) {
    RandomFill place;
    place.count = particles;
    place.region.high = Vec3::Constant(box.size.x());
    ParticleSource source;
    source.fill = place;
    source.radius = law;
    source.density = kUnitDensity;
    source.seed = 1;
    generate(source, {}, box.system);
}

// The list of neighbours is built anew in every step.
StepRecord record_steps(System& system, int repeats) {
    constexpr int kUncounted = 20;  // steps in which the spheres meet
    StepOptions options;
    options.time_step = kBoxStep;
    ContactStepper stepper(options);
    StepRecord record;
    for (int n = 0; n < kUncounted + repeats; ++n) {
        stepper.particles_changed();
        StepReport report;
        const double seconds = seconds_of([&] { report = stepper.step(system); });
        if (n >= kUncounted) record.add(report, seconds);
    }
    return record;
}

void measure_ratio(const Options& options, const std::string& variant, const System& start) {
    for (const int threads : options.threads) {
        set_thread_count(threads);
        System system = start;
        const StepRecord record = record_steps(system, options.repeats);
        Row row = record.whole("size_ratio", variant, system.particles.size());
        row.hash = hash_of(system.particles.position);
        for (const Stage stage : {Stage::broad_phase, Stage::contacts, Stage::solve}) {
            print(options, record.part(stage, row));
        }
        print(options, row);
    }
}

}  // namespace

// Random fills of a box that fall on its floor: radii of one size, over one decade, over two, the same number
// in each octave; and equal ones around a giant a fifth of the box wide.
void bench_size_ratio(const Options& options, int particles) {
    for (const int ratio : {1, 10, 100}) {
        const RadiusDistribution law = radii(ratio);
        const double edge = edge_for(particles, law);
        Box box = empty_box(edge, edge);
        fill(box, particles, law);
        measure_ratio(options, fmt::format("1:{}", ratio), box.system);
    }
    const double edge = edge_for(particles, radii(1.0));
    const double giant = 0.1 * edge;
    Box box = empty_box(edge, edge);
    box.system.particles.add({0, Vec3::Constant(0.5 * edge), Vec3::Zero(), giant, giant * giant * giant});
    fill(box, particles, radii(1.0));
    measure_ratio(options, fmt::format("a giant of {:.1f}", giant), box.system);
}

}  // namespace talus::bench
