#pragma once

#include <string>
#include <vector>

#include "talus/scene/scene.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// How far things move in one step, from what the scene says before anything has moved.
struct StepAdvice {
    double fall_speed = 0.0;       ///< of a free fall through the height of particles and bounded walls [m/s]
    double particle_speed = 0.0;   ///< largest at the start and from inlets [m/s]
    double wall_speed = 0.0;       ///< largest of any point of a bounded wall [m/s]
    double radius_rate = 0.0;      ///< largest change of a radius per time [m/s]
    double smallest_radius = 0.0;  ///< [m]; 0: no particles
    double radii_per_step = 0.0;   ///< way of a particle at the expected speed over the smallest radius [-]
    double wall_radii_per_step =
        0.0;  ///< way of the fastest wall, in whatever direction, over that radius [-]

    /// Of particles: fall or start, whichever is larger, and what growing radii add [m/s].
    double expected_speed() const;
};

StepAdvice advise_step(const Scene& scene, const System& system);

/// What is odd about a scene that can nevertheless be run: one sentence each.
std::vector<std::string> scene_warnings(const Scene& scene, const System& system);

/// Memory that a run needs beside the program itself [bytes]: state, candidates, contacts, solver.
double estimated_memory(double particles, int dimension);

/// The resolved scene with units, counts, estimated memory, advice on the step and warnings, as text of
/// several lines.
/// @param system the state at t = 0 (build_system).
std::string describe_scene(const Scene& scene, const System& system);

}  // namespace talus
