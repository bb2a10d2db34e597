#include "talus/scene/simulation.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "scene/scene_text.hpp"
#include "talus/core/error.hpp"
#include "talus/geometry/shapes.hpp"
#include "talus/measure/walls.hpp"

using namespace talus;

namespace {

/// A ball above a floor.
Scene ball_scene() {
    Scene scene;
    scene.path = "ball.toml";
    scene.groups.push_back({.name = "default"});
    scene.gravity[2] = Schedule::constant(-10.0);
    scene.end = 1.0;
    scene.step.time_step = 0.01;
    scene.particles.emplace_back(ListedParticle{.position = {0.0, 0.0, 1.0}, .radius = 0.1, .mass = 1.0});
    Wall floor;
    floor.name = "floor";
    floor.shape = make_half_space(Vec3::Zero(), Vec3::UnitZ());
    scene.walls.push_back(floor);
    return scene;
}

Inlet rain() {
    Inlet inlet;
    inlet.name = "rain";
    inlet.region.low = {-1.0, -1.0, 2.0};
    inlet.region.high = {1.0, 1.0, 3.0};
    inlet.radius.mean = 0.05;
    inlet.density = 1000.0;
    inlet.rate = 200.0;
    return inlet;
}

}  // namespace

TEST_CASE("a run has end/step steps, rounded up, and rounding of decimals is no step") {
    CHECK(count_steps(1.0, 0.01) == 100);
    CHECK(count_steps(0.3, 0.1) == 3);  // 0.3 / 0.1 < 3 in doubles
    CHECK(count_steps(0.7, 0.1) == 7);  // 0.7 / 0.1 > 6.99..
    CHECK(count_steps(1.001, 0.01) == 101);
    CHECK(count_steps(1e-3, 1.0) == 1);
    CHECK(count_steps(1e4, 1e-4) == 100000000);
}

TEST_CASE("time does not drift, whatever the number of steps") {
    Scene scene = ball_scene();
    scene.step.time_step = 0.1;
    scene.end = 100.0;
    Simulation simulation(scene);
    while (!simulation.finished()) {
        simulation.advance();
        const System& system = simulation.system();
        REQUIRE(system.time == static_cast<double>(system.step) / 10.0);
    }
    CHECK(simulation.system().step == 1000);
    CHECK(simulation.summary().steps == 1000);
}

TEST_CASE("created = inside + removed after every step, with inlet, outlet and escapes") {
    Scene scene = ball_scene();
    scene.walls.clear();
    scene.inlets.push_back(rain());
    scene.outlets.push_back({"drain", {0.0, -1e9, -1e9}, {1e9, 1e9, 0.0}});
    scene.domain.low.z() = -0.5;
    scene.escape_policy = EscapePolicy::remove;
    scene.counters.push_back({.name = "half", .point = {0.0, 0.0, 1.5}, .normal = {0.0, 0.0, -1.0}});
    Simulation simulation(scene);
    std::int64_t counted = 0;
    while (!simulation.finished()) {
        simulation.advance();
        const RunSummary& s = simulation.summary();
        REQUIRE(s.created == s.inside + s.removed());
        REQUIRE(s.inside == simulation.system().particles.size());
        REQUIRE(simulation.counted()[0] >= counted);
        counted = simulation.counted()[0];
        for (const Contact& contact : simulation.contacts()) {
            REQUIRE(contact.i < s.inside);
            REQUIRE(contact.j < s.inside);
        }
    }
    const RunSummary& s = simulation.summary();
    CHECK(simulation.created_by_inlet()[0] == 199);  // number k at k / 200 s, the last step starts at 0.99 s
    CHECK(s.created == 200);
    CHECK(s.removed_by_outlets == simulation.removed_by_outlet()[0]);
    CHECK(s.removed_by_outlets > 0);
    CHECK(s.removed_as_escaped > 0);
    CHECK(s.escaped == s.removed_as_escaped);
}

TEST_CASE(
    "what a particle gave a wall in the step after which it was removed is among the contacts of the step") {
    Scene scene = ball_scene();
    scene.outlets.push_back({"drain", Vec3::Constant(-1e9), {1e9, 1e9, 0.101}});
    Simulation simulation(scene);
    double height = 0.0, speed = 0.0;  // before the step
    while (simulation.summary().removed() == 0) {
        REQUIRE_FALSE(simulation.finished());
        height = simulation.system().particles.position[0].z();
        speed = simulation.system().particles.velocity[0].z();
        simulation.advance();
    }
    CHECK(simulation.contacts().empty());
    REQUIRE(simulation.contacts_of_step().size() == 1);
    // In a step of 0.01 s the ball of 1 kg fell to the floor, on which its centre is at 0.1 m.
    const double speed_after = (0.1 - height) / 0.01;
    const double force = wall_forces(simulation.system(), simulation.contacts_of_step(), 0.01)[0].z();
    CHECK(force < 0.0);
    CHECK(force == doctest::Approx((speed - speed_after) / 0.01 - 10.0).epsilon(1e-6));
}

TEST_CASE("ids are never used again, also when the last particle was removed") {
    Scene scene = ball_scene();
    scene.walls.clear();
    Inlet inlet = rain();
    inlet.rate = 1.0;
    inlet.from = 0.9;
    scene.inlets.push_back(inlet);
    scene.outlets.push_back({"drain", Vec3::Constant(-1e9), {1e9, 1e9, 0.9}});
    Simulation simulation(scene);
    while (!simulation.finished()) simulation.advance();
    REQUIRE(simulation.system().particles.size() == 1);
    CHECK(simulation.system().particles.id[0] == 1);
}

TEST_CASE("a flier 1e7 m away is reported once and changes nothing for the others") {
    Scene scene = ball_scene();
    const auto fall = [](Scene s) {
        Simulation simulation(s);
        while (!simulation.finished()) simulation.advance();
        return simulation.system().particles.position[0];
    };
    const Vec3 alone = fall(scene);
    scene.particles.emplace_back(
        ListedParticle{.position = {5.0, 0.0, 5.0}, .velocity = {1e9, 0.0, 1e9}, .radius = 0.1, .mass = 1.0});
    CHECK(fall(scene) == alone);
    Simulation simulation(scene);
    int escapes = 0;
    while (!simulation.finished()) {
        simulation.advance();
        for (const std::string& text : simulation.take_messages()) {
            escapes += text.find("has left the surroundings") != std::string::npos ? 1 : 0;
        }
    }
    CHECK(escapes == 1);
    CHECK(simulation.summary().escaped == 1);
    CHECK(simulation.system().particles.position[1].x() > 9e8);
}

TEST_CASE("overlap at the start is refused with the ids, or resolved without becoming speed") {
    Scene scene = ball_scene();
    scene.gravity[2] = Schedule::constant(0.0);
    scene.particles.emplace_back(ListedParticle{.position = {0.15, 0.0, 1.0}, .radius = 0.1, .mass = 1.0});
    CHECK_THROWS_WITH_AS(Simulation{scene}, doctest::Contains("1 overlapping pair"), InputError);
    scene.overlap_policy = OverlapPolicy::resolve;
    Simulation simulation(scene);
    const std::vector<std::string> messages = simulation.take_messages();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].find("resolved") != std::string::npos);
    while (!simulation.finished()) simulation.advance();
    const Particles& p = simulation.system().particles;
    CHECK((p.position[1] - p.position[0]).norm() >= 0.2 * (1.0 - 1e-9));
    CHECK(std::abs(0.5 * (p.position[0] + p.position[1]).x() - 0.075) < 1e-12);
    // The overlap that is left, 1e-9 radii, may become speed once.
    CHECK(p.velocity[0].norm() < 1e-9 * 0.1 / 0.01);
}

TEST_CASE("two centres in one place are refused also when overlaps are to be resolved") {
    Scene scene = ball_scene();
    scene.particles.push_back(scene.particles.front());
    scene.overlap_policy = OverlapPolicy::resolve;
    CHECK_THROWS_WITH_AS(Simulation{scene}, doctest::Contains("same place"), InputError);
}

TEST_CASE("a step that can not be made leaves the state before it, with contacts that fit") {
    Scene scene = ball_scene();
    scene.groups[0].radius_scale = Schedule::ramp(1.0, 1.0);
    Wall ceiling;
    ceiling.name = "ceiling";
    ceiling.shape = make_half_space({0.0, 0.0, 0.3}, -Vec3::UnitZ());
    scene.walls.push_back(ceiling);
    scene.particles = {ListedParticle{.position = {0.0, 0.0, 0.15}, .radius = 0.1, .mass = 1.0}};
    Simulation simulation(scene);
    const auto run = [&] {
        while (!simulation.finished()) simulation.advance();
    };
    CHECK_THROWS_WITH_AS(run(), doctest::Contains("jammed"), StateError);
    const System& system = simulation.system();
    CHECK(system.time == doctest::Approx(0.5));  // 0.1 (1 + t) = 0.15
    CHECK(system.particles.radius[0] == doctest::Approx(0.15));
    CHECK(simulation.contacts().size() == 2);
}

TEST_CASE("columns of a file that are not read are named once") {
    const scene_text::Folder folder;
    folder.write("grains.csv", "x,y,z,radius,mass,vel_x\n0,0,0,0.1,1,5\n");
    const std::string file = folder.write("scene.toml", "dimension = 3\n" + scene_text::time_section +
                                                            "[[particles]]\nkind = \"file\"\n"
                                                            "path = \"grains.csv\"\n");
    Simulation simulation(read_scene(file));
    const std::vector<std::string> messages = simulation.take_messages();
    REQUIRE(messages.size() == 1);
    CHECK(scene_text::holds(messages[0], {"grains.csv", "columns not read: vel_x"}));
    CHECK(simulation.take_messages().empty());
}

TEST_CASE("a scene that is a device is refused, though it could be read for ever") {
    CHECK_THROWS_AS(read_scene("/dev/zero"), InputError);
}
