#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "boxes.hpp"
#include "stages.hpp"
#include "talus/core/parallel.hpp"
#include "two_steps.hpp"

namespace talus::bench {

namespace {

// Each of two spheres looks this far, in its radius: together 0.1 radius, as the codes below were told.
constexpr double kMargin = 0.05;
constexpr int kLargestForUzawa = 1000;

/// What other codes took for one step of the same boxes, without friction.
struct Peer {
    const char* code;
    int particles;
    double seconds;  ///< CPU, one step
    const char* reached;
};
constexpr Peer kPeers[] = {
    {"SCoPI, accelerated gradient, 1e-3 (dt 0.05)", 1000, 1.5, "linearised violation 2e-7"},
    {"SCoPI, accelerated gradient, 1e-3 (dt 0.05)", 8000, 26.5, "linearised violation 2e-7"},
    {"SCoPI, accelerated gradient, 1e-3 (dt 0.05)", 64000, 658.0, "linearised violation 2e-7"},
    {"Chrono multicore APGD, 1000 iterations", 1000, 0.17, "natural map 1e-8 m/s"},
    {"Chrono multicore APGD, 1000 iterations", 8000, 2.4, "natural map 6e-7 m/s"},
    {"Chrono multicore APGD, 50 iterations", 1000, 0.015, "natural map 6e-4 m/s"},
    {"Chrono multicore APGD, 50 iterations", 8000, 0.14, "natural map 1e-3 m/s"},
    {"Chrono multicore APGD, 50 iterations", 64000, 1.9, "natural map 2e-3 m/s"},
    {"Chrono core PSOR, 50 iterations", 1000, 0.033, "natural map 9e-4 m/s"},
    {"Chrono core PSOR, 50 iterations", 8000, 0.4, "natural map 1e-3 m/s"},
    {"Chrono core PSOR, 50 iterations", 64000, 4.0, "natural map 2e-3 m/s"},
};

void print_peers(const Options& options, int particles) {
    const auto same_size = [&](const Peer& peer) { return peer.particles == particles; };
    if (std::none_of(std::begin(kPeers), std::end(kPeers), same_size)) return;
    for (const Peer& peer : kPeers) {
        if (!same_size(peer)) continue;
        fmt::print("{:<12} {:<46} {:>8} {:>10.0f} ms a step, {}\n", "peer", peer.code, peer.particles,
                   1e3 * peer.seconds, peer.reached);
    }
    fmt::print(
        "{:<12} One step of {}, CPU time of one thread of a busy 2-core Zen 4 machine, +- 30 %; overlaps at "
        "the start become speed there.\n",
        "", options.data.empty() ? "other packings of as many spheres (--data)" : "the packings of --data");
}

void reach_goals(const Options& options, const TwoSteps& steps, const std::string& solver) {
    if (solver_kind(solver) == SolverKind::uzawa) {
        if (steps.start.particles.size() > kLargestForUzawa) return;
        measure_two_steps(options, steps, solver, {.residual = 1e-2});
        return;
    }
    for (const double residual : {1e-2, 1e-3, 1e-6}) {
        measure_two_steps(options, steps, solver, {.residual = residual});
    }
    measure_two_steps(options, steps, solver, {.natural_map = 1e-6});
}

}  // namespace

// The first two steps from rest of a packing whose overlaps were moved away by position.
void bench_packings(const Options& options, int particles) {
    Box box = box_of(options, particles);
    bring_to_rest(box.system);
    const TwoSteps steps{"packings", box.system, kMargin};
    for (const int threads : options.threads) {
        set_thread_count(threads);
        for (const std::string& solver : options.solvers) reach_goals(options, steps, solver);
    }
    print_peers(options, particles);
}

}  // namespace talus::bench
