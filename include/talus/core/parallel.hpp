#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

/// The only door to threads. Loops write their own output and sums are formed over chunks whose size does not
/// depend on the number of threads, so that a result has the same bits on 1 or 64 threads.
namespace talus {

/// Threads used by every parallel loop from now on. @param count >= 1.
void set_thread_count(int count);
int thread_count();
/// Threads that this process may use at the same time (its processor affinity).
int available_threads();

/// Loops over fewer items than this stay on the calling thread: waking the others costs some 20 microseconds
/// where they sleep. It never changes a result. 8192 at first. @param items >= 1.
void set_small_loop(std::ptrdiff_t items);
std::ptrdiff_t small_loop();

constexpr std::ptrdiff_t kChunk = 1024;  ///< items of one partial sum; part of the definition of every sum

/// Calls body(i) for i in [0, count); serial below `serial_below` items.
template <class Body>
void parallel_for(std::ptrdiff_t count, Body&& body, std::ptrdiff_t serial_below = small_loop()) {
    const int threads = count < serial_below ? 1 : thread_count();
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (std::ptrdiff_t i = 0; i < count; ++i) body(i);
}

/// Calls body(chunk, begin, end) for consecutive chunks of `chunk_size` items that cover [0, count); serial
/// below `serial_below` items.
template <class Body>
void parallel_chunks(std::ptrdiff_t count, Body&& body, std::ptrdiff_t chunk_size = kChunk,
                     std::ptrdiff_t serial_below = small_loop()) {
    const std::ptrdiff_t chunks = (count + chunk_size - 1) / chunk_size;
    const int threads = count < serial_below || chunks < 2 ? 1 : thread_count();
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (std::ptrdiff_t c = 0; c < chunks; ++c) {
        body(c, c * chunk_size, std::min(count, (c + 1) * chunk_size));
    }
}

/// Combines value(i) over [0, count): within fixed chunks in order, then over the chunks in order.
template <class T, class Value, class Combine>
T parallel_reduce(std::ptrdiff_t count, T identity, Value&& value, Combine&& combine) {
    std::vector<T> partial(static_cast<std::size_t>((count + kChunk - 1) / kChunk), identity);
    parallel_chunks(count, [&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        T sum = identity;
        for (std::ptrdiff_t i = begin; i < end; ++i) sum = combine(sum, value(i));
        partial[static_cast<std::size_t>(chunk)] = sum;
    });
    T total = identity;
    for (const T& p : partial) total = combine(total, p);
    return total;
}

template <class Value>
double parallel_sum(std::ptrdiff_t count, Value&& value) {
    return parallel_reduce(count, 0.0, value, [](double a, double b) { return a + b; });
}

template <class Value>
double parallel_max(std::ptrdiff_t count, double lowest, Value&& value) {
    return parallel_reduce(count, lowest, value, [](double a, double b) { return a < b ? b : a; });
}

}  // namespace talus
