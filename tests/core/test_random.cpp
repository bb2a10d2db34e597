#include "talus/core/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace talus;

TEST_CASE("a draw depends on seed, item and draw number, and on nothing else") {
    Random first(7, 3);
    const std::uint64_t a0 = first.bits(), a1 = first.bits();
    Random other(7, 4);
    other.bits();
    Random again(7, 3);
    CHECK(again.bits() == a0);
    CHECK(again.bits() == a1);
    CHECK(Random(8, 3).bits() != a0);
    CHECK(Random(7, 4).bits() != a0);
}

TEST_CASE("neighbouring seeds and items have no draws in common") {
    std::set<std::uint64_t> seen;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        for (std::uint64_t item = 0; item < 200; ++item) {
            Random random(seed, item);
            for (int draw = 0; draw < 5; ++draw) seen.insert(random.bits());
        }
    }
    // Chance of any collision among 20 000 of 2^64: 1e-11.
    CHECK(seen.size() == 20 * 200 * 5);
}

TEST_CASE("uniform draws fill [0, 1) evenly, also across items") {
    constexpr int n = 100000;
    double sum = 0.0, squares = 0.0, product = 0.0;
    double low = 1.0, high = 0.0;
    for (std::uint64_t i = 0; i < n; ++i) {
        Random random(11, i);
        const double u = random.uniform(), v = random.uniform();
        sum += u;
        squares += u * u;
        product += (u - 0.5) * (v - 0.5);
        low = std::min(low, u);
        high = std::max(high, u);
    }
    // Five standard deviations: 0.2887 / sqrt(n), 0.298 / sqrt(n), (1/12) / sqrt(n).
    CHECK(std::abs(sum / n - 0.5) < 5 * 0.2887 / std::sqrt(n));
    CHECK(std::abs(squares / n - 1.0 / 3.0) < 5 * 0.2982 / std::sqrt(n));
    CHECK(std::abs(product / n) < 5 / 12.0 / std::sqrt(n));
    CHECK(low >= 0.0);
    CHECK(low < 1e-3);
    CHECK(high < 1.0);
    CHECK(high > 1.0 - 1e-3);
}

TEST_CASE("uniform draws between bounds stay between them") {
    Random random(5, 5);
    for (int n = 0; n < 1000; ++n) {
        const double x = random.uniform(-3.0, 2.0);
        CHECK(x >= -3.0);
        CHECK(x < 2.0);
    }
}

TEST_CASE("normal draws have mean 0, variance 1 and kurtosis 3") {
    constexpr int n = 100000;
    double sum = 0.0, squares = 0.0, fourths = 0.0;
    for (std::uint64_t i = 0; i < n; ++i) {
        const double x = Random(13, i).normal();
        sum += x;
        squares += x * x;
        fourths += x * x * x * x;
    }
    // Five standard deviations: 1, sqrt(2), sqrt(96) over sqrt(n).
    CHECK(std::abs(sum / n) < 5 / std::sqrt(n));
    CHECK(std::abs(squares / n - 1.0) < 5 * std::sqrt(2.0 / n));
    CHECK(std::abs(fourths / n - 3.0) < 5 * std::sqrt(96.0 / n));
}
