#include <doctest/doctest.h>

#include "talus/step/step_time.hpp"

using talus::step_time;

TEST_CASE("decimal steps end at decimal times, at small and large counts") {
    CHECK(step_time(700, 0.001) == 0.7);
    CHECK(step_time(25, 0.001) == 0.025);
    CHECK(step_time(1000000001, 0.001) == 1000000.001);
    CHECK(step_time(3, 0.005) == 0.015);
    CHECK(step_time(7, 0.3) == 7 * 0.3);
    CHECK(step_time(4, 2.0) == 8.0);
    CHECK(step_time(3, 1e-300) == 3e-300);
    CHECK(step_time(0, 0.1) == 0.0);
}
