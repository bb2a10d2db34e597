#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "talus/core/parallel.hpp"
#include "talus/core/types.hpp"

namespace talus {

/// Sorts (key, value) by key, stable: least significant digit first, digits in which all keys agree skipped.
/// Keeps its work space.
class RadixSort {
public:
    void operator()(std::vector<std::uint64_t>& key, std::vector<Index>& value) {
        spare_key_.resize(key.size());
        spare_value_.resize(value.size());
        const std::uint64_t differing = parallel_reduce(
            std::ssize(key), std::uint64_t{0}, [&](std::ptrdiff_t k) { return key[k] ^ key.front(); },
            [](std::uint64_t a, std::uint64_t b) { return a | b; });
        for (int shift = 0; shift < 64; shift += kBits) {
            if (digit(differing, shift) == 0) continue;
            count_digits(key, shift);
            find_places();
            parallel_chunks(
                std::ssize(key),
                [&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
                    Places& place = place_[chunk];
                    for (std::ptrdiff_t k = begin; k < end; ++k) {
                        const std::size_t to = place[digit(key[k], shift)]++;
                        spare_key_[to] = key[k];
                        spare_value_[to] = value[k];
                    }
                },
                kSortChunk);
            key.swap(spare_key_);
            value.swap(spare_value_);
        }
    }

private:
    static constexpr int kBits = 11;
    static constexpr std::size_t kDigits = std::size_t{1} << kBits;
    static constexpr std::ptrdiff_t kSortChunk = 32768;
    using Places = std::array<std::size_t, kDigits>;

    static std::size_t digit(std::uint64_t key, int shift) { return (key >> shift) & (kDigits - 1); }

    void count_digits(const std::vector<std::uint64_t>& key, int shift) {
        place_.resize((key.size() + kSortChunk - 1) / kSortChunk);
        parallel_chunks(
            std::ssize(key),
            [&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
                place_[chunk].fill(0);
                for (std::ptrdiff_t k = begin; k < end; ++k) ++place_[chunk][digit(key[k], shift)];
            },
            kSortChunk);
    }

    /// Counts become the places where each chunk's keys of a digit go.
    void find_places() {
        std::size_t sum = 0;
        for (std::size_t d = 0; d < kDigits; ++d) {
            for (Places& place : place_) sum += std::exchange(place[d], sum);
        }
    }

    std::vector<Places> place_;  ///< (chunks)
    std::vector<std::uint64_t> spare_key_;
    std::vector<Index> spare_value_;
};

}  // namespace talus
