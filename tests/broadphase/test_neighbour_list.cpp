#include "talus/broadphase/neighbour_list.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>

#include "broadphase/scenes.hpp"
#include "support/keep_threads.hpp"

using namespace talus;
using namespace talus::testing;
using talus::test::KeepThreads;

namespace {

Particles particles_of(const Balls& balls, std::size_t frozen_every = 0) {
    Particles particles;
    for (std::size_t i = 0; i < balls.size.size(); ++i) {
        const bool frozen = frozen_every > 0 && i % frozen_every == 0;
        particles.add(
            {static_cast<ParticleId>(i), balls.centre[i], Vec3::Zero(), balls.size[i], 1.0, 0, frozen});
    }
    return particles;
}

/// Pairs with gap <= reach_i + reach_j of which one moves, by definition.
std::vector<Pair> pairs_in_reach(const Particles& p, const std::vector<double>& reach) {
    std::vector<Pair> pairs;
    for (Index i = 0; i < p.size(); ++i) {
        for (Index j = i + 1; j < p.size(); ++j) {
            const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
            const double gap = (p.position[b] - p.position[a]).norm() - p.radius[a] - p.radius[b];
            if (gap <= reach[a] + reach[b] && !(p.frozen(i) && p.frozen(j))) pairs.push_back({i, j});
        }
    }
    return pairs;
}

bool contains_all(const std::vector<Pair>& pairs, const std::vector<Pair>& wanted) {
    return std::includes(pairs.begin(), pairs.end(), wanted.begin(), wanted.end());
}

std::vector<Pair> only(const std::vector<Pair>& pairs, const std::vector<Pair>& wanted) {
    std::vector<Pair> common;
    std::set_intersection(pairs.begin(), pairs.end(), wanted.begin(), wanted.end(),
                          std::back_inserter(common));
    return common;
}

/// Random walk in which now and then a particle jumps, and radii follow `growth` per step.
struct Motion {
    double step = 2e-3;
    double growth = 1.0;
    std::uint64_t seed = 3;

    void advance(Particles& p, std::vector<double>& reach, std::uint64_t n) const {
        for (std::size_t i = 0; i < p.position.size(); ++i) {
            Random random(seed + 1000 * n, i);
            const double length = random.uniform() < 0.01 ? 20.0 * step : step;
            if (!p.frozen(static_cast<Index>(i)))
                p.position[i] += length * Vec3(random.normal(), random.normal(), random.normal());
            p.radius[i] *= growth;
            reach[i] = 0.1 * p.radius[i] * random.uniform();
        }
    }
};

}  // namespace

TEST_CASE(
    "the list never misses a pair in reach, for any kind and skin, while particles move and grow tenfold") {
    for (const BroadPhaseKind kind :
         {BroadPhaseKind::cell_grid, BroadPhaseKind::kd_tree, BroadPhaseKind::r_tree}) {
        for (const double skin : {0.0, 0.1, 0.4, 1.0, 4.0}) {
            Particles p = particles_of(random_balls({.count = 120, .smallest = 0.01, .largest = 0.03}), 5);
            std::vector<double> reach(120, 0.01);
            NeighbourList list(kind, skin);
            const Motion motion{.growth = std::pow(10.0, 1.0 / 40.0)};
            for (std::uint64_t n = 0; n < 40; ++n) {
                motion.advance(p, reach, n);
                list.update(p, reach);
                const std::vector<Pair> wanted = pairs_in_reach(p, reach);
                CAPTURE(n);
                CAPTURE(skin);
                CHECK(contains_all(list.pairs(), wanted));
                CHECK(only(list.pairs(), wanted) == wanted);
            }
        }
    }
}

TEST_CASE(
    "where a few outgrow their skin, come or go, the list is mended, not built anew, and misses no pair") {
    const KeepThreads guard;
    set_small_loop(1);
    for (const int threads : {1, 3}) {
        set_thread_count(threads);
        const Balls balls = random_balls({.count = 400, .smallest = 0.01, .largest = 0.06});
        Particles p = particles_of(balls, 7);
        std::vector<double> reach(400, 0.0);
        NeighbourList list(BroadPhaseKind::cell_grid, 0.5);
        int builds = 0, changes = 0;
        for (std::uint64_t n = 0; n < 60; ++n) {
            const std::vector<Pair> before = list.pairs();
            Motion{.step = 2e-4}.advance(p, reach, n);
            if (n % 3 == 1) {
                std::vector<std::uint8_t> flags(p.id.size(), 0);
                flags[(37 * n) % flags.size()] = flags[(11 * n) % flags.size()] = 1;
                p.remove(flags);
                list.remove(flags);
            }
            if (n % 4 == 2) {
                const Vec3 at = 0.9 * p.position[(53 * n) % p.id.size()];
                p.add({1000 + static_cast<ParticleId>(n), at, Vec3::Zero(), 0.03, 1.0});
            }
            reach.resize(p.id.size(), 0.01);
            builds += list.update(p, reach) ? 1 : 0;
            changes += list.pairs() != before ? 1 : 0;
            const std::vector<Pair> wanted = pairs_in_reach(p, reach);
            CAPTURE(n);
            CHECK(contains_all(list.pairs(), wanted));
            CHECK(std::adjacent_find(list.pairs().begin(), list.pairs().end(), std::greater_equal<>()) ==
                  list.pairs().end());
            const bool both_frozen =
                std::any_of(list.pairs().begin(), list.pairs().end(),
                            [&](const Pair& pair) { return p.frozen(pair.i) && p.frozen(pair.j); });
            CHECK_FALSE(both_frozen);
        }
        CHECK(builds <= 6);
        CHECK(changes >= 25);
    }
}

TEST_CASE(
    "a list follows when all particles leave, others come, and some come and leave before it is asked") {
    Particles p = particles_of(random_balls({.count = 200, .smallest = 0.02, .largest = 0.05}));
    NeighbourList list(BroadPhaseKind::cell_grid, 0.1);
    const auto check = [&] {
        const std::vector<double> reach(p.id.size(), 0.01);
        list.update(p, reach);
        CHECK(contains_all(list.pairs(), pairs_in_reach(p, reach)));
        for (const Pair& pair : list.pairs()) CHECK(pair.j < p.size());
    };
    const auto remove = [&](std::size_t every) {
        std::vector<std::uint8_t> flags(p.id.size(), 0);
        for (std::size_t i = 0; i < flags.size(); i += every) flags[i] = 1;
        p.remove(flags);
        list.remove(flags);
    };
    const auto add = [&](ParticleId first, Index count) {
        const Balls balls =
            random_balls({.count = static_cast<std::size_t>(count), .smallest = 0.02, .largest = 0.05});
        for (Index k = 0; k < count; ++k)
            p.add({first + k, balls.centre[k], Vec3::Zero(), balls.size[k], 1.0});
    };
    check();
    add(1000, 10);
    remove(20);  // before the list has heard of those that came
    check();
    remove(30);
    add(2000, 10);
    check();
    remove(1);
    check();
    CHECK(list.pairs().empty());
    add(3000, 50);
    check();
}

TEST_CASE("a list that is mended again and again is built anew once half of the particles were") {
    Particles p = particles_of(random_balls({.count = 400, .smallest = 0.01, .largest = 0.01}));
    const std::vector<double> reach(400, 0.002);
    NeighbourList list(BroadPhaseKind::cell_grid, 0.1);
    int builds = 0;
    for (std::size_t n = 0; n < 1000; ++n) {
        p.position[n % 400] += Vec3(0.01, 0.0, 0.0);
        builds += list.update(p, reach) ? 1 : 0;
    }
    CHECK(builds == 1 + 999 / 201);
}

TEST_CASE("a mended list holds what a list built at the same moment holds, where all that moved is mended") {
    Particles p = particles_of(random_balls({.count = 300, .smallest = 0.01, .largest = 0.05}));
    std::vector<double> reach(300, 0.005);
    NeighbourList list(BroadPhaseKind::cell_grid, 0.2);
    list.update(p, reach);
    for (const std::size_t i : {3, 77, 78, 150, 299})
        p.position[i] = p.position[(i * 7) % 300] + Vec3(0.01, 0, 0);
    reach[12] = 0.2;
    CHECK_FALSE(list.update(p, reach));
    NeighbourList built(BroadPhaseKind::cell_grid, 0.2);
    built.update(p, reach);
    CHECK(list.pairs() == built.pairs());
}

TEST_CASE("a skin saves rebuilds, and without a skin every motion rebuilds") {
    const auto rebuilds = [](double skin) {
        Particles p = particles_of(random_balls({.count = 200}));
        std::vector<double> reach(200, 0.0);
        NeighbourList list(BroadPhaseKind::cell_grid, skin);
        int count = 0;
        for (int n = 0; n < 50; ++n) {
            for (Vec3& x : p.position) x[0] += 1e-4;
            count += list.update(p, reach) ? 1 : 0;
        }
        return count;
    };
    CHECK(rebuilds(0.0) == 50);
    // A skin of 0.1 x 0.04 m is used up after 40 steps of 1e-4 m: two builds, the first included.
    CHECK(rebuilds(0.1) == 2);
}

TEST_CASE("a list stays valid while nothing changes, whatever the skin") {
    Particles p = particles_of(random_balls({.count = 100}));
    std::vector<double> reach(100, 0.013);
    for (const double skin : {0.0, 0.1}) {
        NeighbourList list(BroadPhaseKind::cell_grid, skin);
        CHECK(list.update(p, reach));
        CHECK_FALSE(list.update(p, reach));
        reach[3] = 0.001;  // less reach is still covered
        CHECK_FALSE(list.update(p, reach));
        list.invalidate();
        CHECK(list.update(p, reach));
        reach[3] = 0.02;  // of one particle: mended
        CHECK_FALSE(list.update(p, reach));
        CHECK(contains_all(list.pairs(), pairs_in_reach(p, reach)));
    }
}

TEST_CASE("a particle of large reach gets many partners and the others no more than before") {
    Particles p = particles_of(random_balls({.count = 400, .smallest = 0.01, .largest = 0.01}));
    std::vector<double> reach(400, 0.002);
    NeighbourList list(BroadPhaseKind::cell_grid, 0.1);
    list.update(p, reach);
    const auto others = [&] {
        return std::count_if(list.pairs().begin(), list.pairs().end(),
                             [](const Pair& pair) { return pair.i != 7 && pair.j != 7; });
    };
    const auto before = others();
    reach[7] = 10.0;
    list.update(p, reach);
    CHECK(others() == before);
    CHECK(static_cast<std::ptrdiff_t>(list.pairs().size()) == before + 399);
}

TEST_CASE("pairs of two frozen particles are left out") {
    Particles p;
    for (int i = 0; i < 4; ++i) p.add({i, Vec3(0.1 * i, 0.0, 0.0), Vec3::Zero(), 0.05, 1.0, 0, i < 3});
    NeighbourList list(BroadPhaseKind::cell_grid, 0.1);
    list.update(p, std::vector<double>(4, 0.0));
    CHECK(list.pairs() == std::vector<Pair>{{2, 3}});
}

TEST_CASE("an empty list is built once, and again after particles were added") {
    Particles p;
    NeighbourList list(BroadPhaseKind::cell_grid, 0.1);
    CHECK(list.update(p, {}));
    CHECK_FALSE(list.update(p, {}));
    p.add({0, Vec3::Zero(), Vec3::Zero(), 1.0, 1.0});
    p.add({1, Vec3::UnitX(), Vec3::Zero(), 1.0, 1.0});
    CHECK(list.update(p, {0.0, 0.0}));
    CHECK(list.pairs().size() == 1);
}

TEST_CASE("a position that is not finite is refused, and the list recovers once it is mended") {
    Particles p = particles_of(random_balls({.count = 30}));
    const std::vector<double> reach(30, 0.0);
    NeighbourList list(BroadPhaseKind::cell_grid, 0.1);
    list.update(p, reach);
    const Vec3 good = p.position[12];
    p.position[12][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH_AS(list.update(p, reach), doctest::Contains("index 12"), std::invalid_argument);
    p.position[12] = good;
    CHECK(list.update(p, reach));
    CHECK_FALSE(list.update(p, reach));
    CHECK_THROWS_AS(list.update(p, std::vector<double>(29, 0.0)), std::invalid_argument);
    CHECK_THROWS_AS(NeighbourList(BroadPhaseKind::cell_grid, -0.1), std::invalid_argument);
}
