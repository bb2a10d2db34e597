#pragma once

#include <cstdint>

namespace talus {

/// Counter-based random numbers: a draw depends on (seed, item, draw number) alone, never on the order of the
/// calls or on the thread that makes them. Mixing function: Steele, Lea, Flood 2014, "Fast splittable
/// pseudorandom number generators" (SplitMix64).
class Random {
public:
    /// The stream of draws of one item (a particle, an attempt) under a seed.
    Random(std::uint64_t seed, std::uint64_t item);

    std::uint64_t bits();                     ///< next 64 bits
    double uniform();                         ///< next draw from [0, 1)
    double uniform(double low, double high);  ///< next draw from [low, high)
    double normal();                          ///< next draw from N(0, 1) (two uniform draws)

private:
    std::uint64_t state_;
};

}  // namespace talus
