#include "talus/core/schedule.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "talus/core/random.hpp"

using namespace talus;

namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct NamedSchedule {
    std::string name;
    Schedule schedule;
};

std::vector<NamedSchedule> every_kind() {
    return {{"constant", Schedule::constant(-0.3)},
            {"ramp for ever", Schedule::ramp(1.0, 2.5, 0.4)},
            {"ramp that stops", Schedule::ramp(1.0, -0.7, 0.4, 1.3)},
            {"exponential", Schedule::exponential(0.5, 1.7, 0.4, 1.3)},
            {"decay", Schedule::exponential(2.0, -3.0, -1.0)},
            {"sine", Schedule::sine(0.2, 1.5, 1.9, 0.7, 0.3)},
            {"sine turned over", Schedule::sine(-1.0, -0.4, 0.6)},
            {"table", Schedule::table({-0.5, 0.1, 0.35, 1.0}, {1.0, 3.0, -2.0, 0.5})},
            {"table of one", Schedule::table({0.5}, {4.0})}};
}

/// Composite midpoint rule: the slow oracle. Error below (t1 - t0)^2 max|f''| / (24 n^2), plus a kink's
/// share.
double midpoint_mean(const Schedule& s, double t0, double t1) {
    constexpr int n = 20000;
    double sum = 0.0;
    for (int k = 0; k < n; ++k) sum += s.at(t0 + (t1 - t0) * (k + 0.5) / n);
    return sum / n;
}

}  // namespace

TEST_CASE("a ramp and an exponential start at begin, stop at end and stay") {
    const Schedule ramp = Schedule::ramp(1.0, 2.0, 1.0, 3.0);
    CHECK(ramp.at(-5.0) == 1.0);
    CHECK(ramp.at(1.0) == 1.0);
    CHECK(ramp.at(2.0) == 3.0);
    CHECK(ramp.at(3.0) == 5.0);
    CHECK(ramp.at(1e9) == 5.0);
    const Schedule growth = Schedule::exponential(2.0, std::log(2.0), 1.0, 4.0);
    CHECK(growth.at(0.0) == 2.0);
    CHECK(growth.at(1.0) == 2.0);
    CHECK(growth.at(3.0) == doctest::Approx(8.0).epsilon(1e-15));
    CHECK(growth.at(100.0) == growth.at(4.0));
}

TEST_CASE("a sine is value + amplitude sin(2 pi frequency (t - begin) + phase), with whole turns exact") {
    const Schedule sine = Schedule::sine(1.0, 0.5, 2.0, 0.0, 0.25);
    CHECK(sine.at(0.25) == 1.0);
    CHECK(sine.at(0.25 + 0.125) == 1.5);
    CHECK(sine.at(1e6 + 0.25) == 1.0);
    CHECK(Schedule::sine(1.0, 0.5, 2.0, 0.3).at(0.1) ==
          doctest::Approx(1.0 + 0.5 * std::sin(0.4 * kPi + 0.3)).epsilon(1e-15));
}

TEST_CASE("a table is exact at its times, linear between them and constant outside") {
    const Schedule table = Schedule::table({0.1, 0.2, 0.7}, {0.3, -1.0, 2.0});
    CHECK(table.at(-1.0) == 0.3);
    CHECK(table.at(0.1) == 0.3);
    CHECK(table.at(0.2) == -1.0);
    CHECK(table.at(0.7) == 2.0);
    CHECK(table.at(9.0) == 2.0);
    CHECK(table.at(0.45) == doctest::Approx(0.5).epsilon(1e-15));
}

TEST_CASE("the mean of every kind is its integral over the interval, whatever it crosses") {
    for (const NamedSchedule& named : every_kind()) {
        for (std::uint64_t n = 0; n < 30; ++n) {
            Random random(4, n);
            const double t0 = random.uniform(-1.0, 1.5);
            const double t1 = t0 + random.uniform(0.0, 2.0);
            CAPTURE(named.name);
            CAPTURE(t0);
            CAPTURE(t1);
            // At a kink the midpoint rule errs by a jump of slope (up to 20) times (2/n)^2; elsewhere less.
            CHECK(std::abs(named.schedule.mean(t0, t1) - midpoint_mean(named.schedule, t0, t1)) < 1e-6);
        }
    }
}

TEST_CASE("the mean over a tiny interval is the value there, to the last digits") {
    for (const NamedSchedule& named : every_kind()) {
        for (const double t : {-0.7, 0.45, 0.8, 5.0}) {
            for (const double width : {1e-7, 1e-10, 1e-14}) {
                const double t1 = t + width, middle = t + 0.5 * (t1 - t);
                const double expected = named.schedule.at(middle);
                CAPTURE(named.name);
                CAPTURE(t);
                CAPTURE(width);
                // Curvature adds at most (2 pi 1.9)^2 1.5 width^2 / 24 < 1e-13 at 1e-7.
                const double tolerance = 1e-14 * std::max(1.0, std::abs(expected)) + 10.0 * width * width;
                CHECK(std::abs(named.schedule.mean(t, t1) - expected) <= tolerance);
            }
        }
    }
}

TEST_CASE("means over long intervals keep their closed form") {
    // Integral of a growing exponential over [0, 3] is (e^(3 k) - 1) / k.
    CHECK(Schedule::exponential(1.0, 2.0).mean(0.0, 3.0) ==
          doctest::Approx(std::expm1(6.0) / 6.0).epsilon(1e-14));
    CHECK(Schedule::exponential(1.0, 0.0).mean(0.0, 3.0) == 1.0);
    // A whole number of periods leaves the mean value.
    CHECK(std::abs(Schedule::sine(0.3, 2.0, 4.0, 0.9).mean(0.1, 5.1) - 0.3) < 1e-15);
    CHECK(Schedule::sine(0.3, 2.0, 0.0, kPi / 2).mean(0.0, 7.0) == doctest::Approx(2.3).epsilon(1e-15));
    // A ramp from 0 to 1 within the second of five seconds: (0.5 + 3) / 5.
    CHECK(Schedule::ramp(0.0, 1.0, 1.0, 2.0).mean(0.0, 5.0) == doctest::Approx(0.7).epsilon(1e-15));
    CHECK(Schedule::constant(0.1).mean(-3.0, 1e9) == 0.1);
}

TEST_CASE("minimum and maximum bound every value on the interval and are reached") {
    for (const NamedSchedule& named : every_kind()) {
        for (std::uint64_t n = 0; n < 40; ++n) {
            Random random(9, n);
            const double t0 = random.uniform(-1.0, 1.5);
            const double t1 = t0 + (n == 0 ? 0.0 : random.uniform(0.0, 1.0));
            double low = kInf, high = -kInf;
            constexpr int samples = 4000;
            for (int k = 0; k <= samples; ++k) {
                const double value = named.schedule.at(t0 + (t1 - t0) * k / samples);
                low = std::min(low, value);
                high = std::max(high, value);
            }
            // Between samples a slope of at most 20 hides at most 20 / 4000; a smooth crest far less.
            const double minimum = named.schedule.minimum(t0, t1), maximum = named.schedule.maximum(t0, t1);
            CAPTURE(named.name);
            CHECK(minimum <= low + 1e-15);
            CHECK(minimum >= low - 5e-3);
            CHECK(maximum >= high - 1e-15);
            CHECK(maximum <= high + 5e-3);
        }
    }
}

TEST_CASE("a crest or trough of a sine counts only if it lies in the interval") {
    const Schedule sine = Schedule::sine(1.0, 0.5, 1.0);  // crest at 0.25, trough at 0.75
    CHECK(sine.maximum(0.2, 0.3) == 1.5);
    CHECK(sine.maximum(0.3, 0.7) == sine.at(0.3));
    CHECK(sine.minimum(0.3, 0.7) == sine.at(0.7));
    CHECK(sine.minimum(0.3, 0.8) == 0.5);
    CHECK(sine.minimum(100.3, 200.0) == 0.5);
    CHECK(Schedule::sine(1.0, -0.5, 1.0).minimum(0.2, 0.3) == 0.5);
}

TEST_CASE("is_constant holds exactly for schedules that never change") {
    CHECK(Schedule{}.is_constant());
    CHECK(Schedule{}.at(3.0) == 0.0);
    CHECK(Schedule::ramp(1.0, 0.0).is_constant());
    CHECK(Schedule::exponential(1.0, 0.0).is_constant());
    CHECK(Schedule::exponential(0.0, 1.0).is_constant());
    CHECK(Schedule::sine(1.0, 0.0, 5.0).is_constant());
    CHECK(Schedule::table({0.0, 1.0}, {2.0, 2.0}).is_constant());
    CHECK_FALSE(Schedule::ramp(1.0, 1e-300).is_constant());
    CHECK_FALSE(Schedule::sine(1.0, 0.1, 5.0).is_constant());
    CHECK_FALSE(Schedule::table({0.0, 1.0}, {2.0, 2.5}).is_constant());
}

TEST_CASE("schedules that make no sense are refused") {
    CHECK_THROWS_AS(Schedule::constant(kNan), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::ramp(1.0, kInf), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::ramp(1.0, 1.0, 2.0, 2.0), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::exponential(1.0, 1.0, 2.0, kNan), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::sine(1.0, 1.0, kInf), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::table({}, {}), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::table({0.0, 1.0}, {1.0}), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::table({0.0, 0.0}, {1.0, 2.0}), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::constant(1.0).mean(1.0, 1.0), std::invalid_argument);
    CHECK_THROWS_AS(Schedule::constant(1.0).maximum(1.0, 0.5), std::invalid_argument);
}
