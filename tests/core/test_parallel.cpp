#include "talus/core/parallel.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "talus/core/random.hpp"

using namespace talus;

namespace {

const int kThreadCounts[] = {1, 2, 3, 8};

/// Leaves one thread behind, whatever happens in a test.
struct OneThreadAfterwards {
    ~OneThreadAfterwards() {
        set_thread_count(1);
        set_small_loop(8192);
    }
};

}  // namespace

TEST_CASE("parallel_for calls the body once for each item, above and below its serial limit") {
    const OneThreadAfterwards guard;
    for (const int threads : kThreadCounts) {
        set_thread_count(threads);
        CHECK(thread_count() == threads);
        for (const std::ptrdiff_t count : {0, 1, 8191, 8192, 10001}) {
            std::vector<int> calls(static_cast<std::size_t>(count), 0);
            parallel_for(count, [&](std::ptrdiff_t i) { ++calls[static_cast<std::size_t>(i)]; });
            CHECK(calls == std::vector<int>(static_cast<std::size_t>(count), 1));
        }
    }
}

TEST_CASE("parallel_chunks covers the items by consecutive chunks of the size asked for") {
    const OneThreadAfterwards guard;
    set_thread_count(3);
    set_small_loop(1);
    for (const std::ptrdiff_t count : {0, 1, 99, 100, 101, 1234}) {
        const std::ptrdiff_t chunks = (count + 99) / 100;
        std::vector<std::ptrdiff_t> begins(static_cast<std::size_t>(chunks), -1), ends(begins);
        parallel_chunks(
            count,
            [&](std::ptrdiff_t c, std::ptrdiff_t begin, std::ptrdiff_t end) {
                begins[static_cast<std::size_t>(c)] = begin;
                ends[static_cast<std::size_t>(c)] = end;
            },
            100);
        for (std::ptrdiff_t c = 0; c < chunks; ++c) {
            CHECK(begins[static_cast<std::size_t>(c)] == 100 * c);
            CHECK(ends[static_cast<std::size_t>(c)] == std::min(count, 100 * (c + 1)));
        }
    }
}

TEST_CASE("a sum has the same bits for any number of threads, and the value of the chunked definition") {
    const OneThreadAfterwards guard;
    constexpr std::ptrdiff_t count = 10 * kChunk + 17;
    const auto value = [](std::ptrdiff_t i) {
        return Random(1, static_cast<std::uint64_t>(i)).normal() * std::pow(10.0, static_cast<double>(i % 7));
    };
    double expected = 0.0;
    for (std::ptrdiff_t begin = 0; begin < count; begin += kChunk) {
        double chunk = 0.0;
        for (std::ptrdiff_t i = begin; i < std::min(count, begin + kChunk); ++i) chunk += value(i);
        expected += chunk;
    }
    for (const int threads : kThreadCounts) {
        set_small_loop(1);
        set_thread_count(threads);
        CHECK(parallel_sum(count, value) == expected);
    }
    CHECK(parallel_sum(0, value) == 0.0);
}

TEST_CASE("parallel_max finds the largest value, and the lowest given when there is none") {
    const OneThreadAfterwards guard;
    set_thread_count(3);
    set_small_loop(1);
    CHECK(parallel_max(5000, -1.0,
                       [](std::ptrdiff_t i) { return i == 4321 ? 7.5 : -static_cast<double>(i); }) == 7.5);
    CHECK(parallel_max(0, -1.0, [](std::ptrdiff_t) { return 3.0; }) == -1.0);
    CHECK(parallel_max(10, 2.0, [](std::ptrdiff_t) { return 1.0; }) == 2.0);
}

TEST_CASE("fewer threads than one are refused") {
    CHECK_THROWS_AS(set_thread_count(0), std::invalid_argument);
    CHECK_THROWS_AS(set_thread_count(-1), std::invalid_argument);
    CHECK(available_threads() >= 1);
}
