#include "talus/core/chunked_append.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support/keep_threads.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// i appends i % 4 copies of itself.
void append_copies(std::ptrdiff_t i, std::vector<int>& out) {
    out.insert(out.end(), static_cast<std::size_t>(i % 4), static_cast<int>(i));
}

std::vector<int> expected(std::vector<int> start, std::ptrdiff_t count) {
    for (std::ptrdiff_t i = 0; i < count; ++i) append_copies(i, start);
    return start;
}

}  // namespace

TEST_CASE("what the items append follows what stood before them, in their order, whatever stood there") {
    const KeepThreads guard;
    set_small_loop(1);
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        ChunkedAppend<int> append;
        std::vector<int> result = {7, 8, 9, 10};
        // Longer and shorter than before, none, and more than one batch of chunks.
        for (const std::ptrdiff_t count : {5000, 12, 0, 300000, 1025}) {
            append.run(count, append_copies, result, 2);
            CHECK(result == expected({7, 8}, count));
        }
    }
}

TEST_CASE("items that satisfy a predicate are counted") {
    const KeepThreads guard;
    for (const int threads : {1, 3}) {
        set_thread_count(threads);
        for (const std::ptrdiff_t count : {0, 1, 10001}) {
            CHECK(parallel_count(count, [](std::ptrdiff_t i) { return i % 3 == 0; }) == (count + 2) / 3);
        }
    }
}
