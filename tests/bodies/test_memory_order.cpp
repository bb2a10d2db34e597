#include "talus/bodies/memory_order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "talus/bodies/particles.hpp"
#include "talus/core/random.hpp"

using namespace talus;

namespace {

constexpr int kSide = 8;

/// A cube of touching balls, kSide of them along each edge, in random order.
Particles shuffled_cube() {
    Particles p;
    for (ParticleId id = 0; id < kSide * kSide * kSide; ++id) {
        const Vec3 place(id % kSide, id / kSide % kSide, id / (kSide * kSide));
        p.add({id, 2.0 * place, Vec3::Zero(), 1.0, 1.0});
    }
    std::vector<double> draw;
    for (ParticleId id : p.id) draw.push_back(Random(1, static_cast<std::uint64_t>(id)).uniform());
    std::vector<Index> order = id_order(p.id);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return draw[a] < draw[b]; });
    p.arrange(order);
    return p;
}

/// Mean distance of balls of the cube that are neighbours in memory [diameters].
double mean_jump(const Particles& p) {
    double sum = 0.0;
    for (std::size_t k = 1; k < p.id.size(); ++k) sum += 0.5 * (p.position[k] - p.position[k - 1]).norm();
    return sum / static_cast<double>(p.id.size() - 1);
}

}  // namespace

TEST_CASE("along the curve neighbours in memory are near each other, also beside a giant or a runaway") {
    // Steps of the Morton curve are sqrt(1 + 1/4 + ...) or so long on average; a random pair is kSide / 2
    // apart.
    Particles p = shuffled_cube();
    CHECK(mean_jump(p) > 0.5 * kSide);
    for (const char* beside : {"nothing", "giant", "runaway"}) {
        CAPTURE(beside);
        Particles more = p;
        if (std::string(beside) == "giant") more.add({1000, {-200.0, 0.0, 0.0}, Vec3::Zero(), 100.0, 1.0});
        if (std::string(beside) == "runaway") more.add({1000, {1e12, 0.0, 0.0}, Vec3::Zero(), 1.0, 1.0});
        more.arrange(curve_order(more));
        std::vector<std::uint8_t> remove;
        for (const ParticleId id : more.id) remove.push_back(id == 1000);
        more.remove(remove);
        CHECK(mean_jump(more) < 2.0);
    }
    CHECK(curve_order(Particles{}).empty());
}
