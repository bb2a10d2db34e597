#include <cmath>

#include "stages.hpp"
#include "talus/broadphase/broad_phase.hpp"
#include "talus/core/parallel.hpp"
#include "talus/core/random.hpp"

namespace talus::bench {

namespace {

struct Balls {
    std::vector<Vec3> centre;
    std::vector<double> size;
};

// Spheres of radius 1 at random in a cube, at the number density of a packing of solid fraction 0.6.
Balls crowd(int count) {
    Balls balls;
    const double edge = std::cbrt(count * 4.18879 / 0.6);
    for (int k = 0; k < count; ++k) {
        Random draw(7, static_cast<std::uint64_t>(k));
        balls.centre.emplace_back(draw.uniform(0, edge), draw.uniform(0, edge), draw.uniform(0, edge));
        balls.size.push_back(1.05);
    }
    return balls;
}

void measure_phase(const Options& options, BroadPhaseKind kind, const char* name, const Balls& balls) {
    for (const int threads : options.threads) {
        set_thread_count(threads);
        const auto phase = make_broad_phase(kind);
        std::vector<Pair> pairs;
        Row row;
        row.stage = "broad_phase";
        row.variant = name;
        row.bodies = static_cast<Index>(balls.centre.size());
        row.threads = threads;
        row.time = repeat(
            options.repeats, [] {}, [&] { phase->find(balls.centre, balls.size, pairs); });
        row.items = static_cast<std::int64_t>(pairs.size());
        row.hash = 1469598103934665603ULL;
        for (const Pair& p : pairs)
            row.hash =
                (row.hash ^ (static_cast<std::uint64_t>(p.i) << 32 | static_cast<std::uint32_t>(p.j))) *
                1099511628211ULL;
        print(options, row);
    }
}

}  // namespace

void bench_broad_phase(const Options& options, int particles) {
    Balls balls = crowd(particles);
    measure_phase(options, BroadPhaseKind::cell_grid, "cell_grid", balls);
    measure_phase(options, BroadPhaseKind::kd_tree, "kd_tree", balls);
    measure_phase(options, BroadPhaseKind::r_tree, "r_tree", balls);
    balls.centre.push_back(Vec3::Constant(-50.0));
    balls.size.push_back(100.0);
    measure_phase(options, BroadPhaseKind::cell_grid, "cell_grid one giant", balls);
    balls.centre.back() = Vec3::Constant(1e7);
    balls.size.back() = 1.05;
    measure_phase(options, BroadPhaseKind::cell_grid, "cell_grid far flyer", balls);
    balls.centre.pop_back();
    balls.size.pop_back();
    for (std::size_t k = 0; k < balls.size.size(); ++k) {
        balls.size[k] = 0.3 * std::pow(100.0, Random(8, k).uniform()) / 10.0;
    }
    measure_phase(options, BroadPhaseKind::cell_grid, "cell_grid 1:100", balls);
}

}  // namespace talus::bench
