#pragma once

#include "bench.hpp"

namespace talus::bench {

void bench_broad_phase(const Options& options);
void bench_contacts(const Options& options);
void bench_operator(const Options& options);
void bench_projection(const Options& options);
void bench_write(const Options& options);
void bench_scaling(const Options& options);

}  // namespace talus::bench
