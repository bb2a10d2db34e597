#include "talus/core/radix_sort.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "support/keep_threads.hpp"
#include "talus/core/random.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Equal keys, few bits, all 64 bits, and digits in the middle in which all keys agree.
std::uint64_t key_of(int kind, std::uint64_t bits) {
    switch (kind) {
        case 0:
            return 5;
        case 1:
            return bits >> 60;
        case 2:
            return bits;
        default:
            return bits & 0xFFF00000000007FFULL;
    }
}

}  // namespace

TEST_CASE("keys are sorted, and values of equal keys keep their order") {
    const KeepThreads guard;
    set_small_loop(1);
    for (const int threads : {1, 2, 3}) {
        set_thread_count(threads);
        RadixSort sort;
        for (const std::size_t count : {0, 1, 100, 100000}) {
            for (int kind = 0; kind < 4; ++kind) {
                std::vector<std::uint64_t> key(count);
                std::vector<Index> value(count);
                for (std::size_t k = 0; k < count; ++k) {
                    Random draw(3, k);
                    const auto half = [&] {
                        return static_cast<std::uint64_t>(draw.uniform() * 4294967296.0);
                    };
                    const std::uint64_t high = half();
                    key[k] = key_of(kind, high << 32 | half());
                }
                std::iota(value.begin(), value.end(), 0);
                std::vector<Index> order = value;
                std::stable_sort(order.begin(), order.end(),
                                 [&](Index a, Index b) { return key[a] < key[b]; });
                const std::vector<std::uint64_t> before = key;
                sort(key, value);
                CHECK(value == order);
                CHECK(std::is_sorted(key.begin(), key.end()));
                if (count > 0) CHECK(key.front() == before[order.front()]);
            }
        }
    }
}
