#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "scene/fill_checks.hpp"
#include "talus/core/error.hpp"
#include "talus/scene/generators.hpp"

using namespace talus;
using namespace talus::test;
using Kind = RadiusDistribution::Kind;

namespace {

RadiusDistribution law(Kind kind) {
    RadiusDistribution result;
    result.kind = kind;
    result.mean = kind == Kind::constant ? 2e-3 : 1.9e-3;
    result.deviation = 0.7e-3;
    result.low = 1e-3;
    result.high = 4e-3;
    result.high_fraction = 0.3;
    result.radii = {1e-3, 2e-3, 5e-3};
    result.weights = {3.0, 0.0, 1.5};
    return result;
}

const std::vector<Kind> kEvery = {Kind::constant,    Kind::uniform,    Kind::normal,
                                  Kind::log_uniform, Kind::bidisperse, Kind::table};

std::string complaint(const RadiusDistribution& distribution) {
    try {
        validate(distribution);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// Integral of weight(r) over [low, high] by the midpoint rule: an oracle that knows no closed form.
template <class Weight>
double integral(double low, double high, Weight weight) {
    constexpr int kCells = 20000;
    const double cell = (high - low) / kCells;
    double sum = 0.0;
    for (int k = 0; k < kCells; ++k) sum += weight(low + (k + 0.5) * cell) * cell;
    return sum;
}

}  // namespace

TEST_CASE("the closed-form moments of the continuous laws equal their integrals") {
    for (int power = 0; power <= 4; ++power) {
        CAPTURE(power);
        const auto moment = [&](const RadiusDistribution& l, auto density) {
            return integral(l.low, l.high, [&](double r) { return std::pow(r, power) * density(r); }) /
                   integral(l.low, l.high, density);
        };
        const RadiusDistribution uniform = law(Kind::uniform);
        const RadiusDistribution log_uniform = law(Kind::log_uniform);
        const RadiusDistribution normal = law(Kind::normal);
        const auto bell = [&](double r) {
            const double z = (r - normal.mean) / normal.deviation;
            return std::exp(-0.5 * z * z);
        };
        // The midpoint rule is off by (cell / range)^2 / 24 of the curvature: about 1e-8 here.
        CHECK(uniform.mean_power(power) ==
              doctest::Approx(moment(uniform, [](double) { return 1.0; })).epsilon(1e-7));
        CHECK(log_uniform.mean_power(power) ==
              doctest::Approx(moment(log_uniform, [](double r) { return 1.0 / r; })).epsilon(1e-7));
        CHECK(normal.mean_power(power) == doctest::Approx(moment(normal, bell)).epsilon(1e-7));
    }
}

TEST_CASE("the moments of the discrete laws are weighted sums") {
    CHECK(law(Kind::constant).mean_power(3) == doctest::Approx(8e-9).epsilon(1e-14));
    CHECK(law(Kind::bidisperse).mean_power(2) == doctest::Approx(0.7 * 1e-6 + 0.3 * 16e-6).epsilon(1e-14));
    CHECK(law(Kind::table).mean_power(2) == doctest::Approx((3.0 * 1e-6 + 1.5 * 25e-6) / 4.5).epsilon(1e-14));
}

TEST_CASE("draws stay within smallest and largest and their mean volume is the third moment") {
    constexpr int kDraws = 40000;
    for (const Kind kind : kEvery) {
        CAPTURE(static_cast<int>(kind));
        const RadiusDistribution l = law(kind);
        double sum = 0.0;
        for (int item = 0; item < kDraws; ++item) {
            const double r = l.draw(7, static_cast<std::uint64_t>(item));
            REQUIRE(r >= l.smallest());
            REQUIRE(r <= l.largest());
            sum += r * r * r;
        }
        const double variance = l.mean_power(6) - l.mean_power(3) * l.mean_power(3);
        const double five_sigma = 5.0 * std::sqrt(std::max(0.0, variance) / kDraws);
        CHECK(std::abs(sum / kDraws - l.mean_power(3)) <= five_sigma + 1e-12 * l.mean_power(3));
    }
}

TEST_CASE("bounds of the laws: an entry of a table without weight is never drawn") {
    RadiusDistribution table = law(Kind::table);
    CHECK(table.smallest() == 1e-3);
    CHECK(table.largest() == 5e-3);
    table.weights = {0.0, 2.0, 0.0};
    CHECK(table.smallest() == 2e-3);
    CHECK(table.largest() == 2e-3);
    for (std::uint64_t item = 0; item < 100; ++item) CHECK(table.draw(1, item) == 2e-3);
    RadiusDistribution sharp = law(Kind::normal);
    sharp.deviation = 0.0;
    CHECK(sharp.smallest() == sharp.mean);
    CHECK(sharp.draw(3, 9) == sharp.mean);
    CHECK(sharp.mean_power(3) == doctest::Approx(std::pow(sharp.mean, 3)));
}

TEST_CASE("a draw depends on seed and item alone") {
    for (const Kind kind : kEvery) {
        const RadiusDistribution l = law(kind);
        std::vector<double> forward, backward(100);
        for (std::uint64_t item = 0; item < 100; ++item) forward.push_back(l.draw(3, item));
        for (std::uint64_t item = 100; item-- > 0;) backward[item] = l.draw(3, item);
        CHECK(forward == backward);
    }
    CHECK(law(Kind::uniform).draw(1, 0) != law(Kind::uniform).draw(2, 0));
}

TEST_CASE("lengths times a power of two give radii times that power, bit for bit") {
    constexpr double kFactor = 0x1p-14;
    for (const Kind kind : kEvery) {
        CAPTURE(static_cast<int>(kind));
        const RadiusDistribution l = law(kind);
        RadiusDistribution scaled = l;
        for (double* x : {&scaled.mean, &scaled.deviation, &scaled.low, &scaled.high}) *x *= kFactor;
        for (double& r : scaled.radii) r *= kFactor;
        for (std::uint64_t item = 0; item < 200; ++item)
            REQUIRE(scaled.draw(5, item) == kFactor * l.draw(5, item));
        CHECK(scaled.mean_power(3) == kFactor * kFactor * kFactor * l.mean_power(3));
    }
}

TEST_CASE("moments of almost equal bounds lose no digits") {
    for (const Kind kind : {Kind::uniform, Kind::log_uniform}) {
        RadiusDistribution l = law(kind);
        l.high = l.low * (1.0 + 1e-12);
        CHECK(l.mean_power(3) == doctest::Approx(1e-9).epsilon(1e-11));
        l.high = l.low;
        CHECK(l.mean_power(3) == doctest::Approx(1e-9).epsilon(1e-14));
        CHECK(l.draw(1, 1) == l.low);
    }
}

TEST_CASE("invalid laws are refused with the parameter that is wrong") {
    for (const Kind kind : kEvery) CHECK(complaint(law(kind)).empty());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    RadiusDistribution l = law(Kind::constant);
    for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
        l.mean = bad;
        CHECK(mentions(complaint(l), "constant radius"));
    }
    l = law(Kind::uniform);
    l.low = 5e-3;
    CHECK(mentions(complaint(l), "above the upper bound"));
    l = law(Kind::log_uniform);
    l.low = 0.0;
    CHECK(mentions(complaint(l), "lower bound"));
    l = law(Kind::normal);
    l.deviation = -1.0;
    CHECK(mentions(complaint(l), "deviation"));
    l.deviation = 1e-5;
    l.mean = 0.5;
    CHECK(mentions(complaint(l), "holds less than"));
    l = law(Kind::bidisperse);
    l.high_fraction = 1.5;
    CHECK(mentions(complaint(l), "share of large"));
    l = law(Kind::table);
    l.weights.pop_back();
    CHECK(mentions(complaint(l), "as many weights as radii"));
    l.weights = {0.0, 0.0, 0.0};
    CHECK(mentions(complaint(l), "sum positive"));
    l.weights = {1.0, -1.0, 1.0};
    CHECK(mentions(complaint(l), "at least 0"));
}
