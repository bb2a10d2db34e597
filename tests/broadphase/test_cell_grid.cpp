#include <doctest/doctest.h>

#include <ctime>
#include <limits>

#include "broadphase/scenes.hpp"
#include "talus/broadphase/broad_phase.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

/// Smallest processor time of a warm search [s]: other programs on the machine do not count, but for caches.
double search_time(const Balls& balls) {
    const auto grid = make_broad_phase(BroadPhaseKind::cell_grid);
    std::vector<Pair> pairs;
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < 6; ++repeat) {
        const std::clock_t begin = std::clock();
        grid->find(balls.centre, balls.size, pairs);
        const double time = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (repeat > 0) best = std::min(best, time);
    }
    return best;
}

/// 30 000 spheres at a number density like that of a packing.
Balls bed() {
    return random_balls({.count = 30000, .smallest = 0.017, .largest = 0.018});
}

}  // namespace

TEST_CASE(
    "one giant, one very fast particle and far flyers cost at most three times the scene without them") {
    const double plain = search_time(bed());
    Balls giant = bed();
    giant.add(Vec3(0.0, 0.0, -2.3), 1.8);
    CHECK(search_time(giant) < 3.0 * plain);
    Balls fast = bed();
    fast.add(Vec3(0.0, 0.0, 0.0), 5.0);  // meets every other particle
    CHECK(search_time(fast) < 3.0 * plain);
    Balls flyers = bed();
    for (const double far : {1e7, -1e7, 1e300}) flyers.add(Vec3(far, -far, far), 0.018);
    CHECK(search_time(flyers) < 3.0 * plain);
    Balls fast_and_far = bed();
    fast_and_far.add(Vec3(1e7, 1e7, 1e7), 1e9);
    CHECK(search_time(fast_and_far) < 3.0 * plain);
}

TEST_CASE("clusters far apart, points and long rows are searched in near-linear time") {
    // A search of all pairs of 30 000 would take more than a second; ten times the bed's is far below.
    const double limit = 10.0 * search_time(bed());
    Balls clusters = bed();
    for (std::size_t i = 0; i < clusters.centre.size(); i += 2) clusters.centre[i] += Vec3(1e9, 1e9, 1e9);
    CHECK(search_time(clusters) < limit);
    Balls points = bed();
    for (double& s : points.size) s = 0.0;
    CHECK(search_time(points) < limit);
    CHECK(search_time(random_balls({.count = 30000, .smallest = 1e-5, .largest = 1e-5, .dimension = 1})) <
          limit);
    CHECK(search_time(random_balls({.count = 30000, .smallest = 2e-3, .largest = 0.2 / 3.0})) < limit);
}
