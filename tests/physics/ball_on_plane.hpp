#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/builders.hpp"

/// One sphere or disc on a plane: what tests of sliding and rolling start from.
namespace talus::test {

constexpr double kG = 9.81, kRadius = 0.1, kMass = 0.7;

struct Shape {
    int dimension;
    double factor;  ///< k of J = k m r^2
};

const std::vector<Shape> kBothDimensions = {{3, 0.4}, {2, 0.5}};

/// A solver so exact that closed forms hold to 1e-9.
inline StepOptions fine(double h) {
    StepOptions options;
    options.time_step = h;
    options.solver.friction_tolerance = 1e-11;
    options.solver.friction_iterations = 1000;
    options.solver.overlap_tolerance = 1e-10;
    return options;
}

inline Vec3 up_of(int dimension) {
    return dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
}

/// A ball that touches a plane through the origin, which is inclined by `slope` [rad] towards `down`, a unit
/// vector across gravity.
inline System ball_on_plane(int dimension, double mu, double slope = 0.0, const Vec3& down = Vec3::UnitX()) {
    const Vec3 up = up_of(dimension);
    System system = empty_system(dimension, -kG * up);
    const Vec3 normal = std::cos(slope) * up + std::sin(slope) * down;
    add_plane(system, Vec3::Zero(), normal);
    system.law.kind = FrictionLaw::coulomb;
    system.law.friction = mu;
    add_ball(system, kRadius * normal, Vec3::Zero(), kRadius, kMass);
    return system;
}

/// @return the worst energy defect of a step.
inline double run_converged(System& system, const StepOptions& options, double until) {
    ContactStepper stepper(options);
    double defect = 0.0;
    const auto steps = static_cast<int>(std::lround(until / options.time_step));
    for (int k = 0; k < steps; ++k) {
        const StepReport report = stepper.step(system);
        REQUIRE(report.solver.status == Status::converged);
        REQUIRE(report.overlap < 1e-8);
        defect = std::max(defect, report.energy_defect);
    }
    return defect;
}

}  // namespace talus::test
