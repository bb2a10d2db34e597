#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// Sorts (key, value) by key, stable: least significant digit first, digits in which all keys agree skipped.
/// The spare arrays are work space.
inline void radix_sort(std::vector<std::uint64_t>& key, std::vector<Index>& value,
                       std::vector<std::uint64_t>& spare_key, std::vector<Index>& spare_value) {
    constexpr int kBits = 11;
    constexpr std::size_t kDigits = std::size_t{1} << kBits;
    spare_key.resize(key.size());
    spare_value.resize(value.size());
    std::array<std::size_t, kDigits> place{};
    for (int shift = 0; shift < 64; shift += kBits) {
        const auto digit = [shift](std::uint64_t k) { return (k >> shift) & (kDigits - 1); };
        place.fill(0);
        for (const std::uint64_t k : key) ++place[digit(k)];
        if (key.empty() || place[digit(key.front())] == key.size()) continue;
        std::size_t sum = 0;
        for (std::size_t& p : place) {
            const std::size_t count = p;
            p = sum;
            sum += count;
        }
        for (std::size_t k = 0; k < key.size(); ++k) {
            const std::size_t to = place[digit(key[k])]++;
            spare_key[to] = key[k];
            spare_value[to] = value[k];
        }
        key.swap(spare_key);
        value.swap(spare_value);
    }
}

}  // namespace talus
