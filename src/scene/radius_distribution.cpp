#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "talus/core/error.hpp"
#include "talus/core/random.hpp"
#include "talus/scene/generators.hpp"

namespace talus {

namespace {

using Kind = RadiusDistribution::Kind;

// Rejection draws from the normal law; [low, high] must hold at least this share of it, or drawing takes for
// ever.
constexpr double kLeastShare = 1e-3;
// (1 - kLeastShare)^kMostDraws < 1e-30: no valid law comes to an end here.
constexpr int kMostDraws = 100'000;

// Products instead of std::pow: a unit of length that is a power of two changes no bit but the exponent.
double power_of(double x, int power) {
    double product = 1.0;
    for (int k = 0; k < power; ++k) product *= x;
    return product;
}

double normal_density(double z) {
    return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

/// Share of N(0, 1) in [a, b], from the tail that loses no digits.
double normal_share(double a, double b) {
    if (a > 0.0) return normal_share(-b, -a);
    return 0.5 * (std::erfc(-b / std::numbers::sqrt2) - std::erfc(-a / std::numbers::sqrt2));
}

/// Mean of r^power for r uniform in [low, high], as a sum without the cancellation of high - low.
double uniform_moment(double low, double high, int power) {
    double sum = 0.0;
    for (int k = 0; k <= power; ++k) sum += power_of(low, power - k) * power_of(high, k);
    return sum / (power + 1);
}

/// Density 1 / (r ln(high / low)): (high^p - low^p) / (p ln(high / low)).
double log_uniform_moment(double low, double high, int power) {
    const double exponent = power * std::log(high / low);
    return exponent == 0.0 ? power_of(low, power) : power_of(low, power) * std::expm1(exponent) / exponent;
}

/// Moments of the truncated normal law by integration by parts:
/// M_k = mean M_{k-1} + (k-1) s^2 M_{k-2} - s (b^{k-1} phi(beta) - a^{k-1} phi(alpha)) / Z.
double truncated_normal_moment(const RadiusDistribution& law, int power) {
    const double s = law.deviation;
    if (s == 0.0) return power_of(law.mean, power);
    const double alpha = (law.low - law.mean) / s;
    const double beta = (law.high - law.mean) / s;
    const double share = normal_share(alpha, beta);
    double before = 0.0;
    double moment = 1.0;
    for (int k = 1; k <= power; ++k) {
        const double ends = power_of(law.high, k - 1) * normal_density(beta) -
                            power_of(law.low, k - 1) * normal_density(alpha);
        const double next = law.mean * moment + (k - 1) * s * s * before - s * ends / share;
        before = moment;
        moment = next;
    }
    return moment;
}

double weight_sum(const RadiusDistribution& law) {
    return std::accumulate(law.weights.begin(), law.weights.end(), 0.0);
}

/// Radii of a table that are drawn at all; a valid table has at least one.
std::vector<double> present_radii(const RadiusDistribution& law) {
    std::vector<double> present;
    for (std::size_t k = 0; k < law.radii.size(); ++k) {
        if (law.weights[k] > 0.0) present.push_back(law.radii[k]);
    }
    return present;
}

double draw_from_table(const RadiusDistribution& law, double share) {
    double left = share * weight_sum(law);
    std::size_t chosen = 0;
    for (std::size_t k = 0; k < law.radii.size(); ++k) {
        if (law.weights[k] == 0.0) continue;
        chosen = k;  // rounding may leave a rest after the last entry: the last one with a weight takes it
        if (left < law.weights[k]) break;
        left -= law.weights[k];
    }
    return law.radii[chosen];
}

double draw_normal(const RadiusDistribution& law, Random& random) {
    if (law.deviation == 0.0) return law.mean;
    for (int k = 0; k < kMostDraws; ++k) {
        const double r = law.mean + law.deviation * random.normal();
        if (law.low <= r && r <= law.high) return r;
    }
    throw InputError(
        fmt::format("radius: the normal law with mean {} and deviation {} never falls in [{}, {}]", law.mean,
                    law.deviation, law.low, law.high));
}

void require_radius(double value, const char* name) {
    if (std::isfinite(value) && value > 0.0) return;
    throw InputError(fmt::format("{} must be positive and finite [m], not {}", name, value));
}

void validate_bounds(const RadiusDistribution& law) {
    require_radius(law.low, "the lower bound");
    require_radius(law.high, "the upper bound");
    if (law.low > law.high) {
        throw InputError(
            fmt::format("the lower bound {} m is above the upper bound {} m", law.low, law.high));
    }
}

void validate_normal(const RadiusDistribution& law) {
    validate_bounds(law);
    require_radius(law.mean, "the mean");
    if (!(std::isfinite(law.deviation) && law.deviation >= 0.0)) {
        throw InputError(
            fmt::format("the deviation must be at least 0 and finite [m], not {}", law.deviation));
    }
    const double s = law.deviation;
    const bool enough =
        s == 0.0 ? law.low <= law.mean && law.mean <= law.high
                 : normal_share((law.low - law.mean) / s, (law.high - law.mean) / s) >= kLeastShare;
    if (!enough) {
        throw InputError(
            fmt::format("[{}, {}] m holds less than {} of the normal law with mean {} m and deviation {} m; "
                        "move or widen the bounds",
                        law.low, law.high, kLeastShare, law.mean, s));
    }
}

void validate_table(const RadiusDistribution& law) {
    if (law.radii.empty() || law.radii.size() != law.weights.size()) {
        throw InputError(
            fmt::format("a table needs as many weights as radii, and at least one; got {} and {}",
                        law.weights.size(), law.radii.size()));
    }
    for (const double r : law.radii) require_radius(r, "every radius of a table");
    const bool valid = std::all_of(law.weights.begin(), law.weights.end(),
                                   [](double w) { return std::isfinite(w) && w >= 0.0; });
    const double sum = weight_sum(law);
    if (!valid || !(sum > 0.0) || !std::isfinite(sum)) {
        throw InputError("the weights of a table must be at least 0 and their sum positive and finite");
    }
}

}  // namespace

void validate(const RadiusDistribution& law) {
    switch (law.kind) {
        case Kind::constant:
            return require_radius(law.mean, "a constant radius");
        case Kind::normal:
            return validate_normal(law);
        case Kind::uniform:
        case Kind::log_uniform:
            return validate_bounds(law);
        case Kind::bidisperse:
            validate_bounds(law);
            if (law.high_fraction >= 0.0 && law.high_fraction <= 1.0) return;
            throw InputError(
                fmt::format("the share of large particles must be in [0, 1], not {}", law.high_fraction));
        case Kind::table:
            return validate_table(law);
    }
}

double RadiusDistribution::smallest() const {
    switch (kind) {
        case Kind::constant:
            return mean;
        case Kind::table:
            return std::ranges::min(present_radii(*this));
        case Kind::normal:
            return deviation == 0.0 ? mean : low;
        case Kind::bidisperse:
            return high_fraction == 1.0 ? high : low;
        case Kind::uniform:
        case Kind::log_uniform:
            break;
    }
    return low;
}

double RadiusDistribution::largest() const {
    switch (kind) {
        case Kind::constant:
            return mean;
        case Kind::table:
            return std::ranges::max(present_radii(*this));
        case Kind::normal:
            return deviation == 0.0 ? mean : high;
        case Kind::bidisperse:
            return high_fraction == 0.0 ? low : high;
        case Kind::uniform:
        case Kind::log_uniform:
            break;
    }
    return high;
}

double RadiusDistribution::mean_power(int power) const {
    switch (kind) {
        case Kind::constant:
            break;
        case Kind::uniform:
            return uniform_moment(low, high, power);
        case Kind::normal:
            return truncated_normal_moment(*this, power);
        case Kind::log_uniform:
            return log_uniform_moment(low, high, power);
        case Kind::bidisperse:
            return (1.0 - high_fraction) * power_of(low, power) + high_fraction * power_of(high, power);
        case Kind::table: {
            double sum = 0.0;
            for (std::size_t k = 0; k < radii.size(); ++k) sum += weights[k] * power_of(radii[k], power);
            return sum / weight_sum(*this);
        }
    }
    return power_of(mean, power);
}

double RadiusDistribution::draw(std::uint64_t seed, std::uint64_t item) const {
    Random random(seed, item);
    switch (kind) {
        case Kind::constant:
            break;
        case Kind::uniform:
            return std::clamp(random.uniform(low, high), low, high);
        case Kind::normal:
            return draw_normal(*this, random);
        case Kind::log_uniform:
            return std::clamp(low * std::exp(random.uniform() * std::log(high / low)), low, high);
        case Kind::bidisperse:
            return random.uniform() < high_fraction ? high : low;
        case Kind::table:
            return draw_from_table(*this, random.uniform());
    }
    return mean;
}

}  // namespace talus
