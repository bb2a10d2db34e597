#include "talus/core/parallel.hpp"

#include <stdexcept>

namespace talus {

namespace {
int threads_in_use = 1;
}

void set_thread_count(int count) {
    if (count < 1) throw std::invalid_argument("thread count must be at least 1");
    threads_in_use = count;
}

int thread_count() {
    return threads_in_use;
}

int available_threads() {
    return omp_get_num_procs();
}

}  // namespace talus
