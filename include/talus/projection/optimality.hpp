#pragma once

#include <span>
#include <vector>

#include "talus/projection/row_layout.hpp"

namespace talus {

/// A predicted overlap below this part of the radius is rounding of coordinates: the row counts as satisfied.
constexpr double kRoundingOverlap = 1e-12;

/// How far a pair (y, w) is from solving y >= 0, g >= 0, y.g = 0 with g = S G w + b.
struct Optimality {
    double residual = 0.0;  ///< |min(y, g)| / |min(b, 0)| [-]: 1 for y = 0, 0 if that is the answer
    double overlap = 0.0;   ///< largest predicted overlap over the row's radius [-], >= 0
    double map = 0.0;       ///< |min(y, g)| itself [sqrt(kg) m/s]
};

/// The one place where solvers measure what they reached. Sums run over blocks in order: same bits on any
/// number of threads.
class OptimalityMeter {
public:
    /// To be called whenever b has changed: forms |min(b, 0)|.
    /// @throws std::invalid_argument if b is not finite.
    void start(const RowLayout& layout);

    /// |min(b, 0)| [sqrt(kg) m/s]; 0 if every row holds without impulses.
    double reference() const { return reference_; }
    /// One pass over the rows. @param y (m), @param w (k) = M^-1 G' S y.
    Optimality measure(const RowLayout& layout, std::span<const double> y, std::span<const Packed> w);
    /// The overlap of one block of rows that the last measurement found, may be below 0 [-].
    double overlap_in(std::size_t block) const { return partial_[block].largest; }
    /// |p . (rate + G u)| / (|p| |min(rate + G v, 0)|) [-], 0 for p = 0.
    double complementarity(const RowLayout& layout, std::span<const double> y, std::span<const Packed> w);

private:
    struct Sums {
        double first, second, third, largest;
    };
    Sums total() const;

    double reference_ = 0.0;
    std::vector<Sums> partial_;  ///< one a block
};

}  // namespace talus
