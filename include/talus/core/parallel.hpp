#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

/// The only door to threads that compute (io has one that waits for discs). Loops write their own output and
/// sums are formed over chunks whose size does not depend on the number of threads, so that a result has the
/// same bits on 1 or 64 threads.
namespace talus {

/// Threads used by every parallel loop from now on. @param count >= 1.
void set_thread_count(int count);
int thread_count();
/// Threads that this process may use at the same time (its processor affinity).
int available_threads();

/// Loops over fewer items than this stay on the calling thread. It never changes a result. 8192 at first.
/// @param items >= 1.
void set_small_loop(std::ptrdiff_t items);
std::ptrdiff_t small_loop();

constexpr std::ptrdiff_t kChunk = 1024;  ///< items of one partial sum; part of the definition of every sum

class Team;

/// A callable that is only referred to: no copy, no allocation.
template <class Signature>
class FunctionRef;
template <class... Arguments>
class FunctionRef<void(Arguments...)> {
public:
    template <class Body>
    FunctionRef(const Body& body)
        : body_(std::addressof(body)),
          call_([](const void* b, Arguments... arguments) { (*static_cast<const Body*>(b))(arguments...); }) {
    }
    void operator()(Arguments... arguments) const { call_(body_, arguments...); }

private:
    const void* body_;
    void (*call_)(const void*, Arguments...);
};

/// Calls body() with the threads of this process at hand: until it returns, the others wait for its parallel
/// loops, awake for a short while and then asleep, so that a loop costs less than a microsecond instead of
/// the tens that it takes to start threads. Nothing changes but the time. Teams may be nested: the inner one
/// is the outer one. What body() throws comes out. @param items of its largest loops: no team is formed for
/// small ones, whose threads would never be needed.
void with_team(FunctionRef<void()> body, std::ptrdiff_t items = std::numeric_limits<std::ptrdiff_t>::max());

/// A thread of a team, in a loop.
class Member {
public:
    int number = 0;  ///< the caller of the loop is 0
    int count = 1;   ///< of all members

    /// For shares that need results of each other: what this member wrote so far may be read by those who
    /// wait for milestone k = 1, 2, ...
    void reach(int milestone) const {
        if (count > 1) reach_milestone(milestone);
    }
    /// Waits until all others have reached a milestone; 0 is the start.
    void wait_for_others(int milestone) const {
        if (count > 1) wait_for_milestone(milestone);
    }

private:
    friend class Team;
    void reach_milestone(int milestone) const;
    void wait_for_milestone(int milestone) const;

    Team* team_ = nullptr;
};

/// Calls share(member) on every thread of the team at the same time; opens a team for this one loop if there
/// is none. Shares must not throw. A loop within a share, or on a thread that is not the team's first, is
/// done by its caller alone, as the only member. @param milestones that the shares reach, all of them.
void on_team(FunctionRef<void(const Member&)> share, int milestones = 0);

/// First of `count` items that share t of `shares` equal ones takes.
constexpr std::ptrdiff_t share_begin(std::ptrdiff_t count, int t, int shares) {
    return count * t / shares;
}

/// Calls body(i) for i in [0, count); serial below `serial_below` items.
template <class Body>
void parallel_for(std::ptrdiff_t count, Body&& body, std::ptrdiff_t serial_below = small_loop()) {
    const auto share = [&](const Member& member) {
        const std::ptrdiff_t end = share_begin(count, member.number + 1, member.count);
        for (std::ptrdiff_t i = share_begin(count, member.number, member.count); i < end; ++i) body(i);
    };
    if (count < serial_below) {
        share(Member{});
    } else {
        on_team(share);
    }
}

/// Calls body(chunk, begin, end) for consecutive chunks of `chunk_size` items that cover [0, count); serial
/// below `serial_below` items.
template <class Body>
void parallel_chunks(std::ptrdiff_t count, Body&& body, std::ptrdiff_t chunk_size = kChunk,
                     std::ptrdiff_t serial_below = small_loop()) {
    const std::ptrdiff_t chunks = (count + chunk_size - 1) / chunk_size;
    const auto chunk = [&](std::ptrdiff_t c) {
        body(c, c * chunk_size, std::min(count, (c + 1) * chunk_size));
    };
    parallel_for(chunks, chunk, count < serial_below ? chunks + 1 : 2);
}

/// Combines value(i) over [0, count): within fixed chunks in order, then over the chunks in order.
template <class T, class Value, class Combine>
T parallel_reduce(std::ptrdiff_t count, T identity, Value&& value, Combine&& combine) {
    thread_local std::vector<T> spare;  // kept, so that a sum allocates nothing once warm
    std::vector<T> partial = std::move(spare);
    partial.assign(static_cast<std::size_t>((count + kChunk - 1) / kChunk), identity);
    parallel_chunks(count, [&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        T sum = identity;
        for (std::ptrdiff_t i = begin; i < end; ++i) sum = combine(sum, value(i));
        partial[static_cast<std::size_t>(chunk)] = sum;
    });
    T total = identity;
    for (const T& p : partial) total = combine(total, p);
    spare = std::move(partial);
    return total;
}

template <class Value>
double parallel_sum(std::ptrdiff_t count, Value&& value) {
    return parallel_reduce(count, 0.0, value, [](double a, double b) { return a + b; });
}

/// Items of [0, count) that satisfy `predicate`.
template <class Predicate>
std::ptrdiff_t parallel_count(std::ptrdiff_t count, Predicate&& predicate) {
    return parallel_reduce(
        count, std::ptrdiff_t{0}, [&](std::ptrdiff_t i) { return std::ptrdiff_t{predicate(i) ? 1 : 0}; },
        [](std::ptrdiff_t a, std::ptrdiff_t b) { return a + b; });
}

template <class Value>
double parallel_max(std::ptrdiff_t count, double lowest, Value&& value) {
    return parallel_reduce(count, lowest, value, [](double a, double b) { return a < b ? b : a; });
}

}  // namespace talus
