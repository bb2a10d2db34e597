#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "talus/core/random.hpp"
#include "talus/geometry/shapes.hpp"
#include "talus/step/contact_step.hpp"

/// Small systems that several tests share.
namespace talus::test {

inline System empty_system(int dimension = 3, const Vec3& gravity = Vec3::Zero()) {
    System system;
    system.dimension = dimension;
    system.groups.push_back(Group{.name = "default"});
    for (int k = 0; k < 3; ++k) system.gravity[static_cast<std::size_t>(k)] = Schedule::constant(gravity[k]);
    return system;
}

inline void add_ball(System& system, const Vec3& centre, const Vec3& velocity, double radius,
                     double mass = 1.0, bool frozen = false) {
    const ParticleId id = system.particles.size() == 0 ? 0 : system.particles.id.back() + 1;
    system.particles.add({id, centre, velocity, radius, mass, 0, frozen});
}

inline Wall& add_wall(System& system, const std::string& name, ShapePtr shape) {
    Wall wall;
    wall.name = name;
    wall.shape = std::move(shape);
    system.walls.push_back(std::move(wall));
    return system.walls.back();
}

inline Wall& add_plane(System& system, const Vec3& point, const Vec3& normal,
                       const std::string& name = "plane") {
    return add_wall(system, name, make_half_space(point, normal));
}

/// Five planes of a box [0, width] x [0, depth] x [0, inf) with an open top; 2-D: floor y = 0 and walls x =
/// 0, width.
inline void add_open_box(System& system, double width, double depth) {
    add_plane(system, Vec3::Zero(), Vec3::UnitX(), "left");
    add_plane(system, Vec3(width, 0, 0), -Vec3::UnitX(), "right");
    add_plane(system, Vec3::Zero(), Vec3::UnitY(), "front");
    if (system.dimension == 2) return;
    add_plane(system, Vec3(0, depth, 0), -Vec3::UnitY(), "back");
    add_plane(system, Vec3::Zero(), Vec3::UnitZ(), "floor");
}

/// Balls with radii mean (1 +- spread) on a jittered lattice above the origin, nx by ny by nz, never
/// touching.
inline void add_loose_lattice(System& system, int nx, int ny, int nz, double mean, double spread,
                              std::uint64_t seed) {
    const double pitch = 2.0 * mean * (1.0 + spread) * 1.1;
    for (int c = 0; c < nz; ++c) {
        for (int b = 0; b < ny; ++b) {
            for (int a = 0; a < nx; ++a) {
                Random draw(seed, static_cast<std::uint64_t>((c * ny + b) * nx + a));
                const double radius = mean * draw.uniform(1.0 - spread, 1.0 + spread);
                const double slack = 0.49 * (pitch - 2.0 * mean * (1.0 + spread));
                Vec3 centre = pitch * Vec3(a + 0.5, b + 0.5, c + 0.5);
                for (int k = 0; k < 3; ++k) centre[k] += draw.uniform(-slack, slack);
                if (system.dimension == 2) centre.z() = 0.0;
                const double mass = system.dimension == 2
                                        ? std::numbers::pi * radius * radius
                                        : 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
                add_ball(system, centre, Vec3::Zero(), radius, 1000.0 * mass);
            }
        }
    }
}

/// Steps until `end` [s]. @return the worst certificate numbers met.
struct Worst {
    double overlap = 0.0, residual = 0.0, energy_defect = 0.0, contact_work = -1e300;
    int unconverged = 0, iterations = 0;
};

inline Worst run_until(ContactStepper& stepper, System& system, double end) {
    Worst worst;
    while (system.time < end - 0.5 * stepper.options().time_step) {
        const StepReport report = stepper.step(system);
        worst.overlap = std::max(worst.overlap, report.overlap);
        worst.residual = std::max(worst.residual, report.solver.residual);
        worst.energy_defect = std::max(worst.energy_defect, report.energy_defect);
        worst.contact_work = std::max(worst.contact_work, report.contact_work);
        worst.unconverged += report.solver.status != Status::converged;
        worst.iterations = std::max(worst.iterations, report.solver.iterations);
    }
    return worst;
}

inline StepOptions tight_options(double time_step, double tolerance = 1e-10) {
    StepOptions options;
    options.time_step = time_step;
    options.solver.tolerance = tolerance;
    options.solver.overlap_tolerance = tolerance;
    return options;
}

/// A hash of the exact bits of positions and velocities.
inline std::uint64_t state_hash(const System& system) {
    std::uint64_t hash = 1469598103934665603ULL;
    const auto absorb = [&](const std::vector<Vec3>& values) {
        for (const Vec3& v : values) {
            for (int k = 0; k < 3; ++k) {
                std::uint64_t bits;
                const double x = v[k];
                static_assert(sizeof bits == sizeof x);
                __builtin_memcpy(&bits, &x, sizeof bits);
                hash = (hash ^ bits) * 1099511628211ULL;
            }
        }
    };
    absorb(system.particles.position);
    absorb(system.particles.velocity);
    return hash;
}

}  // namespace talus::test
