#include "talus/scene/traffic.hpp"

#include <doctest/doctest.h>

using namespace talus;

namespace {

struct Line {
    Scene scene;
    System system;
    Notices notices;

    explicit Line(const std::vector<double>& heights) {
        system.groups.push_back({.name = "default"});
        for (double z : heights) add(z);
    }
    void add(double z) { system.particles.add({next_id++, {0.0, 0.0, z}, Vec3::Zero(), 0.1, 2.0}); }
    void move(std::size_t i, double z) { system.particles.position[i].z() = z; }
    ParticleId next_id = 0;
};

Counter downward(double height) {
    return {.name = "gate", .point = {0.0, 0.0, height}, .normal = {0.0, 0.0, -1.0}};
}

}  // namespace

TEST_CASE("a particle is counted once, on its first crossing along the normal") {
    Line line({1.0, -1.0});  // above and below the plane z = 0, which counts what falls
    line.scene.counters.push_back(downward(0.0));
    Traffic traffic(line.scene, line.system);
    const auto counted_after = [&](double first, double second) {
        line.move(0, first);
        line.move(1, second);
        traffic.book(line.system, line.notices);
        return traffic.counted()[0];
    };
    CHECK(counted_after(0.5, -2.0) == 0);
    CHECK(counted_after(-0.1, -2.0) == 1);  // the first falls through
    CHECK(counted_after(0.1, 0.5) == 1);    // both go up: against the normal
    CHECK(counted_after(-0.1, 0.5) == 1);   // the first falls again: counted already
    CHECK(counted_after(-0.1, -0.5) == 2);  // the second, which began below, falls through for the first time
}

TEST_CASE("a particle that crosses a plane and leaves in the same step is counted by both") {
    Line line({1.0, 2.0});
    line.scene.counters.push_back(downward(0.0));
    line.scene.outlets.push_back({"drain", Vec3::Constant(-1e9), {1e9, 1e9, -0.5}});
    Traffic traffic(line.scene, line.system);
    line.move(0, -1.0);
    const std::vector<std::uint8_t> removed = traffic.book(line.system, line.notices);
    CHECK(removed == std::vector<std::uint8_t>{1, 0});
    CHECK(traffic.counted()[0] == 1);
    CHECK(traffic.removed_by_outlet()[0] == 1);
    CHECK(traffic.mass_removed_by_outlet()[0] == 2.0);
    CHECK(traffic.mass_counted()[0] == 2.0);

    line.system.particles.remove(removed);
    traffic.forget_removed();
    line.add(3.0);
    traffic.particles_added(line.system);
    line.move(0, -0.1);  // id 1, second before
    line.move(1, -0.1);  // id 2, new
    traffic.book(line.system, line.notices);
    CHECK(traffic.counted()[0] == 3);
    CHECK(traffic.mass_counted()[0] == 6.0);
    CHECK(traffic.removed_by_outlet()[0] == 1);
}

TEST_CASE("where outlets overlap a particle is removed by the first of them alone") {
    Line line({1.0});
    line.scene.outlets.push_back({"a", Vec3::Constant(-9.0), Vec3::Constant(9.0)});
    line.scene.outlets.push_back({"b", Vec3::Constant(-9.0), Vec3::Constant(9.0)});
    Traffic traffic(line.scene, line.system);
    traffic.book(line.system, line.notices);
    CHECK(traffic.removed_by_outlet() == std::vector<std::int64_t>{1, 0});
}

TEST_CASE("an escape is reported once and removed only where the scene says so") {
    for (const EscapePolicy policy : {EscapePolicy::report, EscapePolicy::remove}) {
        Line line({0.0, 1.0});
        line.scene.domain = {Vec3::Constant(-10.0), Vec3::Constant(10.0)};
        line.scene.escape_policy = policy;
        Traffic traffic(line.scene, line.system);
        line.move(1, 1e7);
        const bool remove = policy == EscapePolicy::remove;
        CHECK(traffic.book(line.system, line.notices)[1] == (remove ? 1 : 0));
        CHECK(traffic.escaped() == 1);
        CHECK(traffic.removed_as_escaped() == (remove ? 1 : 0));
        CHECK(line.notices.take().size() == 1);
        if (remove) continue;
        traffic.book(line.system, line.notices);
        CHECK(traffic.escaped() == 1);
        CHECK(line.notices.take().empty());
    }
}

TEST_CASE("without a domain a particle is reported when it is a thousand times the scene's size away") {
    Line line({0.0, 1.0});  // radii 0.1: the scene is 1.2 m high
    line.scene.escape_policy = EscapePolicy::remove;
    Traffic traffic(line.scene, line.system);
    line.move(1, 1000.0);
    traffic.book(line.system, line.notices);
    CHECK(traffic.escaped() == 0);
    line.move(1, 1300.0);
    CHECK(traffic.book(line.system, line.notices)[1] == 0);
    CHECK(traffic.escaped() == 1);
}

TEST_CASE("an empty scene has no far away") {
    Line line({});
    Traffic traffic(line.scene, line.system);
    line.add(1e9);
    traffic.particles_added(line.system);
    CHECK(traffic.book(line.system, line.notices)[0] == 0);
    CHECK(traffic.escaped() == 0);
}

TEST_CASE("of each kind of notice the 1st, 10th, 100th, ... is kept") {
    Notices notices;
    for (int k = 1; k <= 1234; ++k) notices.add("loud", "again");
    notices.add("rare", "once");
    const std::vector<std::string> texts = notices.take();
    REQUIRE(texts.size() == 5);
    CHECK(texts[0] == "again");
    CHECK(texts[3].find("number 1000") != std::string::npos);
    CHECK(texts[4] == "once");
    CHECK(notices.take().empty());
}
