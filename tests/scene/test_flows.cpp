#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "scene/scene_text.hpp"
#include "support/overlap.hpp"
#include "talus/scene/simulation.hpp"

/// Whole runs of scenes as a user writes them.

using namespace talus;

namespace {

double overlap_now(const Simulation& simulation) {
    const System& system = simulation.system();
    return test::worst_overlap(system.particles.position, system.particles.radius, system.walls, system.time);
}

/// Largest x + r of all discs.
double front(const Simulation& simulation) {
    const Particles& discs = simulation.system().particles;
    double x = -1e300;
    for (std::size_t i = 0; i < discs.radius.size(); ++i)
        x = std::max(x, discs.position[i].x() + discs.radius[i]);
    return x;
}

}  // namespace

TEST_CASE("500 discs run out of a hopper to the last one, and none leaves but through the orifice") {
    Simulation simulation(scene_text::read(R"(dimension = 2
gravity = [0.0, -9.81]
time = { step = 5e-3, end = 8.0 }
[[wall]]
kind = "hopper"
name = "hopper"
shape = "wedge"
outlet = [0.0, 0.0]
outlet_width = 0.8
width = 3.0
half_angle_deg = 30.0
bin_height = 3.0
opens = 0.5
[[particles]]
kind = "random"
region = { kind = "hopper", wall = "hopper" }
count = 500
radius = { kind = "uniform", low = 0.045, high = 0.055 }
density = 1000.0
[[outlet]]
high = [inf, -0.5]
)"));
    const double orifice_side = 0.4;
    while (!simulation.finished() && simulation.system().particles.size() > 0) {
        simulation.advance();
        const Particles& discs = simulation.system().particles;
        CHECK(discs.size() + simulation.removed_by_outlet()[0] == 500);
        if (simulation.system().step % 10 != 0) continue;
        CAPTURE(simulation.system().time);
        CHECK(overlap_now(simulation) <= 1e-4);
        for (const Vec3& x : discs.position) {
            // Inside the funnel or the bin above the outlet; below it whatever came through it, fanning out.
            const double side = x.y() > 0.0 ? orifice_side + x.y() * std::tan(30.0 * 0.017453292519943295)
                                            : orifice_side - 2.0 * x.y();
            CHECK(std::abs(x.x()) <= std::min(1.5, side));
        }
    }
    CHECK(simulation.removed_by_outlet()[0] == 500);
}

TEST_CASE("refilling a full box skips blocked places, says what was asked for and overlaps nothing") {
    Simulation simulation(scene_text::read(R"(dimension = 3
gravity = [0.0, 0.0, -9.81]
time = { step = 2e-3, end = 1.2 }
[[wall]]
kind = "box"
low = [0.0, 0.0, 0.0]
high = [0.3, 0.3, 0.3]
[[inlet]]
name = "refill"
region = { kind = "box", low = [0.0, 0.0, 0.0], high = [0.3, 0.3, 0.3] }
radius = { kind = "uniform", low = 0.024, high = 0.03 }
density = 1000.0
rate = 1000.0
)"));
    while (!simulation.finished()) {
        simulation.advance();
        if (simulation.system().step % 20 == 0) CHECK(overlap_now(simulation) <= 1e-4);
    }
    const auto inside = simulation.system().particles.size();
    CHECK(simulation.created_by_inlet()[0] == inside);
    CHECK(simulation.asked_of_inlet()[0] ==
          1199);  // number n is due at n ms; the last step starts at 1.198 s
    double solid = 0.0;
    for (const double r : simulation.system().particles.radius) solid += 4.18879020478639 * r * r * r;
    CHECK(solid / 0.027 > 0.40);  // it is full,
    CHECK(solid / 0.027 < 0.64);  // but no fuller than spheres can be
}

TEST_CASE("radii that grow tenfold meet the same neighbours by every broad phase, whatever the skin") {
    const auto run = [](const std::string& broad_phase, const std::string& skin) {
        Simulation simulation(
            scene_text::read(R"(dimension = 3
time = { step = 1e-2, end = 1.0 }
[[group]]
name = "growing"
radius_scale = { kind = "ramp", rate = 9.0 }
[[particles]]
kind = "random"
region = { kind = "box", low = [0, 0, 0], high = [1, 1, 1] }
count = 200
radius = { kind = "uniform", low = 5e-3, high = 8e-3 }
density = 1000.0
group = "growing"
)",
                             {"broad_phase.kind=" + broad_phase, "broad_phase.skin=" + skin}));
        while (!simulation.finished()) {
            simulation.advance();
            CHECK(overlap_now(simulation) <= 1e-4);
        }
        return simulation.system().particles.position;
    };
    const auto expected = run("brute_force", "0");
    for (const char* kind : {"cell_grid", "kd_tree", "r_tree"}) CHECK(run(kind, "0") == expected);
    const auto skinned = run("cell_grid", "0.5");
    double apart = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        apart = std::max(apart, (skinned[i] - expected[i]).norm());
    CHECK(apart < 1e-3);  // another order of contacts, so equal to the solver's tolerance
}

TEST_CASE("the front of a column without friction stays behind Ritter's and is faster than a falling layer") {
    const double lift = 0.4;
    Simulation simulation(read_scene(std::string(TALUS_SOURCE_DIR) + "/scenes/collapse_2d.toml",
                                     {"parameters.count=400", "time.end=0.9"}));
    double width = 0.0, height = 0.0, speed = 0.0;
    while (!simulation.finished()) {
        const double before = front(simulation);
        simulation.advance();
        const double time = simulation.system().time;
        if (time <= lift) {
            width = front(simulation);
            height = 0.0;
            for (const Vec3& x : simulation.system().particles.position) height = std::max(height, x.y());
        }
        // Ritter 1892: a dry dam break runs at 2 sqrt(g H).
        CHECK(front(simulation) <=
              width + 2.0 * std::sqrt(9.81 * height) * std::max(0.0, time - lift) + 1e-9);
        speed = (front(simulation) - before) / 1e-3;
    }
    CHECK(speed > std::sqrt(9.81 * height));
}
