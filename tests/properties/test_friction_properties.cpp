#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/builders.hpp"
#include "support/overlap.hpp"
#include "talus/core/parallel.hpp"
#include "talus/measure/mechanics.hpp"

// What friction and rotation promise for every input: see docs/theory.md.

using namespace talus;
using namespace talus::test;

namespace {

constexpr std::array kLaws = {FrictionLaw::coulomb, FrictionLaw::coulomb_relaxed};
/// Rolling friction to try with a law; the relaxed one has none.
std::vector<double> rolling_frictions(FrictionLaw law) {
    if (law == FrictionLaw::coulomb_relaxed) return {0.0};
    return {0.0, 0.02};
}

constexpr double kMean = 0.01;  // radius of the grains [m], +- 30 %
constexpr double kPitch = 2.0 * 1.3 * 1.1 * kMean;
constexpr double kGravity = 9.81;

struct TeamGuard {
    ~TeamGuard() {
        set_thread_count(1);
        set_small_loop(usual);
    }
    std::ptrdiff_t usual = small_loop();
};

/// In what units and from where a system is described.
struct View {
    double length = 1.0, time = 1.0, mass = 1.0;
    Mat3 axes = Mat3::Identity();  ///< a turn, or a mirror
    Vec3 drift = Vec3::Zero();     ///< of everything, walls included [m/s]

    Vec3 point(const Vec3& x) const { return length * (axes * x); }
    Vec3 velocity(const Vec3& u) const { return length / time * (axes * u + drift); }
    Vec3 turning(const Vec3& v) const { return axes.determinant() * (axes * v); }  // a pseudovector
    Vec3 spin(const Vec3& omega) const { return turning(omega) / time; }
};

struct Setup {
    int dimension = 3;
    FrictionLaw law = FrictionLaw::coulomb;
    double restitution = 0.0;
    double rolling = 0.0;  ///< coefficient of friction of most surfaces
    bool turning_wall = true;
    bool frozen = true;
    View view = {};
};

enum GroupNumber { kRough, kSmooth, kLocked, kBase };

Vec3 up(int dimension) {
    return dimension == 2 ? Vec3::UnitY() : Vec3::UnitZ();
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

Vec3 random_in_cube(Random& draw, double size) {
    Vec3 v;
    for (int k = 0; k < 3; ++k) v[k] = draw.uniform(-size, size);
    return v;
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

/// Grains that fall into a box, onto frozen ones and a plate that turns: 130 discs or 256 spheres.
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

/// Grains in a vessel that curves around them and turns about its axis: 130 discs in a drum, 288 spheres in a
/// hopper, through whose mouth they leave.
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

/// Grains that fly towards each other without walls and gravity; none is locked, so that nothing holds them.
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

/// Everything about the particles that a step computes, one row a particle.
std::vector<double> numbers(const System& system) {
    const Particles& p = system.particles;
    std::vector<double> all;
    for (std::size_t i = 0; i < p.id.size(); ++i) {
        for (const Vec3& v :
             {p.position[i], p.velocity[i], p.angular_velocity[i], p.contact_force[i], p.contact_torque[i]}) {
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

/// Values that halve from sweep to sweep end as denormal numbers, whose bits depend on the units.
std::vector<double> without_underflow(std::vector<double> values) {
    for (double& value : values) {
        if (std::abs(value) < 1e-200) value = 0.0;
    }
    return values;
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

double surface_friction(const System& system, const std::string& name) {
    const auto own = system.law.surface_friction.find(name);
    return own == system.law.surface_friction.end() ? system.law.friction : own->second;
}

/// Of the pair that touches, from the law's text: what the pair says, or the geometric mean.
double friction_of(const System& system, const Contact& c) {
    const auto group = [&](Index i) { return system.groups[system.particles.group[i]].name; };
    std::pair<std::string, std::string> names = {group(c.i),
                                                 c.j < 0 ? system.walls[c.wall].name : group(c.j)};
    if (names.second < names.first) std::swap(names.first, names.second);
    const auto pair = system.law.pairs.find(names);
    if (pair != system.law.pairs.end() && pair->second.friction) return *pair->second.friction;
    return std::sqrt(surface_friction(system, names.first) * surface_friction(system, names.second));
}

/// What happens at a contact with the velocities after the step.
struct Meeting {
    double opening;    ///< D/h + w_N [m/s]
    Vec3 slip;         ///< w_T [m/s]
    double mass;       ///< that a normal impulse sees [kg]
    double slip_mass;  ///< that a tangential impulse sees [kg]
};

Meeting meeting(const System& system, const Contact& c, double h, const Vec3& surface) {
    const Particles& p = system.particles;
    const auto arm = [&](Index i) { return p.radius[i] + (c.j < 0 ? 0.0 : 0.5 * c.gap); };
    Vec3 w = surface - p.velocity[c.i] - arm(c.i) * p.angular_velocity[c.i].cross(c.normal);
    double normal = p.inverse_mass[c.i], across = normal + arm(c.i) * arm(c.i) * p.inverse_inertia[c.i];
    if (c.j >= 0) {
        w += p.velocity[c.j] - arm(c.j) * p.angular_velocity[c.j].cross(c.normal);
        normal += p.inverse_mass[c.j];
        across += p.inverse_mass[c.j] + arm(c.j) * arm(c.j) * p.inverse_inertia[c.j];
    }
    const double along = c.normal.dot(w);
    return {c.gap / h + along, w - along * c.normal, 1.0 / normal, 1.0 / across};
}

void accelerate(System& system, const Vec3& change) {
    for (Index i = 0; i < system.particles.size(); ++i) {
        if (!system.particles.frozen(i)) system.particles.velocity[i] += change;
    }
}

/// A system whose velocities and spins are the differences.
System change_between(const System& before, const System& after) {
    System change = after;
    Particles& p = change.particles;
    for (std::size_t i = 0; i < p.id.size(); ++i) {
        p.velocity[i] -= before.particles.velocity[i];
        p.angular_velocity[i] -= before.particles.angular_velocity[i];
    }
    return change;
}

/// Twelve equal bodies that touch their neighbours, with masses of 1 to 100 and restitutions of 0 to 1.
System touching_cluster(int dimension, std::uint64_t seed) {
    System system = empty_system(dimension);
    system.groups = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    Random draw(23, seed);
    system.law = {.kind = FrictionLaw::coulomb, .friction = draw.uniform(0.0, 1.0)};
    for (const char* one : {"a", "b", "c"}) {
        for (const char* other : {"a", "b", "c"}) {
            if (std::string(one) > other) continue;
            system.law.pairs[{one, other}] = {.restitution = draw.uniform(0.0, 1.0) < 0.5 ? 1.0 : 0.0};
        }
    }
    const double row = std::sqrt(0.75);
    for (int k = 0; k < 12; ++k) {
        const int a = k % 3, b = k / 3 % 2, c = k / 6;
        const Vec3 x = dimension == 2 ? Vec3(a + 0.5 * ((2 * c + b) % 2), row * (2 * c + b), 0)
                                      : Vec3(a + 0.5 * b, row * b, c);
        Vec3 u = random_in_cube(draw, 1.0), omega = random_in_cube(draw, 10.0);
        if (dimension == 2) u.z() = omega.x() = omega.y() = 0.0;
        if (seed % 2 == 0) omega.setZero();
        system.particles.add({.id = k,
                              .position = (1.0 + 1e-12) * x,
                              .velocity = u,
                              .radius = 0.5,
                              .mass = std::pow(100.0, draw.uniform(0.0, 1.0)),
                              .group = k % 3 == 0 ? 0 : static_cast<std::int32_t>(draw.uniform(0.0, 3.0)),
                              .angular_velocity = omega});
    }
    set_radii(system.particles, system.groups, dimension, 0.0);
    return system;
}

std::vector<std::size_t> shuffled(std::size_t count) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = count; i-- > 1;) {
        Random draw(17, i);
        std::swap(order[i], order[static_cast<std::size_t>(draw.uniform(0.0, static_cast<double>(i + 1)))]);
    }
    return order;
}

/// Particle k becomes the one that was order[k].
void reorder(System& system, const std::vector<std::size_t>& order) {
    const Particles p = std::exchange(system.particles, {});
    for (const std::size_t i : order) {
        system.particles.add({.id = system.particles.size(),
                              .position = p.position[i],
                              .velocity = p.velocity[i],
                              .radius = p.radius[i],
                              .mass = p.mass[i],
                              .group = p.group[i],
                              .frozen = p.frozen(static_cast<Index>(i)),
                              .orientation = p.orientation[i],
                              .angular_velocity = p.angular_velocity[i]});
    }
    set_radii(system.particles, system.groups, system.dimension, system.time);
}

/// Largest difference of velocities, of centres and of turning surfaces [m/s].
double difference(const Particles& a, const Particles& reordered, const std::vector<std::size_t>& order) {
    double most = 0.0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t i = order[k];
        const Vec3 spins = a.angular_velocity[i] - reordered.angular_velocity[k];
        most = std::max({most, (a.velocity[i] - reordered.velocity[k]).norm(), a.radius[i] * spins.norm()});
    }
    return most;
}

/// Grains that fall into the box, seen as `view` says. What drifts needs a world in which nothing is frozen
/// and walls are plane: the plane that stands for an edge depends on where the edge goes.
System fallen(int dimension, FrictionLaw law, const View& view, bool drifts, double tolerance, double h,
              double margin = 0.02, double rolling = 0.0) {
    System system = mixer({.dimension = dimension,
                           .law = law,
                           .rolling = rolling,
                           .turning_wall = !drifts,
                           .frozen = !drifts,
                           .view = view});
    StepOptions options = tight_friction(h, tolerance);
    options.margin = margin;
    ContactStepper stepper(options);
    int unsolved = 0;
    for (int n = 0; n < 20; ++n) unsolved += !converged(stepper.step(system));
    CHECK(unsolved == 0);
    CHECK(sliding_count(stepper.contacts()) > 5);
    return system;
}

/// `b` is what `a` looks like from elsewhere. Impacts are of 1 m/s and more; the errors that solves leave
/// grow tenfold or so in the steps after.
void check_same_motion(const System& seen, const System& from, const View& view, double tolerance, double h) {
    const Vec3 drifted = from.time * view.drift;
    const Particles &a = seen.particles, &b = from.particles;
    REQUIRE(a.id.size() == b.id.size());
    double way = 0.0, speed = 0.0, turn = 0.0;
    for (std::size_t i = 0; i < a.id.size(); ++i) {
        way = std::max(way, (view.point(a.position[i]) + drifted - b.position[i]).norm());
        speed = std::max(speed, (view.velocity(a.velocity[i]) - b.velocity[i]).norm());
        const Vec3 spin = view.spin(a.angular_velocity[i]);
        speed = std::max(speed, a.radius[i] * (spin - b.angular_velocity[i]).norm());
        const Vec3 axis = view.turning(a.orientation[i].vec());
        turn = std::max(turn, (axis - b.orientation[i].vec()).norm());
    }
    CHECK(speed < 1e3 * tolerance);
    CHECK(way < 1e3 * tolerance * h);
    CHECK(turn < 1e3 * tolerance * h / (0.7 * kMean));
}

}  // namespace

TEST_CASE("friction: nothing overlaps beyond the tolerance, however few sweeps the solver may take") {
    struct Case {
        System (*build)(const Setup&);
        double h, restitution;
        int steps;
    };
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const Case& c : {Case{mixer, 2e-3, 0.0, 80}, Case{mixer, 1e-2, 0.6, 25},
                                  Case{vessel, 4e-3, 0.0, 50}, Case{vessel, 4e-3, 0.6, 50}}) {
                CAPTURE(dimension);
                CAPTURE(static_cast<int>(law));
                CAPTURE(c.h);
                CAPTURE(c.restitution);
                System system = c.build({.dimension = dimension, .law = law, .restitution = c.restitution});
                const StepOptions options = with_iterations(c.h, 3);
                ContactStepper stepper(options);
                int given_up = 0;
                double worst = -1.0;
                for (int n = 0; n < c.steps; ++n) {
                    const StepReport report = stepper.step(system);
                    CHECK_FALSE(report.unsettled);
                    given_up += !converged(report);
                    const Particles& p = system.particles;
                    worst = std::max(worst, worst_overlap(p.position, p.radius, system.walls, system.time));
                }
                CHECK(worst <= options.solver.overlap_tolerance);
                CHECK(3 * given_up > c.steps);  // or nothing was tried
            }
        }
    }
}

TEST_CASE("friction: 1, 2, 3 and 8 threads give the same bits, converged or not") {
    const TeamGuard guard;
    set_small_loop(1);  // or systems this small would stay on one thread
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const auto& [iterations, rolling] :
                 {std::pair{3, 0.0}, {40, rolling_frictions(law).back()}}) {
                CAPTURE(dimension);
                CAPTURE(static_cast<int>(law));
                CAPTURE(iterations);
                std::vector<double> first;
                for (const int threads : {1, 2, 3, 8}) {
                    set_thread_count(threads);
                    System system =
                        mixer({.dimension = dimension, .law = law, .restitution = 0.3, .rolling = rolling});
                    ContactStepper stepper(with_iterations(8e-3, iterations));
                    for (int n = 0; n < 14; ++n) stepper.step(system);
                    REQUIRE(sliding_count(stepper.contacts()) > 0);
                    if (first.empty()) first = numbers(system);
                    CHECK(same_bits(first, numbers(system)));
                }
            }
        }
    }
}

TEST_CASE("friction: an isolated crowd keeps momentum and angular momentum to rounding, converged or not") {
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const double restitution : {0.0, 0.7}) {
                for (const double rolling : rolling_frictions(law)) {
                    CAPTURE(dimension);
                    CAPTURE(static_cast<int>(law));
                    CAPTURE(restitution);
                    CAPTURE(rolling);
                    System system = crowd(
                        {.dimension = dimension, .law = law, .restitution = restitution, .rolling = rolling});
                    const Particles& p = system.particles;
                    const Vec3 about = p.position[p.id.size() / 2];
                    const Vec3 momentum = linear_momentum(system), turning = angular_momentum(system, about);
                    double size = 0.0, moment = 0.0;
                    for (std::size_t i = 0; i < p.id.size(); ++i) {
                        size += p.mass[i] * p.velocity[i].norm();
                        moment += p.mass[i] * p.velocity[i].norm() * (p.position[i] - about).norm() +
                                  p.angular_velocity[i].norm() / p.inverse_inertia[i];
                    }
                    ContactStepper stepper(with_iterations(4e-3, 3));
                    int given_up = 0;
                    for (int n = 0; n < 40; ++n) given_up += !converged(stepper.step(system));
                    CHECK(given_up > 5);
                    CHECK((linear_momentum(system) - momentum).norm() < 1e-13 * size);
                    CHECK((angular_momentum(system, about) - turning).norm() < 1e-13 * moment);
                }
            }
        }
    }
}

// |u|^2 - |v|^2 = 2 p.w - |u - v|^2 in the norm of masses and moments of inertia, and p.w <= -p_N D/h.
TEST_CASE("friction without restitution: contacts take all the energy that theory says, where walls rest") {
    const double h = 4e-3;
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const bool box : {false, true}) {
                for (const double rolling : rolling_frictions(law)) {
                    CAPTURE(dimension);
                    CAPTURE(static_cast<int>(law));
                    CAPTURE(box);
                    CAPTURE(rolling);
                    const Setup setup{
                        .dimension = dimension, .law = law, .rolling = rolling, .turning_wall = false};
                    System system = box ? mixer(setup) : crowd(setup);
                    ContactStepper stepper(tight_friction(h, 1e-8));
                    int tried = 0, steps = 30;
                    double taken = 0.0;
                    for (int n = 0; n < steps; ++n) {
                        System free = system;
                        if (box) accelerate(free, -h * kGravity * up(dimension));
                        if (!converged(stepper.step(system))) continue;
                        ++tried;
                        const double before = kinetic_energy(free), after = kinetic_energy(system);
                        double lost = kinetic_energy(change_between(free, system));
                        for (const Contact& c : stepper.contacts()) lost += c.impulse * c.gap / h;
                        CHECK(after <= before * (1.0 + 1e-9));
                        CHECK(after + lost <= before * (1.0 + 1e-7));
                        taken += 1.0 - after / before;
                    }
                    CHECK(2 * tried > steps);
                    CHECK(taken > 0.2);
                }
            }
        }
    }
}

// Clusters of discs or balls that touch, light and heavy: where Newton's rule alone would gain energy.
TEST_CASE("Coulomb's law: an impact gains no kinetic energy, spins included, whatever the restitutions") {
    int tried = 0, bounced = 0;
    for (const int dimension : {2, 3}) {
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            CAPTURE(dimension);
            CAPTURE(seed);
            System system = touching_cluster(dimension, seed);
            const double before = kinetic_energy(system);
            ContactStepper stepper(tight_friction(1e-3, 1e-9));
            const bool solved = converged(stepper.step(system));
            if (!solved) continue;
            ++tried;
            const double after = kinetic_energy(system);
            CHECK(after <= before * (1.0 + 1e-7));
            bounced += after > 0.5 * before;
        }
    }
    CHECK(tried > 200);
    CHECK(bounced > 50);
}

TEST_CASE("friction: units of length, time and mass change no bit") {
    // Powers of four of lengths and masses and of two of times keep the gravity and every square root exact.
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const double rolling : rolling_frictions(law)) {
                const auto end = [&](const View& view) {
                    System system = mixer({.dimension = dimension,
                                           .law = law,
                                           .restitution = 0.3,
                                           .rolling = rolling,
                                           .view = view});
                    ContactStepper stepper(with_iterations(view.time / 256.0, 60));
                    for (int n = 0; n < 50; ++n) stepper.step(system);
                    REQUIRE(sliding_count(stepper.contacts()) > 10);
                    for (Vec3& x : system.particles.position) x /= view.length;
                    for (Vec3& u : system.particles.velocity) u *= view.time / view.length;
                    for (Vec3& w : system.particles.angular_velocity) w *= view.time;
                    const double force = view.mass * view.length / (view.time * view.time);
                    for (Vec3& f : system.particles.contact_force) f /= force;
                    for (Vec3& f : system.particles.contact_torque) f /= force * view.length;
                    return without_underflow(numbers(system));
                };
                const std::vector<double> usual = end({});
                for (const auto& [k, m] : {std::pair{3, -4}, {-5, 6}}) {
                    CAPTURE(dimension);
                    CAPTURE(static_cast<int>(law));
                    CAPTURE(k);
                    CHECK(same_bits(usual, end({std::pow(4.0, k), std::pow(2.0, k), std::pow(4.0, m)})));
                }
            }
        }
    }
}

// Without restitution, here and where bodies change their order: a bounce gives back a part of the normal
// impulses, which friction leaves undetermined, so that with both the motion is not unique.
TEST_CASE("friction: a system that is turned or mirrored moves the same way, spins as pseudovectors") {
    const double h = 1.0 / 256.0, tolerance = 1e-10;
    std::vector<View> views(3);
    views[0].axes << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    views[1].axes(0, 0) = -1.0;
    views[2].axes << 0, 0, 1, 0, 1, 0, -1, 0, 0;  // out of the plane
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const double rolling : rolling_frictions(law)) {
                CAPTURE(dimension);
                CAPTURE(static_cast<int>(law));
                CAPTURE(rolling);
                const System usual = fallen(dimension, law, {}, false, tolerance, h, 0.02, rolling);
                for (const View& view : std::span(views).first(dimension == 2 ? 2 : 3)) {
                    CAPTURE(&view - views.data());
                    check_same_motion(usual, fallen(dimension, law, view, false, tolerance, h, 0.02, rolling),
                                      view, tolerance, h);
                }
            }
        }
    }
}

TEST_CASE("Coulomb's law: a system that drifts as a whole, walls included, moves the same way") {
    const double h = 1.0 / 256.0, tolerance = 1e-10;
    const View drifting{.drift = Vec3(0.5, -0.25, 0.0)};
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        const auto fall = [&](const View& view) {
            return fallen(dimension, FrictionLaw::coulomb, view, true, tolerance, h);
        };
        check_same_motion(fall({}), fall(drifting), drifting, tolerance, h);
    }
}

// The relaxed law acts across a gap up to h mu |w_T|, further than bodies move: those that spin, or any with
// mu above 1.
TEST_CASE("the relaxed law: how far around contacts are looked for does not change the motion") {
    for (const double margin : {0.02, 0.5}) {
        const double h = 1e-3, mu = 0.5, radius = 0.1, gap = 0.05 * radius,
                     spin = 4.0 * gap / (h * mu * radius);
        System system = empty_system(3);
        add_plane(system, Vec3::Zero(), Vec3::UnitZ());
        system.law = {.kind = FrictionLaw::coulomb_relaxed, .friction = mu};
        add_ball(system, Vec3(0, 0, radius + gap), Vec3::Zero(), radius);
        system.particles.angular_velocity[0] = spin * Vec3::UnitX();
        set_radii(system.particles, system.groups, 3, 0.0);
        StepOptions options = tight_friction(h, 1e-10);
        options.margin = margin;
        ContactStepper stepper(options);
        stepper.step(system);
        const Particles& p = system.particles;
        const double slip = (p.velocity[0] - radius * p.angular_velocity[0].cross(Vec3::UnitZ())).y();
        CAPTURE(margin);
        CHECK(gap / h + p.velocity[0].z() >= mu * std::abs(slip) * (1.0 - 1e-8));
    }
}

TEST_CASE("Coulomb's law without friction anywhere is the inelastic law, bit for bit") {
    for (const int dimension : {2, 3}) {
        for (const double restitution : {0.0, 0.5}) {
            std::vector<std::vector<double>> ends;
            for (const FrictionLaw law :
                 {FrictionLaw::inelastic, FrictionLaw::coulomb, FrictionLaw::coulomb_relaxed}) {
                System system = mixer({.dimension = dimension, .law = law, .restitution = restitution});
                if (law != FrictionLaw::inelastic) {  // which does not ask for coefficients
                    system.law.friction = 0.0;
                    system.law.surface_friction.clear();
                    for (auto& [names, pair] : system.law.pairs) pair.friction = 0.0;
                }
                const std::vector<Vec3> spins = system.particles.angular_velocity;
                ContactStepper stepper(with_iterations(4e-3, 3));
                for (int n = 0; n < 40; ++n) stepper.step(system);
                CHECK(system.particles.angular_velocity == spins);
                ends.push_back(numbers(system));
            }
            CHECK(same_bits(ends[0], ends[1]));
            CHECK(same_bits(ends[0], ends[2]));
        }
    }
}

TEST_CASE("friction: where a step converges, no contact resists more than the law allows, sliding or not") {
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            for (const double restitution : {0.0, 0.6}) {
                CAPTURE(dimension);
                CAPTURE(static_cast<int>(law));
                CAPTURE(restitution);
                System system = mixer({.dimension = dimension, .law = law, .restitution = restitution});
                // One restitution, well below 1: then no bounce is cut down to keep the energy (theta < 1),
                // after friction has answered the whole of it.
                for (auto& [names, pair] : system.law.pairs) pair.restitution.reset();
                ContactStepper stepper(tight_friction(4e-3, 1e-6));
                Index pushing = 0, sliding = 0;
                double pull = 0.0, excess = -1.0, tilt = 0.0;  // over the largest impulse [-]
                for (int n = 0; n < 40; ++n) {
                    if (!converged(stepper.step(system))) continue;
                    double largest = 0.0;
                    for (const Contact& c : stepper.contacts()) largest = std::max(largest, c.impulse);
                    if (largest == 0.0) continue;
                    for (const Contact& c : stepper.contacts()) {
                        const double most = friction_of(system, c) * c.impulse;
                        pull = std::max(pull, -c.impulse / largest);
                        excess = std::max(excess, (c.tangential.norm() - most) / largest);
                        tilt = std::max(tilt, std::abs(c.tangential.dot(c.normal)) / largest);
                        pushing += c.impulse > 0.0;
                        sliding += c.sliding;
                    }
                }
                CHECK(pull < 1e-14);
                CHECK(excess < 1e-13);
                CHECK(tilt < 1e-14);
                CHECK(pushing > 1000);
                CHECK(sliding > 100);
            }
        }
    }
}

TEST_CASE("Coulomb's law: contacts that push are closed, that stick do not slip, that slide are opposed") {
    const double h = 4e-3;
    for (const int dimension : {2, 3}) {
        CAPTURE(dimension);
        System system = mixer({.dimension = dimension, .turning_wall = false});
        const std::int32_t belt = dimension == 2 ? 2 : 4;  // the plane under the grains
        const double belt_speed = 0.25;
        system.walls[belt].motion.displacement = Schedule::ramp(0.0, belt_speed);  // along x
        ContactStepper stepper(tight_friction(h, 1e-9));
        Index sliding = 0, sticking = 0;
        double missed = 0.0, slipped = 0.0, cosine = -1.0, least_used = 1.0;
        for (int n = 0; n < 45; ++n) {
            if (!converged(stepper.step(system))) continue;
            double largest = 0.0;
            for (const Contact& c : stepper.contacts()) largest = std::max(largest, c.impulse);
            if (largest == 0.0) continue;
            for (const Contact& c : stepper.contacts()) {
                const double along = c.wall == belt ? belt_speed : 0.0;
                const Meeting m = meeting(system, c, h, along * Vec3::UnitX());
                // Impulses that would close, stop or turn what is left of the law.
                missed = std::max(missed, std::abs(std::min(c.impulse, m.mass * m.opening)) / largest);
                Vec3 aim = c.tangential - m.slip_mass * m.slip;
                const double most = friction_of(system, c) * c.impulse;
                if (aim.norm() > most) aim *= most / aim.norm();
                missed = std::max(missed, (c.tangential - aim).norm() / largest);
                if (c.impulse < 1e-3 * largest) continue;
                const double push = m.slip_mass * m.slip.norm();
                if (!c.sliding) {
                    ++sticking;
                    slipped = std::max(slipped, push / largest);
                } else if (most > 0.0 && push > 1e-4 * largest) {
                    ++sliding;
                    cosine = std::max(cosine, c.tangential.normalized().dot(m.slip.normalized()));
                    least_used = std::min(least_used, c.tangential.norm() / most);
                }
            }
        }
        CHECK(missed < 1e-7);
        CHECK(slipped < 1e-7);
        CHECK(cosine < -1.0 + 1e-6);
        CHECK(least_used > 1.0 - 1e-9);
        CHECK(sliding > 100);
        CHECK(sticking > 100);
    }
}

TEST_CASE("friction: the locked never turn, the frozen keep every bit, what is plane stays plane") {
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            CAPTURE(dimension);
            CAPTURE(static_cast<int>(law));
            const double rolling = rolling_frictions(law).back();
            System system =
                mixer({.dimension = dimension, .law = law, .restitution = 0.4, .rolling = rolling});
            const Particles start = system.particles;
            const Particles& p = system.particles;
            ContactStepper stepper(with_iterations(4e-3, 20));
            std::array<Index, 4> pushed = {}, turned = {};
            for (int n = 0; n < 70; ++n) {
                stepper.step(system);
                for (std::size_t i = 0; i < p.id.size(); ++i) {
                    const auto group = static_cast<std::size_t>(p.group[i]);
                    pushed[group] += p.contact_torque[i] != Vec3::Zero();
                    turned[group] += !same_bits(p.angular_velocity[i], start.angular_velocity[i]);
                    if (group == kLocked || group == kBase) {
                        CHECK(same_bits(p.angular_velocity[i], Vec3::Zero()));
                        CHECK(p.orientation[i].coeffs() == Quaternion::Identity().coeffs());
                    }
                    if (group == kBase) {
                        CHECK(same_bits(p.position[i], start.position[i]));
                        CHECK(same_bits(p.velocity[i], Vec3::Zero()));
                    }
                    if (dimension == 2) {
                        CHECK(p.position[i].z() == 0.0);
                        CHECK(p.velocity[i].z() == 0.0);
                        CHECK(p.angular_velocity[i].head<2>() == Vec3::Zero().head<2>());
                        CHECK(p.orientation[i].vec().head<2>() == Vec3::Zero().head<2>());
                    }
                }
            }
            for (const int group : {kRough, kSmooth, kLocked, kBase}) CHECK(pushed[group] > 10);
            CHECK(turned[kRough] > 10);
            CHECK(turned[kSmooth] > 10);
        }
    }
}

// Without restitution, as above.
TEST_CASE("friction: the order of the bodies changes one step by no more than the tolerance of the solver") {
    const double h = 4e-3, tolerance = 1e-10;
    for (const int dimension : {2, 3}) {
        for (const FrictionLaw law : kLaws) {
            CAPTURE(dimension);
            CAPTURE(static_cast<int>(law));
            System system = mixer({.dimension = dimension, .law = law});
            const std::vector<std::size_t> order = shuffled(system.particles.id.size());
            ContactStepper past(with_iterations(h, 200));
            int compared = 0;
            double worst = 0.0;
            for (int n = 0; n < 40; ++n) {
                if (n % 5 == 4) {
                    System one = system, other = system;
                    reorder(other, order);
                    ContactStepper first(tight_friction(h, tolerance)), second(tight_friction(h, tolerance));
                    if (converged(first.step(one)) && converged(second.step(other))) {
                        ++compared;
                        worst = std::max(worst, difference(one.particles, other.particles, order));
                    }
                }
                past.step(system);
            }
            CHECK(compared > 3);
            CHECK(worst < 1e3 * tolerance);  // of impacts of 1 m/s and more
        }
    }
}
