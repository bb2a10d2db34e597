#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "talus/step/contact_step.hpp"

/// What all benchmarks share. Each restores the same state before every repeat, gives minimum and median of
/// the wall clock, and a hash of the result: rows with different hashes are not comparable.
namespace talus::bench {

struct Options {
    int particles = 8000;            ///< spheres of the settled box
    int repeats = 5;                 ///< counted runs; one more comes first and is not counted
    std::vector<int> threads = {1};  ///< thread counts
    std::string csv;                 ///< file that rows are appended to; empty: none
};

struct Timing {
    double least = 0.0, median = 0.0;  ///< [s]
};

/// One line of the table and of the CSV file.
struct Row {
    std::string stage, variant;
    Index bodies = 0;
    std::int64_t items = 0;  ///< pairs, contacts or particles that the stage works on
    int threads = 1;
    Timing time;
    int iterations = 0;
    double residual = 0.0;
    double bandwidth = 0.0;  ///< bytes that must move over the median time [GB/s]; 0: not counted
    std::uint64_t hash = 0;
};

/// Runs `body` once unwatched and `repeats` times timed, calling `restore` before each.
Timing repeat(int repeats, const std::function<void()>& restore, const std::function<void()>& body);

/// Prints the table's header, or a row; appends to the CSV file when one is named.
void print_header();
void print(const Options& options, const Row& row);

/// STREAM triad a = b + s c over arrays beyond every cache, best of ten, bytes counted as 24 per item [GB/s].
/// (J. D. McCalpin 1995; the write-allocate read is not counted, as usual.)
double triad_bandwidth(int threads);

std::uint64_t hash_of(const std::vector<Vec3>& values);

/// Spheres of radius 1 (+- 20 %) dropped into a square box about as wide as they pile high, and stepped until
/// at rest; gravity 1, m = r^3, step h = 0.02 sqrt(d / g). Made by talus itself, the same for any number of
/// threads.
System settled_box(int particles);
constexpr double kBoxStep = 0.028;  ///< h for that box

}  // namespace talus::bench
