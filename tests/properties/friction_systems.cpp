#include "friction_systems.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace talus::test {

namespace {

void add_grain(System& system, const View& view, int group, const Vec3& x, const Vec3& u, const Vec3& omega,
               double radius) {
    const double r = radius / kMean;
    const double mass = system.dimension == 2 ? 0.3 * r * r : 0.004 * r * r * r;
    const bool frozen = system.groups[static_cast<std::size_t>(group)].frozen;
    system.particles.add({.id = system.particles.size(),
                          .position = view.point(x),
                          .velocity = view.velocity(u),
                          .radius = view.length * radius,
                          .mass = view.mass * mass,
                          .group = group,
                          .frozen = frozen,
                          .angular_velocity = group == kLocked ? Vec3(Vec3::Zero()) : view.spin(omega)});
}

/// A lattice of grains that never touch at first, of three groups, each with a velocity and a spin.
void add_grains(System& system, const View& view, const std::array<int, 3>& counts, const Vec3& corner,
                const Vec3& velocity, bool locked = true) {
    const bool plane = system.dimension == 2;
    for (int c = 0; c < (plane ? 1 : counts[2]); ++c) {
        for (int b = 0; b < counts[1]; ++b) {
            for (int a = 0; a < counts[0]; ++a) {
                Random draw(5, static_cast<std::uint64_t>((c * counts[1] + b) * counts[0] + a));
                const int group = static_cast<int>(draw.uniform(0.0, locked ? 3.0 : 2.0));
                const double radius = kMean * draw.uniform(0.7, 1.3);
                Vec3 x =
                    corner + kPitch * Vec3(a + 0.5, b + 0.5, c + 0.5) + random_in_cube(draw, 0.1 * kMean);
                Vec3 u = velocity + random_in_cube(draw, 0.3);
                Vec3 omega = random_in_cube(draw, 30.0);
                if (plane) {
                    x.z() = u.z() = 0.0;
                    omega = Vec3(0, 0, omega.z());
                }
                add_grain(system, view, group, x, u, omega, radius);
            }
        }
    }
    set_radii(system.particles, system.groups, system.dimension, 0.0);
}

void add_view_plane(System& system, const View& view, const Vec3& x, const Vec3& n, const std::string& name) {
    add_plane(system, view.point(x), view.axes * n, name);
}

/// Lets every wall drift along.
void drift_walls(System& system, const View& view) {
    const double speed = view.drift.norm();
    if (speed == 0.0) return;
    for (Wall& wall : system.walls) {
        wall.motion.direction = view.drift / speed;
        wall.motion.displacement = Schedule::ramp(0.0, view.length / view.time * speed);
    }
}

}  // namespace

std::vector<double> rolling_frictions(FrictionLaw law) {
    if (law == FrictionLaw::coulomb_relaxed) return {0.0};
    return {0.0, 0.02};
}

Vec3 up(int dimension) {
    return dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
}

Vec3 random_in_cube(Random& draw, double size) {
    Vec3 v;
    for (int k = 0; k < 3; ++k) v[k] = draw.uniform(-size, size);
    return v;
}

System mixed_surfaces(const Setup& setup) {
    const View& view = setup.view;
    const Vec3 gravity = -kGravity * view.length / (view.time * view.time) * up(setup.dimension);
    System system = empty_system(setup.dimension, view.axes * gravity);
    system.groups = {{.name = "rough"},
                     {.name = "smooth", .inertia = Inertia::hollow},
                     {.name = "locked", .rotates = false},
                     {.name = "base", .frozen = true}};
    ContactLaw& law = system.law;
    law.kind = setup.law;
    law.restitution = setup.restitution;
    law.friction = 0.4;
    law.surface_friction = {{"rough", 0.9}, {"smooth", 0.1}, {"left", 0.0}, {"base", 1.2}};
    law.rolling_friction = setup.rolling;
    if (setup.rolling > 0.0) law.surface_rolling_friction = {{"rough", 3.0 * setup.rolling}, {"left", 0.0}};
    law.pairs[{"locked", "rough"}] = {.restitution = 0.5 * setup.restitution, .friction = 0.7};
    return system;
}

System mixer(const Setup& setup) {
    const View& view = setup.view;
    const bool plane = setup.dimension == 2;
    System system = mixed_surfaces(setup);
    const std::array<int, 3> counts = plane ? std::array{10, 13, 1} : std::array{6, 6, 7};
    const double width = kPitch * counts[0] + 0.01, middle = 0.5 * width;
    add_view_plane(system, view, Vec3::Zero(), Vec3::UnitX(), "left");
    add_view_plane(system, view, Vec3(width, 0, 0), -Vec3::UnitX(), "right");
    add_view_plane(system, view, Vec3::Zero(), Vec3::UnitY(), "front");
    if (!plane) {
        add_view_plane(system, view, Vec3(0, width, 0), -Vec3::UnitY(), "back");
        add_view_plane(system, view, Vec3::Zero(), Vec3::UnitZ(), "floor");
    }
    if (setup.turning_wall) {
        const double half = plane ? 0.06 : 0.045;
        const Vec3 left = view.point(Vec3(middle - half, plane ? 0.12 : middle, plane ? 0.0 : 0.06));
        const Vec3 right = view.point(Vec3(middle + half, plane ? 0.12 : middle, plane ? 0.0 : 0.06));
        const Vec3 rise = view.point(Vec3(0, 0, 0.04));
        Wall& plate = add_wall(
            system, "plate",
            plane ? make_polyline({left, right}, false)
                  : make_triangle_mesh({left, right, right + rise, left + rise}, {{{0, 1, 2}}, {{0, 2, 3}}}));
        plate.motion.axis = view.turning(Vec3::UnitZ());
        plate.motion.centre = view.point(Vec3(middle, plane ? 0.12 : middle, 0.0));
        plate.motion.angle = Schedule::ramp(0.0, 5.0 / view.time);
    }
    drift_walls(system, view);
    if (setup.frozen) {
        for (double x = 0.03; x < width - 0.02; x += 0.05) {
            for (double y = 0.03; y < (plane ? 0.04 : width - 0.02); y += 0.05) {
                const Vec3 at = plane ? Vec3(x, 1.05 * kMean, 0) : Vec3(x, y, 1.05 * kMean);
                add_grain(system, view, kBase, at, Vec3::Zero(), Vec3::Zero(), kMean);
            }
        }
    }
    const double clear = plane ? 0.19 : 0.11;  // above the plate
    add_grains(system, view, counts, 0.005 * Vec3(1, plane ? 0 : 1, 0) + clear * up(setup.dimension),
               -1.2 * up(setup.dimension));
    return system;
}

System vessel(const Setup& setup) {
    const View& view = setup.view;
    System system = mixed_surfaces(setup);
    const double far = std::numeric_limits<double>::infinity();
    if (setup.dimension == 2) {
        const std::vector<ProfilePoint> drum = {{view.length * 0.25, -far}, {view.length * 0.25, far}};
        add_wall(system, "drum", make_revolved(Vec3::Zero(), Vec3::UnitZ(), drum)).motion.angle =
            Schedule::ramp(0.0, 6.0 / view.time);
        add_grains(system, view, {10, 13, 1}, Vec3(-0.145, -0.18, 0), Vec3(0.5, -1.0, 0));
    } else {
        std::vector<ProfilePoint> hopper = {{0.03, 0.0}, {0.14, 0.11}, {0.14, 0.5}};
        for (ProfilePoint& p : hopper) p = {view.length * p.rho, view.length * p.height};
        add_wall(system, "hopper", make_revolved(Vec3::Zero(), Vec3::UnitZ(), hopper)).motion.angle =
            Schedule::ramp(0.0, 6.0 / view.time);
        add_grains(system, view, {6, 6, 8}, Vec3(-0.087, -0.087, 0.11), Vec3(0, 0, -1.2));
    }
    return system;
}

System crowd(const Setup& setup) {
    System system = mixed_surfaces(setup);
    for (Schedule& g : system.gravity) g = Schedule::constant(0.0);
    const std::array<int, 3> counts = setup.dimension == 2 ? std::array{12, 12, 1} : std::array{6, 6, 6};
    add_grains(system, setup.view, counts, Vec3::Zero(), Vec3::Zero(), false);
    Particles& p = system.particles;
    const Vec3 middle = setup.view.point(0.5 * kPitch * Vec3(counts[0], counts[1], counts[2]));
    for (std::size_t i = 0; i < p.id.size(); ++i) {
        p.velocity[i] -= 12.0 / setup.view.time * (p.position[i] - middle);
        if (setup.dimension == 2) p.velocity[i].z() = 0.0;
    }
    return system;
}

StepOptions with_iterations(double h, int iterations) {
    StepOptions options;
    options.time_step = h;
    options.solver.friction_iterations = iterations;
    return options;
}

StepOptions tight_friction(double h, double tolerance) {
    StepOptions options = tight_options(h, tolerance);
    options.solver.friction_tolerance = tolerance;
    options.solver.friction_iterations = 2000;
    return options;
}

std::vector<double> numbers(const System& system) {
    const Particles& p = system.particles;
    std::vector<double> all;
    for (std::size_t i = 0; i < p.id.size(); ++i) {
        for (const Vec3& v : {p.position[i], p.velocity[i], p.angular_velocity[i]}) {
            all.insert(all.end(), v.data(), v.data() + 3);
        }
        const auto& q = p.orientation[i].coeffs();
        all.insert(all.end(), q.data(), q.data() + 4);
    }
    return all;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

bool same_bits(const Vec3& a, const Vec3& b) {
    return std::memcmp(a.data(), b.data(), 3 * sizeof(double)) == 0;
}

bool converged(const StepReport& report) {
    return report.solver.status == Status::converged;
}

Index sliding_count(const ContactList& contacts) {
    return static_cast<Index>(
        std::count_if(contacts.begin(), contacts.end(), [](const Contact& c) { return c.sliding; }));
}

}  // namespace talus::test
