#pragma once

#include <cstddef>

#include "talus/core/parallel.hpp"

namespace talus::test {

/// Gives threads and the size of small loops back as they were, for tests that change them.
struct KeepThreads {
    KeepThreads() = default;
    KeepThreads(const KeepThreads&) = delete;
    KeepThreads& operator=(const KeepThreads&) = delete;
    ~KeepThreads() {
        set_thread_count(threads);
        set_small_loop(small);
    }
    int threads = thread_count();
    std::ptrdiff_t small = small_loop();
};

}  // namespace talus::test
