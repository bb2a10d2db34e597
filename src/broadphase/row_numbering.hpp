#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// Numbers distinct keys 0, 1, 2, ... in the order in which they first appear (hash table, linear probing).
/// Memory grows with the number of distinct keys and is kept.
class RowNumbering {
public:
    /// Forgets all keys, in time O(keys).
    void clear();
    /// @param key not 0. @return its number, new if it has none.
    Index number(std::uint64_t key);
    /// Distinct keys by number.
    const std::vector<std::uint64_t>& keys() const { return keys_; }

private:
    struct Entry {
        std::uint64_t key = 0;  ///< 0: free
        Index number = 0;
    };

    std::size_t place(std::uint64_t key) const;
    void grow();

    std::vector<Entry> table_;  // its length is a power of two, at most half of it in use
    std::vector<std::uint64_t> keys_;
    int hash_shift_ = 64;
};

}  // namespace talus
