#include <doctest/doctest.h>

#include "talus/core/random.hpp"
#include "talus/geometry/shapes.hpp"
#include "talus/lagrange/bernicot_lefebvre.hpp"
#include "talus/lagrange/systems/sphere_assembly.hpp"
#include "talus/step/contact_step.hpp"

using namespace talus;

namespace {

/// Spheres of radius 0.05 to 0.09 m above each other and a little askew, that fall into a corner of a floor
/// and a wall.
System falling_spheres(int count) {
    Random random(4, 4);
    System system;
    system.groups.push_back({.name = "default"});
    system.gravity[2] = Schedule::constant(-9.81);
    double top = 0.0;
    for (int i = 0; i < count; ++i) {
        const double radius = random.uniform(0.05, 0.09);
        const Vec3 place(0.12 + random.uniform(-0.03, 0.03), random.uniform(-0.03, 0.03), top + radius);
        system.particles.add({i, place, {-0.2, 0.0, -1.0}, radius, random.uniform(0.5, 2.0)});
        top += 2.0 * radius + 0.01;
    }
    for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(1, 0, 0)}) {
        Wall wall;
        wall.name = normal.z() > 0.0 ? "floor" : "side";
        wall.shape = make_half_space(Vec3::Zero(), normal);
        system.walls.push_back(wall);
    }
    return system;
}

}  // namespace

TEST_CASE("the velocity scheme in generalized coordinates makes the granular step, e = 0") {
    constexpr double h = 5e-3;
    System system = falling_spheres(6);
    const lagrange::SphereAssembly assembly(
        {system.particles.mass, system.particles.radius, {{Vec3::UnitZ(), 0.0}, {Vec3::UnitX(), 0.0}}});
    lagrange::State start{0.0, lagrange::Vector(18), lagrange::Vector(18)};
    for (int i = 0; i < 6; ++i) {
        start.q.segment<3>(3 * i) = system.particles.position[i];
        start.v.segment<3>(3 * i) = system.particles.velocity[i];
    }
    lagrange::BernicotLefebvre scheme(assembly, start, h);
    StepOptions options{.time_step = h};
    options.solver = {.kind = SolverKind::exact, .tolerance = 1e-12, .overlap_tolerance = 1e-12};
    ContactStepper stepper(options);
    double worst = 0.0;
    int most = 0;
    for (int n = 0; n < 100; ++n) {
        stepper.step(system);
        const lagrange::StepReport report = scheme.step();
        most = std::max(most, static_cast<int>((report.impulses.array() > 0.0).count()));
        for (int i = 0; i < 6; ++i) {
            worst =
                std::max(worst, (scheme.state().q.segment<3>(3 * i) - system.particles.position[i]).norm());
            worst =
                std::max(worst, (scheme.state().v.segment<3>(3 * i) - system.particles.velocity[i]).norm());
        }
    }
    CHECK(most >= 6);
    CHECK(worst < 1e-10);
}
