#include "pair_collector.hpp"

#include "talus/core/parallel.hpp"

namespace talus {

void PairCollector::clear() {
    for (PairBuffer& segment : segments_) segment.clear();
}

void PairCollector::sort_into(std::size_t particles, std::vector<Pair>& pairs) {
    std::size_t found = 0;
    for (const PairBuffer& segment : segments_) found += segment.pairs().size();
    serial_below_ = static_cast<std::ptrdiff_t>(found) < small_loop() ? kBuckets + 1 : 2;
    bucket_shift_ = 0;
    while ((particles >> bucket_shift_) >= kBuckets) ++bucket_shift_;
    count_buckets();
    const std::size_t total = bucket_begin_.back();
    by_bucket_.resize(total);
    pairs.resize(total);
    row_end_.resize(particles);
    scatter_to_buckets();
    parallel_chunks(
        kBuckets,
        [&](std::ptrdiff_t bucket, std::ptrdiff_t, std::ptrdiff_t) {
            sort_bucket(static_cast<std::size_t>(bucket), particles, pairs);
        },
        1, serial_below_);
}

void PairCollector::count_buckets() {
    parallel_chunks(
        kSegments,
        [&](std::ptrdiff_t s, std::ptrdiff_t, std::ptrdiff_t) {
            Offsets& count = offset_[static_cast<std::size_t>(s)];
            count.fill(0);
            for (const Pair& pair : segment(s).pairs())
                ++count[static_cast<std::size_t>(pair.i >> bucket_shift_)];
        },
        1, serial_below_);
    std::size_t sum = 0;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
        bucket_begin_[bucket] = sum;
        for (Offsets& offset : offset_) {
            const std::size_t count = offset[bucket];
            offset[bucket] = sum;
            sum += count;
        }
    }
    bucket_begin_.back() = sum;
}

void PairCollector::scatter_to_buckets() {
    parallel_chunks(
        kSegments,
        [&](std::ptrdiff_t s, std::ptrdiff_t, std::ptrdiff_t) {
            Offsets& next = offset_[static_cast<std::size_t>(s)];
            for (const Pair& pair : segment(s).pairs())
                by_bucket_[next[static_cast<std::size_t>(pair.i >> bucket_shift_)]++] = pair;
        },
        1, serial_below_);
}

void PairCollector::sort_bucket(std::size_t bucket, std::size_t particles, std::vector<Pair>& pairs) {
    const std::size_t begin = bucket_begin_[bucket], end = bucket_begin_[bucket + 1];
    if (begin == end) return;
    const std::size_t first = std::min(particles, bucket << bucket_shift_);
    const std::size_t last = std::min(particles, (bucket + 1) << bucket_shift_);
    std::fill(row_end_.begin() + first, row_end_.begin() + last, 0);
    for (std::size_t k = begin; k < end; ++k) ++row_end_[static_cast<std::size_t>(by_bucket_[k].i)];
    std::size_t sum = begin;
    for (std::size_t i = first; i < last; ++i) {
        const std::size_t count = row_end_[i];
        row_end_[i] = sum;
        sum += count;
    }
    for (std::size_t k = begin; k < end; ++k)
        pairs[row_end_[static_cast<std::size_t>(by_bucket_[k].i)]++] = by_bucket_[k];
    std::size_t row_begin = begin;
    for (std::size_t i = first; i < last; ++i) {
        std::sort(pairs.begin() + row_begin, pairs.begin() + row_end_[i],
                  [](const Pair& a, const Pair& b) { return a.j < b.j; });
        row_begin = row_end_[i];
    }
}

}  // namespace talus
