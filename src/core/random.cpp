#include "talus/core/random.hpp"

#include <cmath>
#include <numbers>

namespace talus {

namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t item)
    : state_(mix(mix(seed + kGolden) ^ (item * kGolden + 1))) {}

std::uint64_t Random::bits() {
    state_ += kGolden;
    return mix(state_);
}

double Random::uniform() {
    return static_cast<double>(bits() >> 11) * 0x1p-53;
}

double Random::uniform(double low, double high) {
    return low + (high - low) * uniform();
}

double Random::normal() {
    // Box and Muller 1958; 1 - u lies in (0, 1], so the logarithm is finite.
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace talus
