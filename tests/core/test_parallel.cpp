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

TEST_CASE("a team does every loop of its body once, with as many members as threads") {
    const OneThreadAfterwards guard;
    set_small_loop(1);
    for (const int threads : kThreadCounts) {
        set_thread_count(threads);
        std::vector<int> calls(1000, 0);
        with_team([&] {
            for (int loop = 0; loop < 200; ++loop) {
                parallel_for(1000, [&](std::ptrdiff_t i) { ++calls[static_cast<std::size_t>(i)]; });
            }
        });
        CHECK(calls == std::vector<int>(1000, 200));
        std::vector<int> counts(static_cast<std::size_t>(threads), 0);
        on_team(
            [&](const Member& member) { counts[static_cast<std::size_t>(member.number)] = member.count; });
        CHECK(counts == std::vector<int>(static_cast<std::size_t>(threads), threads));
    }
}

TEST_CASE("a member that waits for a milestone sees what the others wrote before it") {
    const OneThreadAfterwards guard;
    constexpr int kMilestones = 50;
    for (const int threads : kThreadCounts) {
        set_thread_count(threads);
        std::vector<int> place(static_cast<std::size_t>(threads), 0);
        std::vector<int> behind(static_cast<std::size_t>(threads), 0);
        with_team([&] {
            for (int loop = 0; loop < 20; ++loop) {
                on_team(
                    [&](const Member& member) {
                        const auto own = static_cast<std::size_t>(member.number);
                        for (int k = 1; k <= kMilestones; ++k) {
                            place[own] = loop * kMilestones + k;
                            member.reach(2 * k - 1);
                            member.wait_for_others(2 * k - 1);
                            for (const int other : place) behind[own] += other != loop * kMilestones + k;
                            member.reach(2 * k);  // all have looked: the next place may be written
                            member.wait_for_others(2 * k);
                        }
                    },
                    2 * kMilestones);
            }
        });
        CHECK(behind == std::vector<int>(static_cast<std::size_t>(threads), 0));
    }
}

TEST_CASE("a loop within a loop is done by its caller alone") {
    const OneThreadAfterwards guard;
    set_small_loop(1);
    set_thread_count(3);
    std::vector<std::ptrdiff_t> sums(100, 0);
    parallel_for(100, [&](std::ptrdiff_t i) {
        parallel_for(100, [&](std::ptrdiff_t k) { sums[static_cast<std::size_t>(i)] += k; });
    });
    CHECK(sums == std::vector<std::ptrdiff_t>(100, 4950));
}

TEST_CASE("what the body of a team throws comes out, and the threads are free again") {
    const OneThreadAfterwards guard;
    set_small_loop(1);
    for (const int threads : kThreadCounts) {
        set_thread_count(threads);
        const auto fail = [] {
            with_team([] {
                parallel_for(10, [](std::ptrdiff_t) {});
                with_team([] { throw std::runtime_error("from within"); });
            });
        };
        CHECK_THROWS_WITH(fail(), "from within");
        std::vector<int> calls(10, 0);
        parallel_for(10, [&](std::ptrdiff_t i) { ++calls[static_cast<std::size_t>(i)]; });
        CHECK(calls == std::vector<int>(10, 1));
    }
}
