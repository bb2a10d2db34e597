#include "talus/core/parallel.hpp"

#include <stdexcept>

namespace talus {

namespace {
int threads_in_use = 1;
std::ptrdiff_t items_of_small_loop = 8192;
}  // namespace

void set_thread_count(int count) {
    if (count < 1) throw std::invalid_argument("thread count must be at least 1");
    threads_in_use = count;
}

void set_small_loop(std::ptrdiff_t items) {
    if (items < 1) throw std::invalid_argument("a small loop must have at least 1 item");
    items_of_small_loop = items;
}

std::ptrdiff_t small_loop() {
    return items_of_small_loop;
}

int thread_count() {
    return threads_in_use;
}

int available_threads() {
    return omp_get_num_procs();
}

}  // namespace talus
