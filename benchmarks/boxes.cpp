#include "boxes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "talus/core/random.hpp"
#include "talus/geometry/shapes.hpp"
#include "talus/step/initial_overlap.hpp"

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
        const int place[3] = {k % across, k / across % across, k / (across * across)};
        Vec3 centre;
        for (int d = 0; d < 3; ++d) centre[d] = pitch * (place[d] + 0.5) + draw.uniform(-0.05, 0.05);
        system.particles.add({k, centre, Vec3::Zero(), radius, radius * radius * radius});
    }
}

// The tile at a place of the grid, mirrored along each axis where that is odd.
void add_image(const Box& tile, const std::array<int, 2>& place, Particles& to) {
    const Particles& from = tile.system.particles;
    for (std::size_t k = 0; k < from.id.size(); ++k) {
        Vec3 centre = from.position[k], velocity = from.velocity[k];
        for (std::size_t d = 0; d < place.size(); ++d) {
            const bool flipped = place[d] % 2 == 1;
            if (flipped) velocity[d] = -velocity[d];
            centre[d] = place[d] * tile.size[d] + (flipped ? tile.size[d] - centre[d] : centre[d]);
        }
        to.add({to.size(), centre, velocity, from.radius[k], from.mass[k]});
    }
}

}  // namespace

Box empty_box(double along_x, double along_y) {
    Box box{{}, {along_x, along_y, 0.0}};
    box.system.groups.push_back({});
    box.system.gravity[2] = Schedule::constant(-1.0);
    add_plane(box.system, Vec3::Zero(), Vec3::UnitX());
    add_plane(box.system, Vec3(along_x, 0, 0), -Vec3::UnitX());
    add_plane(box.system, Vec3::Zero(), Vec3::UnitY());
    add_plane(box.system, Vec3(0, along_y, 0), -Vec3::UnitY());
    add_plane(box.system, Vec3::Zero(), Vec3::UnitZ());
    return box;
}

Box settled_box(int particles, double slenderness) {
    constexpr double kPitch = 2.55;
    constexpr double kRestSpeed = 0.02;  // rms, in units of sqrt(g r)
    constexpr int kLongest = 4000;       // steps
    const int across = std::max(2, static_cast<int>(std::lround(std::cbrt(particles / slenderness))));
    Box box = empty_box(kPitch * across, kPitch * across);
    System& system = box.system;
    add_spheres(system, particles, across, kPitch);

    StepOptions options;
    options.time_step = kBoxStep;
    options.solver.tolerance = 1e-2;
    ContactStepper stepper(options);
    const double fall = std::sqrt(2.0 * kPitch * particles / (across * across));
    while (system.step < kLongest) {
        stepper.step(system);
        double squares = 0.0;
        for (const Vec3& u : system.particles.velocity) squares += u.squaredNorm();
        if (system.time > 2.0 * fall && std::sqrt(squares / particles) < kRestSpeed) break;
    }
    return box;
}

Box mirrored(const Box& tile, int along_x, int along_y) {
    Box box = empty_box(along_x * tile.size.x(), along_y * tile.size.y());
    box.system.particles.reserve(static_cast<std::size_t>(along_x) * along_y *
                                 tile.system.particles.id.size());
    for (int image = 0; image < along_x * along_y; ++image) {
        add_image(tile, {image % along_x, image / along_x}, box.system.particles);
    }
    return box;
}

void bring_to_rest(System& system) {
    resolve_overlaps(system, {}, kBoxOverlap);
    for (Vec3& u : system.particles.velocity) u.setZero();
}

Box box_of(const Options& options, int particles) {
    if (has_box(options.data, particles)) return read_box(options.data, particles);
    if (particles > options.tile) {
        const int images = (particles + options.tile - 1) / options.tile;
        const int along_y = static_cast<int>(std::sqrt(images));
        return mirrored(box_of(options, options.tile), (images + along_y - 1) / along_y, along_y);
    }
    return options.data.empty() ? settled_box(particles) : read_box(options.data, particles);
}

}  // namespace talus::bench
