#include <fmt/format.h>

#include <cmath>

#include "bench.hpp"
#include "talus/core/random.hpp"
#include "talus/geometry/shapes.hpp"

namespace talus::bench {

namespace {

void add_plane(System& system, const Vec3& point, const Vec3& normal) {
    Wall wall;
    wall.name = "box";
    wall.shape = make_half_space(point, normal);
    system.walls.push_back(wall);
}

// A jittered lattice above the floor, `across` spheres wide: far enough apart never to touch.
void add_spheres(System& system, int particles, int across, double pitch) {
    for (int k = 0; k < particles; ++k) {
        Random draw(1, static_cast<std::uint64_t>(k));
        const double radius = draw.uniform(0.8, 1.2);
        Vec3 centre(k % across + 0.5, k / across % across + 0.5, k / (across * across) + 0.5);
        centre *= pitch;
        for (int d = 0; d < 3; ++d) centre[d] += draw.uniform(-0.05, 0.05);
        system.particles.add({k, centre, Vec3::Zero(), radius, radius * radius * radius});
    }
}

}  // namespace

System settled_box(int particles) {
    constexpr double kPitch = 2.55;
    constexpr double kRestSpeed = 0.02;  // rms, in units of sqrt(g r)
    constexpr int kLongest = 4000;       // steps
    System system;
    system.groups.push_back({});
    system.gravity[2] = Schedule::constant(-1.0);
    const int across = std::max(2, static_cast<int>(std::lround(std::cbrt(particles))));
    const double width = kPitch * across;
    add_plane(system, Vec3::Zero(), Vec3::UnitX());
    add_plane(system, Vec3(width, 0, 0), -Vec3::UnitX());
    add_plane(system, Vec3::Zero(), Vec3::UnitY());
    add_plane(system, Vec3(0, width, 0), -Vec3::UnitY());
    add_plane(system, Vec3::Zero(), Vec3::UnitZ());
    add_spheres(system, particles, across, kPitch);

    StepOptions options;
    options.time_step = kBoxStep;
    options.solver.tolerance = 1e-2;
    ContactStepper stepper(options);
    const double fall = std::sqrt(2.0 * kPitch * across);
    while (system.step < kLongest) {
        stepper.step(system);
        double squares = 0.0;
        for (const Vec3& u : system.particles.velocity) squares += u.squaredNorm();
        if (system.time > 2.0 * fall && std::sqrt(squares / particles) < kRestSpeed) break;
    }
    return system;
}

}  // namespace talus::bench
