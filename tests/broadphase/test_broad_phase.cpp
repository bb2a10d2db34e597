#include "talus/broadphase/broad_phase.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "broadphase/scenes.hpp"
#include "support/keep_threads.hpp"
#include "talus/core/parallel.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

constexpr BroadPhaseKind kFastKinds[] = {BroadPhaseKind::cell_grid, BroadPhaseKind::kd_tree,
                                         BroadPhaseKind::r_tree};
constexpr BroadPhaseKind kAllKinds[] = {BroadPhaseKind::cell_grid, BroadPhaseKind::kd_tree,
                                        BroadPhaseKind::r_tree, BroadPhaseKind::brute_force};

}  // namespace

TEST_CASE("every kind of broad phase returns exactly the pairs of brute force, sorted") {
    for (const NamedBalls& scene : hard_scenes()) {
        const std::vector<Pair> expected = pairs_of(BroadPhaseKind::brute_force, scene.balls);
        CHECK(std::is_sorted(expected.begin(), expected.end()));
        for (const BroadPhaseKind kind : kFastKinds) {
            CAPTURE(scene.name);
            CAPTURE(static_cast<int>(kind));
            CHECK(pairs_of(kind, scene.balls) == expected);
        }
    }
}

TEST_CASE("brute force finds the pairs that a lattice has") {
    // Spheres of spacing 1/4 touch exactly: an edge^3 lattice has 3 edge^2 (edge - 1) touching pairs.
    CHECK(pairs_of(BroadPhaseKind::brute_force, lattice_balls(5, 0.25)).size() == 3 * 25 * 4);
    CHECK(pairs_of(BroadPhaseKind::brute_force, lattice_balls(1, 0.25)).empty());
}

TEST_CASE("the pairs are the same for any number of threads") {
    // Enough particles that every loop is cut into several pieces.
    const Balls balls = random_balls({.count = 20000, .smallest = 5e-3, .largest = 0.1});
    for (const BroadPhaseKind kind : kFastKinds) {
        const std::vector<Pair> expected = pairs_of(kind, balls);
        const test::KeepThreads keep;
        for (const int threads : {2, 3, 8}) {
            set_small_loop(1);
            set_thread_count(threads);
            CHECK(pairs_of(kind, balls) == expected);
        }
    }
}

TEST_CASE("a broad phase that is used again forgets its last input") {
    for (const BroadPhaseKind kind : kAllKinds) {
        const auto broad_phase = make_broad_phase(kind);
        std::vector<Pair> pairs;
        for (const NamedBalls& scene : hard_scenes()) {
            CAPTURE(scene.name);
            broad_phase->find(scene.balls.centre, scene.balls.size, pairs);
            CHECK(pairs == pairs_of(kind, scene.balls));
        }
        for (std::uint64_t step = 0; step < 4; ++step) {
            const Balls balls = random_balls({.count = 300, .smallest = 0.02, .largest = 0.1, .seed = step});
            broad_phase->find(balls.centre, balls.size, pairs);
            CHECK(pairs == pairs_of(BroadPhaseKind::brute_force, balls));
        }
    }
}

TEST_CASE("no particle and one particle have no pairs, and old pairs are dropped") {
    for (const BroadPhaseKind kind : kAllKinds) {
        const auto broad_phase = make_broad_phase(kind);
        std::vector<Pair> pairs = {{1, 2}};
        broad_phase->find({}, {}, pairs);
        CHECK(pairs.empty());
        pairs = {{1, 2}};
        broad_phase->find(std::vector<Vec3>{Vec3(1.0, 2.0, 3.0)}, std::vector<double>{0.5}, pairs);
        CHECK(pairs.empty());
    }
}

TEST_CASE("a centre or size that is not finite is refused by its index") {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (const BroadPhaseKind kind : kAllKinds) {
        for (const double bad : {inf, -inf, nan}) {
            Balls balls = random_balls({.count = 50});
            balls.centre[31][2] = bad;
            CHECK_THROWS_WITH_AS(pairs_of(kind, balls), doctest::Contains("index 31"), std::invalid_argument);
        }
        for (const double bad : {inf, nan, -1e-300}) {
            Balls balls = random_balls({.count = 50});
            balls.size[17] = bad;
            CHECK_THROWS_WITH_AS(pairs_of(kind, balls), doctest::Contains("index 17"), std::invalid_argument);
        }
        Balls balls = random_balls({.count = 50});
        balls.size.pop_back();
        CHECK_THROWS_AS(pairs_of(kind, balls), std::invalid_argument);
    }
}

TEST_CASE("random small scenes of every width of sizes agree with brute force") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Random random(77, seed);
        Cloud cloud{.count = 40 + seed, .seed = seed};
        cloud.low = random.uniform(-2.0, 1.0);
        cloud.dimension = 1 + static_cast<int>(seed % 3);
        cloud.largest = std::pow(10.0, random.uniform(-2.5, -0.5));
        cloud.smallest = cloud.largest * std::pow(10.0, random.uniform(-4.0, 0.0));
        Balls balls = random_balls(cloud);
        // Some snapped to a lattice of the sizes: equal coordinates and centres on borders.
        for (std::size_t i = 0; i < balls.centre.size(); i += 3)
            balls.centre[i] = (balls.centre[i] / cloud.largest).array().round().matrix() * cloud.largest;
        const std::vector<Pair> expected = pairs_of(BroadPhaseKind::brute_force, balls);
        CAPTURE(seed);
        for (const BroadPhaseKind kind : kFastKinds) CHECK(pairs_of(kind, balls) == expected);
    }
}
