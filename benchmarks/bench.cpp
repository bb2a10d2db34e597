#include "bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "talus/core/parallel.hpp"
#include "talus/core/version.hpp"

namespace talus::bench {

namespace {

double seconds_of(const std::function<void()>& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Timing repeat(int repeats, const std::function<void()>& restore, const std::function<void()>& body) {
    std::vector<double> seconds;
    for (int k = 0; k <= repeats; ++k) {
        restore();
        const double taken = seconds_of(body);
        if (k > 0) seconds.push_back(taken);
    }
    std::sort(seconds.begin(), seconds.end());
    return {seconds.front(), seconds[seconds.size() / 2]};
}

void print_header() {
    fmt::print("{:<12} {:<22} {:>8} {:>9} {:>7} {:>10} {:>10} {:>6} {:>9} {:>8} {:>7}  {}\n", "stage",
               "variant", "bodies", "items", "threads", "min ms", "median ms", "iter", "residual", "ns/item",
               "GB/s", "hash");
}

void print(const Options& options, const Row& row) {
    const double passes = std::max(1, row.iterations);
    const double per_item =
        row.items > 0 ? row.time.median / passes / static_cast<double>(row.items) * 1e9 : 0.0;
    fmt::print(
        "{:<12} {:<22} {:>8} {:>9} {:>7} {:>10.3f} {:>10.3f} {:>6} {:>9.2e} {:>8.2f} {:>7.2f}  {:016x}\n",
        row.stage, row.variant, row.bodies, row.items, row.threads, 1e3 * row.time.least,
        1e3 * row.time.median, row.iterations, row.residual, per_item, row.bandwidth, row.hash);
    std::fflush(stdout);
    if (options.csv.empty()) return;
    const bool fresh = !std::filesystem::exists(options.csv);
    std::ofstream file(options.csv, std::ios::app);
    if (fresh)
        file << "version,stage,variant,bodies,items,threads,min_ms,median_ms,iterations,residual,ns_per_item,"
                "gb_per_s,hash\n";
    file << fmt::format("{},{},{},{},{},{},{:.6g},{:.6g},{},{:.3e},{:.4g},{:.4g},{:016x}\n", kVersion,
                        row.stage, row.variant, row.bodies, row.items, row.threads, 1e3 * row.time.least,
                        1e3 * row.time.median, row.iterations, row.residual, per_item, row.bandwidth,
                        row.hash);
}

double triad_bandwidth(int threads) {
    constexpr std::size_t kItems = std::size_t{1} << 24;  // 128 MiB an array
    set_thread_count(threads);
    std::vector<double> a(kItems), b(kItems, 1.0), c(kItems, 2.0);
    double best = 0.0;
    for (int k = 0; k < 10; ++k) {
        const double taken = seconds_of([&] {
            parallel_chunks(
                static_cast<std::ptrdiff_t>(kItems),
                [&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
                    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
                        a[i] = b[i] + 3.0 * c[i];
                    }
                },
                std::ptrdiff_t{1} << 16);
        });
        best = std::max(best, 24e-9 * static_cast<double>(kItems) / taken);
    }
    return a[kItems / 2] == 7.0 ? best : 0.0;
}

std::uint64_t hash_of(const std::vector<Vec3>& values) {
    std::uint64_t hash = 1469598103934665603ULL;  // Fowler, Noll, Vo (FNV-1a) over the bits
    for (const Vec3& v : values) {
        for (int k = 0; k < 3; ++k) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, v.data() + k, sizeof bits);
            hash = (hash ^ bits) * 1099511628211ULL;
        }
    }
    return hash;
}

}  // namespace talus::bench
