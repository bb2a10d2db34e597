#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "scene/scene_text.hpp"
#include "support/keep_threads.hpp"
#include "talus/core/parallel.hpp"
#include "talus/core/random.hpp"
#include "talus/io/frame.hpp"
#include "talus/scene/simulation.hpp"
#include "talus/scene/traffic.hpp"

/// Runs whose particles are arranged anew while they go on, beside runs whose particles stay where they were.

using namespace talus;

namespace {

constexpr Index kNever = std::numeric_limits<Index>::max();
constexpr Index kOften = 8;

/// Discs on a floor, in random order, with more of them raining down; those that pass x = 0.25 leave.
Scene rain_on_a_heap(Index near_in_memory) {
    Scene scene = scene_text::read(R"(dimension = 2
gravity = [1.0, -9.81]
time = { step = 2e-3, end = 0.16 }
solver = { tolerance = 1e-11, overlap_tolerance = 1e-10 }
[[wall]]
kind = "box"
low = [-0.2, 0.0]
high = [1.0, 1.0]
[[inlet]]
name = "rain"
region = { kind = "box", low = [-0.2, 0.3], high = [0.2, 0.4] }
radius = 0.006
density = 1000.0
rate = 300.0
velocity = [0.0, -1.0]
[[counter]]
name = "fall"
point = [0.0, 0.25]
normal = [0.0, -1.0]
[[outlet]]
name = "drain"
low = [0.25, -inf]
high = [inf, inf]
)");
    std::vector<int> place(240);
    for (int k = 0; k < 240; ++k) place[k] = k;
    std::sort(place.begin(), place.end(), [](int a, int b) {
        return Random(1, static_cast<std::uint64_t>(a)).bits() <
               Random(1, static_cast<std::uint64_t>(b)).bits();
    });
    for (const int k : place) {
        const double x = -0.19 + 0.0202 * (k % 20) + 0.001 * (k / 20 % 2), y = 0.011 + 0.0202 * (k / 20);
        scene.particles.emplace_back(ListedParticle{.position = {x, y, 0.0}, .radius = 0.01, .mass = 1.0});
    }
    scene.step.near_in_memory = near_in_memory;
    return scene;
}

Frame frame_of(const Simulation& simulation) {
    Frame frame;
    frame.take(simulation.system(), simulation.contacts(), 2e-3, false);
    return frame;
}

/// Largest gap between two discs of a frame whose contact carries more than a hundredth of a weight [m].
double largest_gap(const Frame& frame) {
    double largest = 0.0;
    for (const Frame::Touch& touch : frame.touches) {
        if (touch.second < 0 || touch.force < 0.1) continue;
        const auto i = static_cast<std::size_t>(touch.first), j = static_cast<std::size_t>(touch.second);
        const double distance = (frame.position[i] - frame.position[j]).norm();
        largest = std::max(largest, distance - frame.radius[i] - frame.radius[j]);
    }
    return largest;
}

}  // namespace

TEST_CASE("with inlet, outlet and counter, particles arranged anew move, leave and are written as if not") {
    Simulation kept(rain_on_a_heap(kNever)), arranged(rain_on_a_heap(kOften));
    while (!kept.finished()) {
        kept.advance();
        arranged.advance();
        REQUIRE(arranged.counted() == kept.counted());
        REQUIRE(arranged.removed_by_outlet() == kept.removed_by_outlet());
        REQUIRE(arranged.created_by_inlet() == kept.created_by_inlet());
        const Frame expected = frame_of(kept), frame = frame_of(arranged);
        REQUIRE(frame.id == expected.id);
        REQUIRE(std::is_sorted(frame.id.begin(), frame.id.end()));
        double apart = 0.0;
        for (std::size_t i = 0; i < frame.id.size(); ++i) {
            apart = std::max(apart, (frame.position[i] - expected.position[i]).norm());
        }
        CHECK(apart < 1e-6);
        CHECK(frame.radius == expected.radius);
        CHECK(frame.mass == expected.mass);
        CHECK(frame.touches.empty() == expected.touches.empty());
        CHECK(largest_gap(frame) < 1e-3);  // discs that slide past each other part by (h u)^2/4r
    }
    CHECK_FALSE(std::is_sorted(arranged.system().particles.id.begin(), arranged.system().particles.id.end()));
    CHECK(std::is_sorted(kept.system().particles.id.begin(), kept.system().particles.id.end()));
    CHECK(kept.removed_by_outlet()[0] > 3);
    CHECK(kept.counted()[0] > 3);
    CHECK(!frame_of(kept).touches.empty());
}

TEST_CASE("1, 2, 3 and 8 threads arrange alike: order and motion have the same bits") {
    Scene scene = rain_on_a_heap(kOften);
    scene.step.solver = {};  // to the usual tolerance: eight threads on fewer processors are slow
    scene.end = 0.04;
    const KeepThreads keep;
    std::vector<Particles> ends;
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        set_small_loop(1);
        Simulation simulation(scene);
        while (!simulation.finished()) simulation.advance();
        ends.push_back(simulation.system().particles);
    }
    CHECK_FALSE(std::is_sorted(ends.front().id.begin(), ends.front().id.end()));
    for (const Particles& end : ends) {
        CHECK(end.id == ends.front().id);
        CHECK(end.position == ends.front().position);
        CHECK(end.velocity == ends.front().velocity);
    }
}

TEST_CASE("a particle that has escaped or was counted is not reported again after it has changed its place") {
    Scene scene;
    scene.counters.push_back({.name = "gate", .point = Vec3::Zero(), .normal = -Vec3::UnitZ()});
    scene.domain.low.z() = -1.0;
    System system;
    system.groups.push_back({.name = "default"});
    for (ParticleId id = 0; id < 3; ++id) system.particles.add({id, {0, 0, 1}, Vec3::Zero(), 0.1, 1.0});
    Notices notices;
    Traffic traffic(scene, system);
    system.particles.position[0].z() = -2.0;  // passes the gate and escapes
    system.particles.position[1].z() = -0.5;  // passes the gate
    traffic.book(system, notices);
    for (int round = 0; round < 2; ++round) {
        const std::vector<Index> order = {2, 0, 1};
        system.particles.arrange(order);
        traffic.arrange(order);
        traffic.book(system, notices);
        CHECK(traffic.escaped() == 1);
        CHECK(traffic.counted()[0] == 2);
        CHECK(traffic.any_behind(0, system));
    }
}
