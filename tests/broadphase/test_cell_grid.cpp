#include <doctest/doctest.h>

#include "broadphase/scenes.hpp"
#include "talus/broadphase/broad_phase.hpp"

using namespace talus;
using namespace talus::testing;

namespace {

// Brute force would take seconds at this size; the r-tree shares nothing with the grid but the predicate of a
// pair. What these searches cost is measured by the benchmarks.
void check_against_r_tree(const Balls& balls) {
    std::vector<Pair> grid, tree;
    make_broad_phase(BroadPhaseKind::cell_grid)->find(balls.centre, balls.size, grid);
    make_broad_phase(BroadPhaseKind::r_tree)->find(balls.centre, balls.size, tree);
    CHECK(grid == tree);
}

/// 30 000 spheres at a number density like that of a packing.
Balls bed() {
    return random_balls({.count = 30000, .smallest = 0.017, .largest = 0.018});
}

}  // namespace

TEST_CASE("a bed of thirty thousand keeps its pairs beside one giant, one that meets all, and far flyers") {
    check_against_r_tree(bed());
    Balls giant = bed();
    giant.add(Vec3(0.0, 0.0, -2.3), 1.8);
    check_against_r_tree(giant);
    Balls fast = bed();
    fast.add(Vec3(0.0, 0.0, 0.0), 5.0);  // meets every other particle
    check_against_r_tree(fast);
    Balls flyers = bed();
    for (const double far : {1e7, -1e7, 1e300}) flyers.add(Vec3(far, -far, far), 0.018);
    check_against_r_tree(flyers);
    Balls fast_and_far = bed();
    fast_and_far.add(Vec3(1e7, 1e7, 1e7), 1e9);
    check_against_r_tree(fast_and_far);
}

TEST_CASE("clusters far apart, points and long rows keep their pairs") {
    Balls clusters = bed();
    for (std::size_t i = 0; i < clusters.centre.size(); i += 2) clusters.centre[i] += Vec3(1e9, 1e9, 1e9);
    check_against_r_tree(clusters);
    Balls points = bed();
    for (double& s : points.size) s = 0.0;
    check_against_r_tree(points);
    check_against_r_tree(random_balls({.count = 30000, .smallest = 1e-5, .largest = 1e-5, .dimension = 1}));
    check_against_r_tree(random_balls({.count = 30000, .smallest = 2e-3, .largest = 0.2 / 3.0}));
}
