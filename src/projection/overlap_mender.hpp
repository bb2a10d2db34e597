#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "talus/projection/optimality.hpp"
#include "talus/projection/row_layout.hpp"

namespace talus {

/// Sweeps the few blocks of rows that still overlap by too much, and no others. The residual is a norm over
/// all rows, the overlap the worst of them: in a large packing that is solved but for a handful of rows, they
/// would keep millions of others iterating.
class OverlapMender {
public:
    /// Forgets the blocks of the last time.
    void start(const RowLayout& layout);
    /// Adds the blocks whose overlap the last measurement found beyond the tolerance.
    /// @return false if there are more than are worth sweeping on their own.
    bool add_blocks(const RowLayout& layout, const OptimalityMeter& meter, double tolerance);
    /// A few sweeps of these blocks, one after the other: like any sweep without momentum they only lower the
    /// objective. @param y (m), @param w (k) = M^-1 G' S y.
    void sweep(const RowLayout& layout, std::span<double> y, std::span<Packed> w) const;

private:
    std::vector<std::uint8_t> is_added_;  ///< of every block
    Index rows_ = 0;                      ///< of those added
};

}  // namespace talus
