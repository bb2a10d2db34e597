#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "size_overlap.hpp"
#include "talus/core/types.hpp"

namespace talus {

/// Sorts particles into classes whose sizes differ by at most a factor of about two, the largest class first:
/// a search can then use the sizes that really occur near it, and one giant has a class of its own.
/// Empty ranges of size cost nothing, since a class begins at the largest size not yet in one.
class SizeClasses {
public:
    /// @param size (n) [m], finite, >= 0. @param order in: the particles in any order; out: by class, the
    /// order within a class kept.
    void assign(std::span<const double> size, std::vector<Index>& order);

    std::size_t count() const { return largest_.size(); }
    /// Largest search size in the class [m].
    double largest(std::size_t c) const { return largest_[c]; }
    /// Range of the class in the order.
    std::size_t begin(std::size_t c) const { return begin_[c]; }
    std::size_t end(std::size_t c) const { return begin_[c + 1]; }

private:
    // The leading bits of a positive double (exponent and three of the mantissa) grow with it: eight bins an
    // octave.
    static constexpr int kDroppedBits = 49;
    static constexpr std::size_t kBins = std::size_t{1} << (64 - 1 - kDroppedBits);
    static constexpr std::size_t kBinsOfClass = 8;

    static std::size_t bin(double size) {
        return static_cast<std::size_t>(std::bit_cast<std::uint64_t>(search_size(size)) >> kDroppedBits);
    }
    void make_classes();

    std::vector<std::size_t> bin_count_;
    std::vector<std::size_t> class_of_bin_;
    std::vector<std::size_t> begin_;
    std::vector<std::size_t> next_;
    std::vector<double> largest_;
    std::vector<Index> unsorted_;
};

}  // namespace talus
