#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "talus/broadphase/broad_phase.hpp"

namespace talus {

/// Pairs found by one segment of a search, in any order. Keeps its memory from search to search.
class PairBuffer {
public:
    void clear() { count_ = 0; }
    /// Appends (min, max) of i and j if `hit`. Writes always and counts after, since a branch on `hit` is
    /// mispredicted about every third time.
    void add_if(bool hit, Index i, Index j) {
        if (count_ == slots_.size()) slots_.resize(2 * count_ + 64);
        slots_[count_] = {std::min(i, j), std::max(i, j)};
        count_ += hit ? 1 : 0;
    }
    std::span<const Pair> pairs() const { return {slots_.data(), count_}; }

private:
    std::vector<Pair> slots_;
    std::size_t count_ = 0;
};

/// Gathers the pairs of a parallel search and sorts them by (i, j). The result depends on the set of pairs
/// alone, hence not on the threads that found them. Memory: O(particles + pairs), reused.
class PairCollector {
public:
    static constexpr std::ptrdiff_t kSegments =
        64;  ///< pieces that a search is cut into, for any thread count

    void clear();
    PairBuffer& segment(std::ptrdiff_t s) { return segments_[static_cast<std::size_t>(s)]; }
    /// @param particles every i and j is below. @param pairs replaced.
    void sort_into(std::size_t particles, std::vector<Pair>& pairs);

    /// Items of a segment when `count` items are searched, for parallel_chunks.
    static std::ptrdiff_t segment_size(std::size_t count) {
        return std::max<std::ptrdiff_t>(1, (static_cast<std::ptrdiff_t>(count) + kSegments - 1) / kSegments);
    }

private:
    static constexpr std::size_t kBuckets =
        256;  ///< at most; a bucket's pairs then fit the second-level cache
    using Offsets = std::array<std::size_t, kBuckets>;

    void count_buckets();
    void scatter_to_buckets();
    void sort_bucket(std::size_t bucket, std::size_t particles, std::vector<Pair>& pairs);

    std::ptrdiff_t serial_below_ = 2;  // segments or buckets, of the pairs at hand
    std::array<PairBuffer, kSegments> segments_;
    std::array<Offsets, kSegments> offset_;                 ///< where a segment's pairs of a bucket go
    std::array<std::size_t, kBuckets + 1> bucket_begin_{};  ///< into by_bucket_ and the result
    std::vector<Pair> by_bucket_;
    std::vector<std::size_t> row_end_;  ///< per particle i: where its next pair goes
    int bucket_shift_ = 0;              ///< bucket of a pair: i >> shift
};

}  // namespace talus
