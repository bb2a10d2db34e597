#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "talus/step/contact_step.hpp"

/// What all benchmarks share. Each restores the same state before every repeat, gives minimum and median of
/// the wall clock, and a hash of the result: rows with different hashes are not comparable.
namespace talus::bench {

/// Boxes of grains have radii of about 1, gravity 1 and m = r^3. Where a length of 1 is taken for 1 cm and
/// gravity for 9.81 m/s^2, one unit of time is sqrt(0.01 m / 9.81 m/s^2) = 0.0319 s, so that this step is 1
/// ms there.
constexpr double kBoxStep = 0.0313;
/// sqrt(0.01 m 9.81 m/s^2): the unit of speed of a box at that scale [m/s].
constexpr double kBoxSpeed = 0.313209;

struct Options {
    std::vector<int> particles = {8000};  ///< numbers of spheres
    int tile = 8000;   ///< spheres of the largest box that is settled; larger ones are mirror images of it
    std::string data;  ///< directory with box_1k.csv.gz and so on; empty: talus settles its own boxes
    std::vector<std::string> solvers = {"monotone_pgs", "clip_cg", "apgd", "uzawa"};
    std::string scene;               ///< of the hopper
    double filling = 0.25;           ///< time that the hopper runs before its steps are counted [s]
    double window = 0.1;             ///< time over which they are counted [s]
    int repeats = 5;                 ///< counted runs; one more comes first and is not counted
    std::vector<int> threads = {1};  ///< thread counts
    std::string csv;                 ///< file that rows are appended to; empty: none
};

struct Timing {
    double least = 0.0, median = 0.0;  ///< [s]
};

/// One line of the table and of the CSV file. Numbers from bandwidth on are shown where they are not 0.
struct Row {
    std::string stage, variant;  ///< without commas: they part the columns of the CSV file
    Index bodies = 0;
    std::int64_t items = 0;  ///< pairs, contacts or particles that the stage works on
    int threads = 1;
    Timing time;
    int iterations = 0;
    double residual = 0.0;
    double bandwidth = 0.0;       ///< bytes that must move over the median time [GB/s]
    double triad = 0.0;           ///< STREAM triad with as many threads in the same run [GB/s]
    double natural_map = 0.0;     ///< RMS natural map of the answer [m/s] (contact_problem.hpp)
    double tolerance = 0.0;       ///< of the solver, where it was searched for [-]
    double bytes_per_body = 0.0;  ///< largest resident memory over the number of particles [B]
    double speed_up = 0.0;        ///< over the first thread count [-]
    double efficiency = 0.0;      ///< parallel efficiency [-]
    double per_simulated = 0.0;   ///< seconds for one simulated second
    std::uint64_t hash = 0;
};

/// @param seconds of the counted runs, at least one.
Timing timing_of(std::vector<double> seconds);
double seconds_of(const std::function<void()>& body);
/// Runs `body` once unwatched and `repeats` times timed, calling `restore` before each.
Timing repeat(int repeats, const std::function<void()>& restore, const std::function<void()>& body);

/// Prints processors, hyper-threading, where threads are bound, and the table's header; prints a row and
/// appends it to the CSV file when one is named.
void print_header();
void print(const Options& options, const Row& row);

/// STREAM triad a = b + s c over arrays beyond every cache, best of ten, bytes counted as 24 per item [GB/s].
/// (J. D. McCalpin 1995; the write-allocate read is not counted, as usual.)
double triad_bandwidth(int threads);

/// Largest resident memory of this process since reset_peak_memory() [B]; 0 where the system does not tell.
double peak_memory();
void reset_peak_memory();

std::uint64_t hash_of(const std::vector<Vec3>& values);

}  // namespace talus::bench
