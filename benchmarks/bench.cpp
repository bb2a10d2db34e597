#include "bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "talus/core/parallel.hpp"
#include "talus/core/version.hpp"

namespace talus::bench {

namespace {

/// Numbers that only some rows have: where, name in the CSV file, text in the table.
struct Extra {
    double Row::*value;
    const char* name;
    const char* text;
};
constexpr Extra kExtras[] = {{&Row::bandwidth, "gb_per_s", "{:.1f} GB/s"},
                             {&Row::triad, "triad_gb_per_s", "triad {:.1f} GB/s"},
                             {&Row::natural_map, "natural_map_m_per_s", "natural map {:.1e} m/s"},
                             {&Row::tolerance, "tolerance", "tolerance {:.1e}"},
                             {&Row::bytes_per_body, "bytes_per_body", "peak {:.0f} B a body"},
                             {&Row::speed_up, "speed_up", "speed-up {:.2f}"},
                             {&Row::efficiency, "efficiency", "efficiency {:.2f}"},
                             {&Row::per_simulated, "s_per_simulated_s", "{:.2f} s per simulated s"}};

std::string first_line(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) ? line : "not told";
}

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return fmt::format("{} {}", name, value ? value : "unset");
}

double nanoseconds_per_item(const Row& row) {
    if (row.items == 0) return 0.0;
    return row.time.median / std::max(1, row.iterations) / static_cast<double>(row.items) * 1e9;
}

void append(const std::string& path, const Row& row) {
    const bool fresh = !std::filesystem::exists(path);
    std::ofstream file(path, std::ios::app);
    if (fresh) {
        file << "version,stage,variant,bodies,items,threads,min_ms,median_ms,iterations,residual,ns_per_item,"
                "hash";
        for (const Extra& extra : kExtras) file << ',' << extra.name;
        file << '\n';
    }
    file << fmt::format("{},{},{},{},{},{},{:.6g},{:.6g},{},{:.3e},{:.4g},{:016x}", kVersion, row.stage,
                        row.variant, row.bodies, row.items, row.threads, 1e3 * row.time.least,
                        1e3 * row.time.median, row.iterations, row.residual, nanoseconds_per_item(row),
                        row.hash);
    for (const Extra& extra : kExtras) file << fmt::format(",{:.4g}", row.*extra.value);
    file << '\n';
    if (!file.flush()) throw std::runtime_error(fmt::format("{}: can not be written", path));
}

}  // namespace

double seconds_of(const std::function<void()>& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Timing timing_of(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return {seconds.front(), seconds[seconds.size() / 2]};
}

Timing repeat(int repeats, const std::function<void()>& restore, const std::function<void()>& body) {
    std::vector<double> seconds;
    for (int k = 0; k <= repeats; ++k) {
        restore();
        const double taken = seconds_of(body);
        if (k > 0) seconds.push_back(taken);
    }
    return timing_of(std::move(seconds));
}

void print_header() {
    fmt::print("# talus {}; {} processors for this process, hyper-threading (1: on) {}; {}, {}, {}\n",
               kVersion, available_threads(), first_line("/sys/devices/system/cpu/smt/active"),
               environment("OMP_PLACES"), environment("OMP_PROC_BIND"), environment("OMP_WAIT_POLICY"));
    fmt::print("{:<12} {:<30} {:>8} {:>9} {:>7} {:>10} {:>10} {:>6} {:>9} {:>8}  {:<16}\n", "stage",
               "variant", "bodies", "items", "threads", "min ms", "median ms", "iter", "residual", "ns/item",
               "hash");
}

void print(const Options& options, const Row& row) {
    fmt::print("{:<12} {:<30} {:>8} {:>9} {:>7} {:>10.3f} {:>10.3f} {:>6} {:>9.2e} {:>8.2f}  {:016x}",
               row.stage, row.variant, row.bodies, row.items, row.threads, 1e3 * row.time.least,
               1e3 * row.time.median, row.iterations, row.residual, nanoseconds_per_item(row), row.hash);
    for (const Extra& extra : kExtras) {
        const double value = row.*extra.value;
        if (value != 0.0) fmt::print("  {}", fmt::format(fmt::runtime(extra.text), value));
    }
    fmt::print("\n");
    std::fflush(stdout);
    if (!options.csv.empty()) append(options.csv, row);
}

double triad_bandwidth(int threads) {
    constexpr std::size_t kItems = std::size_t{1} << 24;  // 128 MiB an array
    constexpr std::ptrdiff_t kShare = std::ptrdiff_t{1} << 16;
    set_thread_count(threads);
    std::vector<double> a(kItems), b(kItems, 1.0), c(kItems, 2.0);
    const auto share = [&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        for (std::ptrdiff_t i = begin; i < end; ++i) a[i] = b[i] + 3.0 * c[i];
    };
    const Timing time = repeat(
        10, [] {}, [&] { parallel_chunks(std::ssize(a), share, kShare); });
    return a[kItems / 2] == 7.0 ? 24e-9 * static_cast<double>(kItems) / time.least : 0.0;
}

double peak_memory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return 1024.0 * std::stod(line.substr(6));  // kB
    }
    return 0.0;
}

void reset_peak_memory() {
    constexpr const char* kPeakOnly = "5";  // proc(5)
    std::ofstream("/proc/self/clear_refs") << kPeakOnly;
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
