#pragma once

#include "bench.hpp"

/// One benchmark each, for one number of spheres.
namespace talus::bench {

void bench_broad_phase(const Options& options, int particles);
void bench_contacts(const Options& options, int particles);
void bench_friction(const Options& options, int particles);
void bench_growth(const Options& options, int particles);
void bench_hopper(const Options& options, int particles);
void bench_operator(const Options& options, int particles);
void bench_order(const Options& options, int particles);
void bench_packings(const Options& options, int particles);
void bench_projection(const Options& options, int particles);
void bench_scaling(const Options& options, int particles);
void bench_size_ratio(const Options& options, int particles);
void bench_write(const Options& options, int particles);

}  // namespace talus::bench
