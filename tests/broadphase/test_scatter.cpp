#include "talus/broadphase/scatter.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "broadphase/scenes.hpp"
#include "talus/bodies/memory_order.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

constexpr Index kNear = 64;

/// Balls in random order, each with some neighbours.
Particles cloud(std::size_t count) {
    Particles p;
    const Balls balls = random_balls({.count = count, .smallest = 0.06, .largest = 0.06});
    for (std::size_t i = 0; i < count; ++i) {
        p.add({static_cast<ParticleId>(i), balls.centre[i], Vec3::Zero(), 0.06, 1.0});
    }
    return p;
}

bool scattered_now(const Particles& p) {
    std::vector<Pair> pairs;
    make_broad_phase(BroadPhaseKind::cell_grid)->find(p.position, p.radius, pairs);
    REQUIRE(!pairs.empty());
    return scattered(p, pairs, kNear);
}

}  // namespace

TEST_CASE("a random order is scattered, that along the curve and one that fits into the cache are not") {
    Particles p = cloud(1500);
    CHECK(scattered_now(p));
    p.arrange(curve_order(p));
    CHECK_FALSE(scattered_now(p));
    std::reverse(p.position.begin(), p.position.end());
    CHECK_FALSE(scattered_now(p));
    CHECK_FALSE(scattered_now(cloud(kNear)));
    CHECK_FALSE(scattered(Particles{}, {}, kNear));
}

TEST_CASE("what the curve can not help is left alone: a giant among small ones that do not meet") {
    Particles p;
    for (ParticleId id = 0; id < 1000; ++id) {
        Random random(3, static_cast<std::uint64_t>(id));
        const Vec3 direction(random.normal(), random.normal(), random.normal());
        p.add({id, 1.01 * direction.normalized(), Vec3::Zero(), 1e-3, 1.0});
    }
    p.add({1000, Vec3::Zero(), Vec3::Zero(), 1.01, 1.0});
    CHECK_FALSE(scattered_now(p));
}
