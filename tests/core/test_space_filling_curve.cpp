#include "talus/core/space_filling_curve.hpp"

#include <doctest/doctest.h>

using namespace talus;

TEST_CASE("points come in the order of their keys, those of one cell in their own order") {
    const std::vector<Vec3> points = {{1.5, 1.5, 0.5},  {0.5, 0.5, 0.5}, {1.6, 1.4, 0.5},
                                      {-9.0, 0.5, 0.5}, {0.5, 1.5, 0.5}, {1.5, 0.5, 0.5}};
    // x is the lowest bit: (0, 0), (1, 0), (0, 1), (1, 1); what lies below the origin comes first.
    CHECK(curve_order(points, Vec3::Zero(), 1.0) == std::vector<Index>{3, 1, 5, 4, 0, 2});
    CHECK(curve_order({}, Vec3::Zero(), 1.0).empty());
}
