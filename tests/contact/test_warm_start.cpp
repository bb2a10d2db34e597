#include <doctest/doctest.h>

#include "talus/contact/warm_start.hpp"

using namespace talus;

namespace {

Contact pair(Index i, Index j, double impulse) {
    return {i, j, -1, 0, Vec3::UnitX(), 0, 0, 0, impulse, impulse};
}
Contact wall(Index i, std::int32_t w, std::int32_t feature, double impulse) {
    return {i, -1, w, feature, Vec3::UnitX(), 0, 0, 0, impulse, impulse};
}

}  // namespace

TEST_CASE("impulses follow the ids when particles between them are removed and others are new") {
    WarmStart warm;
    warm.remember({pair(0, 1, 1.0), pair(1, 2, 2.0), pair(2, 3, 3.0), wall(0, 0, 0, 4.0), wall(3, 1, 7, 5.0)},
                  {10, 20, 30, 40});
    // 20 is gone, 50 is new.
    ContactList now = {pair(0, 1, -1),    pair(1, 2, -1),    pair(2, 3, -1),   wall(0, 0, 0, -1),
                       wall(2, 1, 6, -1), wall(2, 1, 7, -1), wall(3, 1, 7, -1)};
    warm.recall({10, 30, 40, 50}, now);
    const std::vector<double> expected = {0.0, 3.0, 0.0, 4.0, 0.0, 5.0, 0.0};
    for (std::size_t k = 0; k < now.size(); ++k) CHECK(now[k].sustained == expected[k]);
}

TEST_CASE("cuts at the end of a list, out of order, are found again") {
    WarmStart warm;
    warm.remember({wall(0, 0, 0, 1.0), wall(5, 2, 1, 2.0), wall(1, 3, 0, 3.0), wall(0, 1, 0, 4.0)},
                  {0, 1, 2, 3, 4, 5});
    ContactList now = {wall(0, 0, 0, 0), wall(0, 1, 0, 0), wall(1, 3, 0, 0), wall(5, 2, 1, 0)};
    warm.recall({0, 1, 2, 3, 4, 5}, now);
    const std::vector<double> expected = {1.0, 4.0, 3.0, 2.0};
    for (std::size_t k = 0; k < now.size(); ++k) CHECK(now[k].sustained == expected[k]);
}
