#include <fmt/format.h>
#include <vector>

#include "boxes.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"

namespace talus::bench {

namespace {

struct Surface {
    FrictionLaw law;
    double friction, rolling;
    int steps;  ///< the last one is timed: its contacts know their impulses
    const char* name;
};
constexpr Surface kSurfaces[] = {{FrictionLaw::inelastic, 0.0, 0.0, 10, "none"},
                                 {FrictionLaw::coulomb, 0.05, 0.0, 10, "coulomb"},
                                 {FrictionLaw::coulomb, 0.1, 0.0, 10, "coulomb"},
                                 {FrictionLaw::coulomb, 0.5, 0.0, 10, "coulomb"},
                                 {FrictionLaw::coulomb, 0.5, 0.1, 10, "coulomb and rolling 0.1"},
                                 {FrictionLaw::coulomb, 0.5, 0.0, 50, "coulomb 50th step"},
                                 {FrictionLaw::coulomb, 1.0, 0.0, 10, "coulomb"},
                                 {FrictionLaw::coulomb, 1.5, 0.0, 10, "coulomb"},
                                 {FrictionLaw::coulomb_relaxed, 0.5, 0.0, 10, "coulomb_relaxed"}};

StepOptions step_options() {
    StepOptions options;
    options.time_step = kBoxStep;
    return options;
}

/// Steps until the last one and takes the part of it that sorts and solves contacts.
StepReport last_step(System& system, int steps, double& seconds) {
    ContactStepper stepper(step_options());
    StepReport report;
    for (int step = 0; step < steps; ++step) report = stepper.step(system);
    seconds = report.times[Stage::prepare].seconds + report.times[Stage::solve].seconds;
    return report;
}

Row measure(const Options& options, const System& start, const Surface& surface) {
    std::vector<double> seconds(static_cast<std::size_t>(options.repeats));
    StepReport report;
    System system;
    for (double& time : seconds) {
        system = start;
        report = last_step(system, surface.steps, time);
    }
    Row row;
    row.stage = "friction";
    row.variant = fmt::format("{:g} {}", surface.friction, surface.name);
    row.bodies = start.particles.size();
    row.items = report.contacts;
    row.threads = thread_count();
    row.time = timing_of(seconds);
    row.iterations = report.solver.iterations;
    row.residual = report.solver.residual;
    row.hash = hash_of(system.particles.velocity);
    return row;
}

}  // namespace

// The tenth step from rest of a packing, without friction and with: the contacts' part of the step.
void bench_friction(const Options& options, int particles) {
    Box box = box_of(options, particles);
    bring_to_rest(box.system);
    for (const int threads : options.threads) {
        set_thread_count(threads);
        for (const Surface& surface : kSurfaces) {
            box.system.law.kind = surface.law;
            box.system.law.friction = surface.friction;
            box.system.law.rolling_friction = surface.rolling;
            print(options, measure(options, box.system, surface));
        }
    }
}

}  // namespace talus::bench
