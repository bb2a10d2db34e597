#include <doctest/doctest.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "fill_checks.hpp"
#include "support/keep_threads.hpp"
#include "talus/core/parallel.hpp"

using namespace talus;
using namespace talus::test;

namespace {

struct Fill {
    const char* name;
    Region region;
    int dimension;
    double fraction;
    RadiusDistribution radius;
};

/// Random sequential addition and growth, all regions, equal and unequal balls.
std::vector<Fill> every_fill() {
    const Region box = box_region(Vec3(-0.5, 0.0, 0.2), Vec3(0.5, 0.8, 1.0));
    RadiusDistribution wide = radius_between(0.005, 0.1);
    wide.kind = RadiusDistribution::Kind::log_uniform;
    return {{"box, addition", box, 3, 0.25, radius_between(0.04, 0.04)},
            {"box, wide, addition", box, 3, 0.15, wide},
            {"box, growth", box, 3, 0.50, radius_between(0.045, 0.06)},
            {"cylinder, addition", cylinder_region(0.4, 1.0), 3, 0.25, radius_between(0.03, 0.05)},
            {"cylinder, growth", cylinder_region(0.4, 1.0), 3, 0.50, radius_between(0.04, 0.04)},
            {"hopper, addition", hopper_region(3, 0.4), 3, 0.20, radius_between(0.03, 0.05)},
            {"hopper, growth", hopper_region(3, 0.4), 3, 0.50, radius_between(0.03, 0.04)},
            {"box in 2-D, addition", box, 2, 0.40, radius_between(0.01, 0.03)},
            {"box in 2-D, growth", box, 2, 0.80, radius_between(0.015, 0.025)},
            {"hopper in 2-D, growth", hopper_region(2, 0.4), 2, 0.75, radius_between(0.015, 0.02)}};
}

System filled(const Fill& fill, int threads, std::uint64_t seed = 1) {
    const KeepThreads keep;
    set_small_loop(1);
    set_thread_count(threads);
    System system = empty_system(fill.dimension);
    generate(source_of(fill_to(fill.region, fill.fraction), fill.radius, seed), SolverOptions{}, system);
    return system;
}

}  // namespace

TEST_CASE("random fills hold whole particles inside, apart, and the solid fraction asked for") {
    for (const Fill& fill : every_fill()) {
        CAPTURE(fill.name);
        System system = empty_system(fill.dimension);
        const ParticleSource source = source_of(fill_to(fill.region, fill.fraction), fill.radius);
        const FillReport report = generate(source, SolverOptions{}, system);
        CHECK(report.placed == system.particles.size());
        CHECK(report.asked == report.placed);
        CHECK(worst_pair_overlap(system.particles, 0) <= kPromise);
        CHECK(all_inside(system, fill.region, 0));
        CHECK(report.solid_fraction ==
              doctest::Approx(solid_fraction(system, fill.region, 0)).epsilon(1e-12));
        // As close as whole particles come: within half of the largest.
        const double half_ball = 0.5 * particle_mass(1.0, fill.radius.largest(), fill.dimension);
        CHECK(std::abs(report.solid_fraction - fill.fraction) <=
              half_ball / fill.region.volume(fill.dimension));
    }
}

TEST_CASE("random fills have the same bits on 1, 2 and 8 threads and other ones for another seed") {
    for (const Fill& fill : every_fill()) {
        CAPTURE(fill.name);
        const System one = filled(fill, 1);
        CHECK(filled(fill, 2).particles.position == one.particles.position);
        CHECK(filled(fill, 8).particles.position == one.particles.position);
        CHECK(filled(fill, 2, 9).particles.position != one.particles.position);
    }
}

TEST_CASE(
    "a fraction of 0.3 in a box of centimetres gives 0.3 V / (4/3 pi r^3) spheres, and as many in any unit") {
    const Vec3 side(0.016, 0.0512, 0.0032);
    const double r = 4e-4;
    const double expected = 0.3 * side.prod() / (4.0 / 3.0 * std::numbers::pi * r * r * r);
    for (const double unit : {1.0, 1000.0, 1e-3, 16.0, 0x1p-20}) {
        CAPTURE(unit);
        System system = empty_system();
        const Region region = box_region(Vec3::Zero(), unit * side);
        const FillReport report = generate(
            source_of(fill_to(region, 0.3), radius_between(unit * r, unit * r)), SolverOptions{}, system);
        CHECK(std::abs(static_cast<double>(report.placed) - expected) <= 0.5);
        CHECK(all_inside(system, region, 0));
    }
}

TEST_CASE("the number of unequal particles does not depend on the unit of length") {
    std::int64_t number = -1;
    for (const double unit : {1.0, 1000.0, 1.0 / 1000.0, 4.0, 256.0}) {
        System system = empty_system(2);
        const Region region = box_region(Vec3::Zero(), Vec3::Constant(unit));
        const FillReport report =
            generate(source_of(fill_to(region, 0.4), radius_between(0.01 * unit, 0.03 * unit)),
                     SolverOptions{}, system);
        if (number < 0) number = report.placed;
        CHECK(report.placed == number);
    }
    CHECK(number > 200);
}

TEST_CASE("lengths times a power of two move every random particle by that power, bit for bit") {
    for (const double fraction : {0.25, 0.5}) {
        CAPTURE(fraction);
        System small = empty_system(), large = empty_system();
        const Region unit = box_region(Vec3(-1.0, 0.5, 0.0), Vec3(0.0, 1.5, 1.0));
        Region scaled = unit;
        scaled.low *= 256.0;
        scaled.high *= 256.0;
        generate(source_of(fill_to(unit, fraction), radius_between(0.06, 0.1)), SolverOptions{}, small);
        generate(source_of(fill_to(scaled, fraction), radius_between(256.0 * 0.06, 256.0 * 0.1)),
                 SolverOptions{}, large);
        REQUIRE(small.particles.size() == large.particles.size());
        for (std::size_t i = 0; i < small.particles.position.size(); ++i) {
            REQUIRE(large.particles.position[i] == 256.0 * small.particles.position[i]);
        }
    }
}

TEST_CASE("random fills stay out of walls whatever their order, and particles already there stay put") {
    for (const double fraction : {0.2, 0.45}) {
        CAPTURE(fraction);
        std::vector<System> systems;
        for (const bool turned : {false, true}) {
            System system = empty_system();
            add_plane(system, Vec3(0.0, 0.0, 0.05), Vec3::UnitZ(), "floor");
            add_wall(system, "pipe",
                     make_revolved(Vec3(0.5, 0.5, 0.0), Vec3::UnitZ(), {{0.45, -1.0}, {0.45, 2.0}}));
            if (turned) std::swap(system.walls[0], system.walls[1]);
            add_ball(system, Vec3(0.5, 0.5, 0.5), Vec3(1.0, 0.0, 0.0), 0.15, 3.0);
            add_ball(system, Vec3(0.5, 0.5, 0.1), Vec3::Zero(), 0.05, 3.0, true);
            const Region region = box_region(Vec3(0.1, 0.1, 0.0), Vec3(0.9, 0.9, 1.0));
            generate(source_of(fill_to(region, fraction), radius_between(0.025, 0.035)), SolverOptions{},
                     system);
            CHECK(worst_wall_overlap(system, 2) <= kPromise);
            CHECK(worst_pair_overlap(system.particles, 2) <= kPromise);
            CHECK(all_inside(system, region, 2));
            CHECK(system.particles.position[0] == Vec3(0.5, 0.5, 0.5));
            CHECK(system.particles.position[1] == Vec3(0.5, 0.5, 0.1));
            CHECK(system.particles.velocity[0] == Vec3(1.0, 0.0, 0.0));
            CHECK(system.particles.mass[0] == 3.0);
            systems.push_back(std::move(system));
        }
        CHECK(systems[0].particles.size() == systems[1].particles.size());
        // Places are tried one after the other: the order of the walls changes nothing at all.
        if (fraction < 0.3) CHECK(systems[0].particles.position == systems[1].particles.position);
    }
}

TEST_CASE("a layer as thick as one particle is filled in its middle plane") {
    System system = empty_system();
    const Region region = box_region(Vec3::Zero(), Vec3(1.0, 1.0, 0.1));
    const FillReport report =
        generate(source_of(fill_with(region, 50), radius_between(0.05, 0.05)), SolverOptions{}, system);
    CHECK(report.placed == 50);
    for (const Vec3& x : system.particles.position) CHECK(x[2] == doctest::Approx(0.05));
}

TEST_CASE("the largest fractions are reached with equal balls: 0.60 in 3-D, 0.80 in 2-D") {
    const Fill fills[] = {
        {"3-D", box_region(Vec3::Zero(), Vec3(1.0, 1.0, 1.5)), 3, 0.60, radius_between(0.045, 0.045)},
        {"2-D", box_region(Vec3::Zero(), Vec3(1.0, 1.5, 0.0)), 2, 0.80, radius_between(0.02, 0.02)}};
    for (const Fill& fill : fills) {
        CAPTURE(fill.name);
        const System system = filled(fill, 1);
        CHECK(worst_pair_overlap(system.particles, 0) <= kPromise);
        CHECK(all_inside(system, fill.region, 0));
        CHECK(solid_fraction(system, fill.region, 0) == doctest::Approx(fill.fraction).epsilon(2e-3));
    }
}

TEST_CASE("radii that are scaled at the time of the system are placed and counted as they are then") {
    System system = empty_system();
    system.groups[0].radius_scale = Schedule::constant(0.5);
    const Region region = box_region(Vec3::Zero(), Vec3::Ones());
    const FillReport report =
        generate(source_of(fill_to(region, 0.25), radius_between(0.1, 0.1)), SolverOptions{}, system);
    const double expected = 0.25 / (4.0 / 3.0 * std::numbers::pi * 0.05 * 0.05 * 0.05);
    CHECK(std::abs(static_cast<double>(report.placed) - expected) <= 0.5);
    CHECK(system.particles.radius[0] == 0.05);
    CHECK(system.particles.reference_radius[0] == 0.1);
    CHECK(worst_pair_overlap(system.particles, 0) <= kPromise);
}

TEST_CASE("mass comes from the density or is given, and frozen groups do not move") {
    System system = empty_system(2);
    system.groups.push_back(Group{.name = "base", .frozen = true});
    const Region region = box_region(Vec3::Zero(), Vec3::Ones());
    ParticleSource source = source_of(fill_with(region, 20), radius_between(0.03, 0.05));
    source.group = 1;
    source.velocity = Vec3(1.0, 1.0, 0.0);
    generate(source, SolverOptions{}, system);
    const Particles& p = system.particles;
    for (Index i = 0; i < p.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        CHECK(p.frozen(i));
        CHECK(p.velocity[k] == Vec3::Zero());
        CHECK(p.reference_mass[k] == doctest::Approx(2500.0 * std::numbers::pi * p.radius[k] * p.radius[k]));
    }
    source.density = 0.0;
    source.mass = 0.125;
    source.group = 0;
    generate(source, SolverOptions{}, system);
    CHECK(p.mass[25] == 0.125);
    CHECK(p.id[39] == 39);
    CHECK(worst_pair_overlap(p, 0) <= kPromise);
}

TEST_CASE("a count of zero places nothing") {
    System system = empty_system();
    const FillReport report =
        generate(source_of(fill_with(box_region(Vec3::Zero(), Vec3::Ones()), 0), radius_between(0.1, 0.1)),
                 SolverOptions{}, system);
    CHECK(report.placed == 0);
    CHECK(system.particles.size() == 0);
}

TEST_CASE("targets out of reach are refused and say how many fit") {
    const Region box = box_region(Vec3::Zero(), Vec3::Ones());
    const System space = empty_system(), plane = empty_system(2);
    const RadiusDistribution r = radius_between(0.05, 0.05);
    CHECK(mentions(refusal(source_of(fill_to(box, 0.61), r), space), "0.60"));
    CHECK(mentions(refusal(source_of(fill_to(box, 0.81), r), plane), "0.80"));
    // 0.60 / (4/3 pi 0.05^3) = 1145.9
    CHECK(mentions(refusal(source_of(fill_with(box, 1200), r), space), "about 1145 fit"));
    CHECK(mentions(refusal(source_of(fill_with(box, 1), radius_between(0.6, 0.6)), space), "fit"));
    CHECK(mentions(refusal(source_of(fill_to(box, 1e-9), r), space), "less than one particle"));
    CHECK(mentions(refusal(source_of(fill_to(box, 0.3), radius_between(1e-5, 1e-5)), space), "in metres"));
    RandomFill both = fill_to(box, 0.3);
    both.count = 3;
    CHECK(mentions(refusal(source_of(both, r), space), "one of the two"));
    System full = empty_system();
    add_ball(full, Vec3(0.5, 0.5, 0.5), Vec3::Zero(), 0.5);
    CHECK(mentions(refusal(source_of(fill_to(box, 0.4), r), full), "do not fit"));
}

TEST_CASE("sources without density or mass, with a bad group or velocity are refused") {
    const Region box = box_region(Vec3::Zero(), Vec3::Ones());
    const System system = empty_system(2);
    ParticleSource source = source_of(fill_with(box, 3), radius_between(0.05, 0.05));
    source.density = 0.0;
    CHECK(mentions(refusal(source, system), "mass must be positive"));
    source.density = -1.0;
    CHECK(mentions(refusal(source, system), "density must be positive"));
    source.density = 1.0;
    source.group = 1;
    CHECK(mentions(refusal(source, system), "group number 1"));
    source.group = 0;
    source.velocity = Vec3(0.0, 0.0, 1.0);
    CHECK(mentions(refusal(source, system), "no z component"));
    source.velocity = Vec3::Constant(std::numeric_limits<double>::infinity());
    CHECK(mentions(refusal(source, system), "finite"));
}

TEST_CASE("ids at random places follow a curve: successors are neighbours") {
    const Fill fill{"box", box_region(Vec3::Zero(), Vec3(1.0, 1.0, 1.0)), 3, 0.25,
                    radius_between(0.02, 0.03)};
    const std::vector<Vec3> centre = filled(fill, 1).particles.position;
    REQUIRE(centre.size() > 2000);
    std::vector<double> distance;
    for (std::size_t i = 1; i < centre.size(); ++i) distance.push_back((centre[i] - centre[i - 1]).norm());
    const auto middle = distance.begin() + static_cast<std::ptrdiff_t>(distance.size() / 2);
    std::nth_element(distance.begin(), middle, distance.end());
    CHECK(*middle < 4.0 * 0.03);  // in the order of placing: half of the box
}
