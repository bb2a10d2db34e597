#include "row_numbering.hpp"

#include <algorithm>
#include <bit>

namespace talus {

namespace {
constexpr std::size_t kFirstLength = 1024;
}

void RowNumbering::clear() {
    // Last in, first out: what is still in the table then never lies behind a hole.
    for (auto key = keys_.rbegin(); key != keys_.rend(); ++key) table_[place(*key)] = Entry{};
    keys_.clear();
}

Index RowNumbering::number(std::uint64_t key) {
    if (2 * (keys_.size() + 1) > table_.size()) grow();
    Entry& entry = table_[place(key)];
    if (entry.key == 0) {
        entry = {key, static_cast<Index>(keys_.size())};
        keys_.push_back(key);
    }
    return entry.number;
}

/// Where the key is, or the free entry where it belongs.
std::size_t RowNumbering::place(std::uint64_t key) const {
    // Multiplicative hash by 2^64 over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
    std::size_t k = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> hash_shift_);
    while (table_[k].key != 0 && table_[k].key != key) k = (k + 1) & (table_.size() - 1);
    return k;
}

void RowNumbering::grow() {
    const std::size_t length = std::max(kFirstLength, 2 * table_.size());
    table_.assign(length, Entry{});
    hash_shift_ = 64 - std::countr_zero(length);
    for (std::size_t n = 0; n < keys_.size(); ++n)
        table_[place(keys_[n])] = {keys_[n], static_cast<Index>(n)};
}

}  // namespace talus
