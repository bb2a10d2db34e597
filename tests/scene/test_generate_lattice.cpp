#include <doctest/doctest.h>

#include <numbers>

#include "fill_checks.hpp"
#include "talus/core/parallel.hpp"

using namespace talus;
using namespace talus::test;

namespace {

LatticeFill lattice(const Region& region, LatticeFill::Kind kind, double spacing, double jitter = 0.0) {
    LatticeFill fill;
    fill.region = region;
    fill.kind = kind;
    fill.spacing = spacing;
    fill.jitter = jitter;
    return fill;
}

constexpr auto kCubic = LatticeFill::Kind::cubic;
constexpr auto kHexagonal = LatticeFill::Kind::hexagonal;

}  // namespace

TEST_CASE("a cubic lattice whose spacing is the diameter fills a box of n diameters with n to the third") {
    for (const int dimension : {2, 3}) {
        System system = empty_system(dimension);
        const Region region =
            box_region(Vec3::Zero(), Vec3::Constant(0.1));  // 0.1 is not a sum of 0.01s in binary
        const ParticleSource source = source_of(lattice(region, kCubic, 0.01), radius_between(5e-3, 5e-3));
        const FillReport report = generate(source, SolverOptions{}, system);
        const int expected = dimension == 2 ? 100 : 1000;
        CHECK(report.placed == expected);
        CHECK(report.asked == expected);
        CHECK(report.refused_by_walls == 0);
        CHECK(report.solid_fraction ==
              doctest::Approx(dimension == 2 ? std::numbers::pi / 4 : std::numbers::pi / 6));
        CHECK(system.particles.position[0].head(dimension).isApprox(Vec3::Constant(5e-3).head(dimension)));
        CHECK(worst_pair_overlap(system.particles, 0) <= kPromise);
        CHECK(all_inside(system, region, 0));
    }
}

TEST_CASE(
    "a hexagonal lattice of touching balls has the density of the close packing far from the boundary") {
    for (const int dimension : {2, 3}) {
        System system = empty_system(dimension);
        const Region region = box_region(Vec3::Zero(), Vec3::Constant(dimension == 2 ? 1.0 : 0.3));
        const ParticleSource source =
            source_of(lattice(region, kHexagonal, 0.02), radius_between(0.01, 0.01));
        generate(source, SolverOptions{}, system);
        CHECK(worst_pair_overlap(system.particles, 0) <= kPromise);
        // Neighbours of a ball in the middle: 6 in a triangular lattice, 12 in a close packing.
        const Particles& p = system.particles;
        const Vec3 middle = dimension == 2 ? Vec3(0.5, 0.5, 0.0) : Vec3::Constant(0.15);
        std::size_t centre = 0;
        for (std::size_t i = 0; i < p.position.size(); ++i) {
            if ((p.position[i] - middle).norm() < (p.position[centre] - middle).norm()) centre = i;
        }
        int neighbours = -1;
        for (const Vec3& x : p.position) neighbours += (x - p.position[centre]).norm() < 0.02 * (1.0 + 1e-9);
        CHECK(neighbours == (dimension == 2 ? 6 : 12));
    }
}

TEST_CASE("lattices in every kind of region stay inside, whole and apart, with and without jitter") {
    struct Case {
        Region region;
        int dimension;
    };
    const Case cases[] = {{box_region(Vec3(-0.3, 0.0, 0.1), Vec3(0.4, 0.5, 0.6)), 3},
                          {box_region(Vec3(-0.3, 0.0, 0.1), Vec3(0.4, 0.5, 0.6)), 2},
                          {cylinder_region(0.3, 0.5), 3},
                          {hopper_region(3, 0.3), 3},
                          {hopper_region(2, 0.5), 2}};
    for (const Case& each : cases) {
        for (const auto kind : {kCubic, kHexagonal}) {
            for (const double jitter : {0.0, 1.0}) {
                System system = empty_system(each.dimension);
                const ParticleSource source =
                    source_of(lattice(each.region, kind, 0.05, jitter), radius_between(0.012, 0.024));
                const FillReport report = generate(source, SolverOptions{}, system);
                CHECK(report.placed > 30);
                CHECK(worst_pair_overlap(system.particles, 0) <= kPromise);
                CHECK(all_inside(system, each.region, 0));
                CHECK(report.solid_fraction == doctest::Approx(solid_fraction(system, each.region, 0)));
            }
        }
    }
}

TEST_CASE("jitter moves particles, by no more than half the room between neighbours") {
    const Region region = box_region(Vec3::Zero(), Vec3::Constant(0.5));
    System regular = empty_system(), shaken = empty_system();
    const RadiusDistribution radius = radius_between(0.01, 0.01);
    generate(source_of(lattice(region, kCubic, 0.05, 0.0), radius), SolverOptions{}, regular);
    generate(source_of(lattice(region, kCubic, 0.05, 0.8), radius), SolverOptions{}, shaken);
    REQUIRE(regular.particles.size() == shaken.particles.size());
    double longest = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < regular.particles.position.size(); ++i) {
        const double moved = (regular.particles.position[i] - shaken.particles.position[i]).norm();
        longest = std::max(longest, moved);
        sum += moved;
    }
    const double most = 0.8 * (0.5 * 0.05 - 0.01);
    CHECK(longest <= most * (1.0 + 1e-12));
    CHECK(sum > 0.4 * most * static_cast<double>(regular.particles.size()));
}

TEST_CASE(
    "a cube around a cylinder wall: no particle overlaps the wall and the refused places are reported") {
    System system = empty_system();
    add_wall(system, "pipe", make_revolved(Vec3::Zero(), Vec3::UnitZ(), {{0.1, -1.0}, {0.1, 1.0}}));
    const Region cube = box_region(Vec3(-0.1, -0.1, 0.0), Vec3(0.1, 0.1, 0.2));
    System free = empty_system();
    const ParticleSource source = source_of(lattice(cube, kCubic, 0.02), radius_between(0.01, 0.01));
    const FillReport all = generate(source, SolverOptions{}, free);
    const FillReport report = generate(source, SolverOptions{}, system);
    CHECK(all.placed == 1000);
    CHECK(report.asked == 1000);
    CHECK(report.placed + report.refused_by_walls == 1000);
    CHECK(worst_wall_overlap(system, 0) <= kPromise);
    // Oracle: the centres of a layer that are nearer than a radius to the circle.
    int refused = 0;
    for (int i = 0; i < 10; ++i) {
        for (int j = 0; j < 10; ++j) {
            refused += std::abs(std::hypot(-0.09 + 0.02 * i, -0.09 + 0.02 * j) - 0.1) < 0.01 * (1.0 - 1e-9);
        }
    }
    CHECK(report.refused_by_walls == 10 * refused);
}

TEST_CASE("a lattice around particles that are there already leaves them alone and takes the free places") {
    System system = empty_system(2);
    add_ball(system, Vec3(0.5, 0.5, 0.0), Vec3::Zero(), 0.2);
    system.particles.id[0] = 41;
    const Region region = box_region(Vec3::Zero(), Vec3::Ones());
    const FillReport report =
        generate(source_of(lattice(region, kHexagonal, 0.06, 0.5), radius_between(0.01, 0.025)),
                 SolverOptions{}, system);
    CHECK(report.refused_by_walls > 20);
    CHECK(system.particles.position[0] == Vec3(0.5, 0.5, 0.0));
    CHECK(worst_pair_overlap(system.particles, 1) <= kPromise);
    for (std::size_t i = 1; i < system.particles.id.size(); ++i) {
        REQUIRE(system.particles.id[i] == 41 + static_cast<ParticleId>(i));
    }
}

TEST_CASE("count is an upper limit of a lattice, and places fill row by row from the low corner") {
    System system = empty_system();
    LatticeFill fill = lattice(box_region(Vec3::Zero(), Vec3::Ones()), kCubic, 0.1);
    fill.count = 25;
    ParticleSource source = source_of(fill, radius_between(0.05, 0.05));
    source.velocity = Vec3(1.0, 2.0, 3.0);
    const FillReport report = generate(source, SolverOptions{}, system);
    CHECK(report.asked == 25);
    REQUIRE(report.placed == 25);
    CHECK(system.particles.position[24].isApprox(Vec3(0.45, 0.25, 0.05)));
    CHECK(system.particles.velocity[24] == Vec3(1.0, 2.0, 3.0));
    CHECK(system.particles.mass[24] == doctest::Approx(2500.0 * 4.0 / 3.0 * std::numbers::pi * 1.25e-4));
    fill.count = 5000;
    System full = empty_system();
    const FillReport as_many_as_fit =
        generate(source_of(fill, radius_between(0.05, 0.05)), SolverOptions{}, full);
    CHECK(as_many_as_fit.placed == 1000);
    CHECK(as_many_as_fit.asked == 5000);
}

TEST_CASE("lengths times a power of two move a lattice by that power, bit for bit") {
    System small = empty_system(), large = empty_system();
    const RadiusDistribution radius = radius_between(0.0625, 0.1);
    generate(source_of(lattice(box_region(Vec3::Zero(), Vec3(2, 1, 1)), kHexagonal, 0.25, 1.0), radius),
             SolverOptions{}, small);
    RadiusDistribution scaled = radius;
    scaled.low *= 1024.0;
    scaled.high *= 1024.0;
    generate(
        source_of(lattice(box_region(Vec3::Zero(), 1024.0 * Vec3(2, 1, 1)), kHexagonal, 256.0, 1.0), scaled),
        SolverOptions{}, large);
    REQUIRE(small.particles.size() == large.particles.size());
    for (std::size_t i = 0; i < small.particles.position.size(); ++i) {
        REQUIRE(large.particles.position[i] == 1024.0 * small.particles.position[i]);
    }
}

TEST_CASE("lattices that make no sense are refused with what is wrong") {
    const Region region = box_region(Vec3::Zero(), Vec3::Ones());
    const System system = empty_system();
    const RadiusDistribution radius = radius_between(0.05, 0.05);
    CHECK(mentions(refusal(source_of(lattice(region, kCubic, 0.09), radius), system), "largest diameter"));
    CHECK(mentions(refusal(source_of(lattice(region, kCubic, 0.1, 1.5), radius), system), "jitter"));
    CHECK(mentions(refusal(source_of(lattice(region, kCubic, 3.0), radius_between(0.6, 0.6)), system),
                   "too small"));
    CHECK(mentions(refusal(source_of(lattice(region, kCubic, 2e-5), radius_between(1e-5, 1e-5)), system),
                   "larger spacing"));
}
