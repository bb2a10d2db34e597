#include "talus/scene/stop_conditions.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "scene/refusals.hpp"
#include "talus/core/parallel.hpp"
#include "talus/scene/describe_scene.hpp"
#include "talus/scene/simulation.hpp"

using namespace talus;
using namespace scene_text;

namespace {

constexpr double kStep = 1e-3;     // of all scenes here [s]
constexpr double kGravity = 10.0;  // [m/s^2]

/// The first line is the time; two dimensions, y is up.
const std::string falling = "dimension = 2\ngravity = [0.0, -10.0]\ntime = { step = 1e-3, end = 2.0 }\n";
const std::string weightless = "dimension = 2\ntime = { step = 1e-3, end = 0.2 }\n";
const std::string floor_wall = "[[wall]]\nkind = \"plane\"\nnormal = [0, 1]\n";

std::string disc(const std::string& position, const std::string& more, double radius = 0.1) {
    return "[[particles]]\nkind = \"sphere\"\nposition = " + position +
           "\nradius = " + std::to_string(radius) + "\nmass = 1.0\n" + more;
}

std::string at_rest(double energy, double time) {
    return "[stop]\nat_rest = { energy = " + std::to_string(energy) + ", time = " + std::to_string(time) +
           " }\n";
}

std::string jammed(const std::string& name, double time) {
    return "[stop]\njammed = { counter = \"" + name + "\", time = " + std::to_string(time) + " }\n";
}

struct Ending {
    double time = 0.0;   // [s]
    std::string reason;  // empty: the end of the scene
    double since() const { return std::stod(reason.substr(reason.find("since t = ") + 10)); }
    bool holds(const std::string& part) const { return reason.find(part) != std::string::npos; }
};

Ending run(const std::string& text) {
    Simulation simulation(read(text));
    while (!simulation.finished()) simulation.advance();
    return {simulation.system().time, simulation.stop_reason()};
}

/// A fall takes sqrt(2 H / g). In steps it is up to half a step shorter and then ends at the next step;
/// something more may begin or end one step later.
bool near(double time, double expected) {
    return time > expected - kStep && time < expected + 2.0 * kStep;
}

double fall_time(double height) {
    return std::sqrt(2.0 * height / kGravity);
}

/// A slot of 0.1 m in a floor at y = 0, with two discs of 0.4 m above it between walls.
const std::string slot_and_big_discs =
    "[[wall]]\nkind = \"segment\"\nends = [[-0.25, 0.0], [-0.05, 0.0]]\n"
    "[[wall]]\nkind = \"segment\"\nends = [[0.05, 0.0], [0.25, 0.0]]\n"
    "[[wall]]\nkind = \"plane\"\npoint = [-0.25, 0.0]\nnormal = [1, 0]\n"
    "[[wall]]\nkind = \"plane\"\npoint = [0.25, 0.0]\nnormal = [-1, 0]\n" +
    disc("[0.0, 0.4]", "", 0.2) + disc("[0.02, 0.9]", "", 0.2);
const std::string fine_disc = disc("[0.0, 0.05]", "", 0.04);
const std::string below = "[[counter]]\nname = \"below\"\npoint = [0.0, -0.45]\nnormal = [0, -1]\n";

}  // namespace

TEST_CASE("a ball dropped with e = 0 is at rest from sqrt(2 H / g) on, and the run ends a while later") {
    const double height = 0.9, patience = 0.05;
    const Ending ending = run(falling + floor_wall + disc("[0.0, 1.0]", "") + at_rest(1e-6, patience));
    CAPTURE(ending.reason);
    CHECK(near(ending.since(), fall_time(height)));
    CHECK(ending.time == doctest::Approx(ending.since() + patience).epsilon(1e-12));
    CHECK(ending.holds("at rest, mean kinetic energy of a particle below 1e-06 J since t = 0.4"));
}

TEST_CASE("a ball thrown up is slow at the top: that is rest only where it lasts long enough") {
    // 1/2 m (g (t - v/g))^2 < 1/2 m w^2 for |t - v/g| < w/g
    const double speed = 5.0, slow = 1.0, top = speed / kGravity, half = slow / kGravity;
    const std::string thrown = falling + floor_wall + disc("[0.0, 1.0]", "velocity = [0.0, 5.0]\n");
    const Ending at_top = run(thrown + at_rest(0.5, 1.5 * half));
    CHECK(std::abs(at_top.since() - (top - half)) < 1.5 * kStep);
    CHECK(std::abs(at_top.time - (top + 0.5 * half)) < 1.5 * kStep);
    const Ending on_floor = run(thrown + at_rest(0.5, 2.5 * half));
    CHECK(near(on_floor.since(), top + fall_time(0.9 + speed * speed / (2.0 * kGravity))));
}

TEST_CASE("what turns on the spot is not at rest") {
    // 1/2 J omega^2 with J = 1/2 m r^2
    const double energy = 0.5 * 0.5 * 0.1 * 0.1 * 10.0 * 10.0;
    const std::string spinning = weightless + disc("[0.0, 0.0]", "angular_velocity = 10.0\n");
    CHECK(run(spinning + at_rest(0.99 * energy, 0.1)).reason.empty());
    const Ending ending = run(spinning + at_rest(1.01 * energy, 0.1));
    CHECK(ending.since() == 0.0);
    CHECK(ending.time == 0.1);
}

TEST_CASE("energy is a mean over the particles that can move, and without any there is no rest") {
    const std::string base = "[[group]]\nname = \"base\"\nfrozen = true\n";
    const std::string frozen =
        disc("[0.0, 3.0]", "group = \"base\"\n") + disc("[0.0, 4.0]", "group = \"base\"\n");
    const std::string moving = disc("[0.0, 1.0]", "velocity = [1.0, 0.0]\n") + disc("[0.0, 2.0]", "");
    const double mean = 0.5 * 0.5;  // 1/2 J of two particles
    CHECK(run(weightless + base + frozen + moving + at_rest(0.99 * mean, 0.1)).reason.empty());
    CHECK(run(weightless + base + frozen + moving + at_rest(1.01 * mean, 0.1)).time == 0.1);
    CHECK(run(weightless + base + frozen + at_rest(1.0, 0.1)).reason.empty());
}

TEST_CASE("a bin of three grains is empty when the last has fallen from where the gate held it") {
    // The step that ends when the gate opens is already without it.
    const double opens = 0.2 - kStep, top = 0.25, outlet = -1.0;
    const std::string bin = falling + floor_wall + "until = 0.2\n" + disc("[0.0, 0.05]", "", 0.05) +
                            disc("[0.0, 0.15]", "", 0.05) + disc("[0.0, 0.25]", "", 0.05) +
                            "[[outlet]]\nname = \"out\"\nhigh = [inf, -1.0]\n";
    const Ending ending = run(bin + "[stop]\nemptied = true\n");
    CAPTURE(ending.reason);
    CHECK(near(ending.time, opens + fall_time(top - outlet)));
    CHECK(ending.since() == ending.time);
    CHECK(ending.holds("emptied, no particle is left inside since t = "));
    CHECK(run(bin + "[stop]\nemptied = false\n").time == 2.0);
}

TEST_CASE("a base of frozen particles may stay in what is empty, but what was never filled is not emptied") {
    const std::string base =
        "[[group]]\nname = \"base\"\nfrozen = true\n" + disc("[1.0, 0.0]", "group = \"base\"\n");
    const std::string outlet = "[[outlet]]\nname = \"out\"\nhigh = [inf, -1.0]\n[stop]\nemptied = true\n";
    CHECK(near(run(falling + base + disc("[0.0, 0.0]", "") + outlet).time, fall_time(1.0)));
    CHECK(run(falling + base + outlet).reason.empty());
}

TEST_CASE("a scene is not emptied before its inlets have made their last particle, and at once after it") {
    const double fall = fall_time(1.0);
    const auto fed = [](const std::string& limits) {
        return falling + "[[inlet]]\nradius = 0.1\ndensity = 1.0\nrate = 2.0\nfrom = 0.1\n" + limits +
               "region = { kind = \"box\", low = [-1.0, -0.1], high = [1.0, 0.1] }\n"
               "[[outlet]]\nname = \"out\"\nhigh = [inf, -1.0]\n[stop]\nemptied = true\n";
    };
    CHECK(near(run(fed("count = 2\n")).time, 0.1 + 1.0 / 2.0 + fall));
    // Due at 0.1, 0.6 and no more: the next would be at 1.1.
    CHECK(near(run(fed("until = 1.09\n")).time, 0.1 + 1.0 / 2.0 + fall));
    CHECK(near(run(fed("until = 1.11\n")).time, 0.1 + 2.0 / 2.0 + fall));
    CHECK(run(fed("")).reason.empty());
    CHECK(run(fed("count = 0\n")).reason.empty());
    // One that leaves in the step in which it was made.
    CHECK(run(falling + "[[inlet]]\nradius = 0.1\ndensity = 1.0\ncount = 1\n"
                        "region = { kind = \"box\", low = [-0.1, -0.1], high = [0.1, 0.1] }\n"
                        "[[outlet]]\nname = \"out\"\nhigh = [inf, 1.0]\n[stop]\nemptied = true\n")
              .time == kStep);
    // At every step as many as find a place: the region is free again and again until it closes.
    const Ending closed = run(falling +
                              "[[inlet]]\nradius = 0.1\ndensity = 1.0\nuntil = 0.5\n"
                              "region = { kind = \"box\", low = [-0.1, -0.1], high = [0.1, 0.1] }\n"
                              "[[outlet]]\nname = \"out\"\nhigh = [inf, -0.05]\n[stop]\nemptied = true\n");
    CHECK(closed.time == doctest::Approx(0.5).epsilon(0.21));  // the last is made in the 0.1 s before
    CHECK(closed.time >= 0.5);
}

TEST_CASE("a slot narrower than the grains is jammed after the one fine grain that passes") {
    const double patience = 0.3;
    const double passes = fall_time(0.5);
    const Ending ending = run(falling + fine_disc + slot_and_big_discs + below + jammed("below", patience));
    CAPTURE(ending.reason);
    CHECK(near(ending.since(), passes));
    CHECK(ending.time == doctest::Approx(ending.since() + patience).epsilon(1e-12));
    CHECK(ending.holds("jammed, nothing has passed 'below' since t = 0.31"));
}

TEST_CASE("an outlet can be jammed as a counter can") {
    const double patience = 0.3;
    const Ending ending =
        run(falling + fine_disc + slot_and_big_discs + "[[outlet]]\nname = \"drain\"\nhigh = [inf, -0.45]\n" +
            jammed("drain", patience));
    CHECK(near(ending.since(), fall_time(0.5)));
    CHECK(ending.holds("nothing has passed 'drain'"));
}

TEST_CASE("nothing is jammed where nothing has passed yet, or where all has passed, or has left") {
    CHECK(run(falling + slot_and_big_discs + below + jammed("below", 0.1)).reason.empty());
    const std::string deep_floor = "[[wall]]\nkind = \"plane\"\npoint = [0, -1]\nnormal = [0, 1]\n";
    CHECK(run(falling + fine_disc + deep_floor + below + jammed("below", 0.1)).reason.empty());
    CHECK(run(falling + fine_disc + "[[outlet]]\nname = \"drain\"\nhigh = [inf, -0.45]\n" +
              jammed("drain", 0.1))
              .reason.empty());
    // ... and a frozen base behind the counter is nothing that could pass.
    CHECK(run(falling + "[[group]]\nname = \"base\"\nfrozen = true\n" +
              disc("[5.0, 5.0]", "group = \"base\"\n") + fine_disc + deep_floor + below +
              jammed("below", 0.1))
              .reason.empty());
}

TEST_CASE("with a time to wait from, what lets nothing out at all is jammed too") {
    const auto jammed_from = [](double from) {
        return "[stop]\njammed = { counter = \"below\", time = 0.1, from = " + std::to_string(from) + " }\n";
    };
    const Ending ending = run(falling + slot_and_big_discs + below + jammed_from(0.2));
    CAPTURE(ending.reason);
    CHECK(ending.since() == doctest::Approx(0.2));
    CHECK(ending.time == doctest::Approx(0.3).epsilon(1e-12));
    // Passing later begins the wait anew; passing before does not shorten it.
    const double passes = fall_time(0.5);
    const Ending later = run(falling + fine_disc + slot_and_big_discs + below + jammed_from(passes - 0.05));
    CHECK(near(later.since(), passes));
    const Ending earlier = run(falling + fine_disc + slot_and_big_discs + below + jammed_from(passes + 0.05));
    CHECK(earlier.since() == doctest::Approx(passes + 0.05).epsilon(1e-2));
    CHECK(run(falling + slot_and_big_discs + below + jammed_from(1e30)).reason.empty());
    const Ending at_once = run(falling + slot_and_big_discs + below + jammed_from(0.0));
    CHECK(at_once.since() == 0.0);
    CHECK(at_once.time == doctest::Approx(0.1).epsilon(1e-12));
}

TEST_CASE("each passing begins the wait anew") {
    const std::string two = falling + fine_disc + disc("[1.0, 0.75]", "", 0.04) +
                            disc("[2.0, 0.04]", "", 0.04) +
                            "[[wall]]\nkind = \"segment\"\nends = [[1.5, 0.0], [2.5, 0.0]]\n" + below;
    const double first = fall_time(0.5), second = fall_time(1.2);
    CHECK(near(run(two + jammed("below", 0.5 * (second - first))).since(), first));
    CHECK(near(run(two + jammed("below", 1.5 * (second - first))).since(), second));
}

TEST_CASE("conditions that hold in the same step are all named") {
    const Ending ending = run(falling + disc("[3.0, -0.4]", "velocity = [0.0, -1.0]\n", 0.01) +
                              "[[wall]]\nkind = \"segment\"\nends = [[-1.0, 0.0], [1.0, 0.0]]\n" +
                              disc("[0.0, 0.1]", "") + below +
                              "[stop]\nat_rest = { energy = 1e6, time = 1.0 }\n"
                              "jammed = { counter = \"below\", time = \"1.0 - 0.042\" }\n");
    // 0.05 m = v t + g t^2 / 2: t = (sqrt(v^2 + 2 g 0.05) - v) / g = 0.0414 s, in steps 0.042 s
    CAPTURE(ending.reason);
    CHECK(ending.time == 1.0);
    CHECK(ending.holds("at rest, mean kinetic energy of a particle below 1e+06 J since t = 0 s; jammed, "));
}

TEST_CASE("a time that is longer than any run never ends one") {
    for (const char* time : {"0.201", "1e50"}) {
        CAPTURE(time);
        const std::string stop = std::string("[stop]\nat_rest = { energy = 1.0, time = ") + time + " }\n";
        CHECK(run(weightless + disc("[0.0, 0.0]", "") + stop).reason.empty());
    }
    // One step reaches the end of a run that is shorter.
    CHECK(run("dimension = 2\ntime = { step = 1.0, end = 0.1 }\n" + disc("[0.0, 0.0]", "") +
              "[stop]\nat_rest = { energy = 1.0, time = 5.0 }\n")
              .reason.empty());
}

TEST_CASE("without [stop], and with conditions that never hold, a run has the same states and its own end") {
    const std::string scene = falling + fine_disc + slot_and_big_discs + below;
    Simulation plain(read(scene)), watched(read(scene + "[stop]\nat_rest = { energy = 1e-30, time = 3.0 }\n"
                                                        "emptied = true\n"
                                                        "jammed = { counter = \"below\", time = 3.0 }\n"));
    while (!plain.finished()) {
        plain.advance();
        REQUIRE_FALSE(watched.finished());
        watched.advance();
        REQUIRE(plain.system().particles.position == watched.system().particles.position);
        REQUIRE(plain.system().particles.velocity == watched.system().particles.velocity);
    }
    CHECK(watched.finished());
    CHECK(plain.system().time == 2.0);
    CHECK(plain.stop_reason().empty());
    CHECK(watched.stop_reason().empty());
}

TEST_CASE("the end is in the same step for any number of threads") {
    const std::string many =
        "gravity = [0.0, 0.0, -10.0]\ntime = { step = 5e-3, end = 2.0 }\n"
        "[[wall]]\nkind = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\nopen = [\"top\"]\n"
        "[[particles]]\nkind = \"random\"\ncount = 400\nradius = 0.04\nmass = 1.0\n"
        "region = { kind = \"box\", low = [0, 0, 0], high = [1, 1, 1] }\n[contact]\nfriction = 0.3\n" +
        at_rest(0.02, 0.02);
    const int before = thread_count();
    set_thread_count(1);
    const Ending one = run(many);
    set_thread_count(4);
    const Ending four = run(many);
    set_thread_count(before);
    CHECK(!one.reason.empty());
    CHECK(one.reason == four.reason);
    CHECK(one.time == four.time);
}

TEST_CASE("a stop condition that can not be meant is refused at its line, with what was expected") {
    const std::string orifice =
        "[[counter]]\nname = \"orifice\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n"
        "[[outlet]]\nname = \"drain\"\nhigh = [0, 0, -1]\n";
    const auto stop = [](const std::string& line) { return time_section + "[stop]\n" + line + "\n"; };
    const auto jam = [&](const std::string& members) {
        return time_section + orifice + "[stop]\njammed = " + members + "\n";
    };
    check_all({
        {"section", time_section + "stop = true\n", {"scene.toml:2: stop: expected a table, found"}},
        {"condition",
         stop("at_rst = { energy = 1.0, time = 1.0 }"),
         {"scene.toml:3: stop.at_rst: unknown key 'at_rst'; did you mean 'at_rest'?"}},
        {"nothing near",
         stop("tired = true"),
         {"scene.toml:3: stop.tired: unknown key 'tired'; keys here: at_rest, emptied, jammed"}},
        {"no table", stop("at_rest = 1.0"), {"scene.toml:3: stop.at_rest: expected a table, found"}},
        {"key of rest",
         stop("at_rest = { enrgy = 1.0, time = 1.0 }"),
         {"scene.toml:3: stop.at_rest.enrgy: unknown key 'enrgy'; did you mean 'energy'?"}},
        {"no energy",
         stop("at_rest = { time = 1.0 }"),
         {"scene.toml:3: stop.at_rest: 'energy' is missing: expected a number > 0"}},
        {"no time",
         stop("at_rest = { energy = 1.0 }"),
         {"scene.toml:3: stop.at_rest: 'time' is missing: expected a number > 0"}},
        {"energy 0",
         stop("at_rest = { energy = 0.0, time = 1.0 }"),
         {"scene.toml:3: stop.at_rest.energy: expected a number > 0, found 0"}},
        {"negative time",
         stop("at_rest = { energy = 1.0, time = -1.0 }"),
         {"scene.toml:3: stop.at_rest.time: expected a number > 0, found -1"}},
        {"endless time",
         stop("at_rest = { energy = 1.0, time = inf }"),
         {"scene.toml:3: stop.at_rest.time: expected a number > 0, found inf"}},
        {"energy that is true",
         stop("at_rest = { energy = true, time = 1.0 }"),
         {"scene.toml:3: stop.at_rest.energy: expected a number > 0, found"}},
        {"emptied that is 1",
         stop("emptied = 1"),
         {"scene.toml:3: stop.emptied: expected true or false, found"}},
        {"jammed that is a text",
         jam("\"orifice\""),
         {"scene.toml:10: stop.jammed: expected a table, found"}},
        {"no name",
         jam("{ time = 1.0 }"),
         {"scene.toml:10: stop.jammed: 'counter' is missing: expected the name"}},
        {"name that is a number",
         jam("{ counter = 3, time = 1.0 }"),
         {"scene.toml:10: stop.jammed.counter: expected a text, found"}},
        {"no such counter",
         jam("{ counter = \"orfice\", time = 1.0 }"),
         {"scene.toml:10: stop.jammed.counter: there is no counter or outlet 'orfice'; did you mean "
          "'orifice'?; counters and outlets: orifice, drain"}},
        {"no counter at all",
         stop("jammed = { counter = \"orifice\", time = 1.0 }"),
         {"scene.toml:3: stop.jammed.counter: there is no counter or outlet 'orifice'; declare one with "
          "[[counter]] name = \"...\""}},
        {"no wait", jam("{ counter = \"drain\" }"), {"scene.toml:10: stop.jammed: 'time' is missing"}},
        {"wait 0",
         jam("{ counter = \"drain\", time = 0 }"),
         {"scene.toml:10: stop.jammed.time: expected a number > 0, found 0"}},
        {"key of jammed",
         jam("{ outlet = \"drain\", time = 1.0 }"),
         {"scene.toml:10: stop.jammed.outlet: unknown key 'outlet'"}},
    });
    CHECK(refusal(stop("")).empty());
}

TEST_CASE("the description lists the conditions, and warns of those that can not hold") {
    const auto describe = [](const std::string& text) {
        const Scene scene = read(text);
        return describe_scene(scene, build_system(scene));
    };
    const std::string all = describe(falling + below +
                                     "[stop]\nat_rest = { energy = 1e-6, time = 0.1 }\nemptied = true\n"
                                     "jammed = { counter = \"below\", time = 0.5 }\n");
    INFO(all);
    CHECK(
        holds(all, {"stop         at rest: mean kinetic energy below 1e-06 J a particle for 0.1 s\n",
                    "stop         emptied: no particle is left inside\n",
                    "stop         jammed: nothing has passed 'below' for 0.5 s, from the first passing on\n",
                    "warning      stop.emptied, but nothing removes particles"}));
    CHECK_FALSE(holds(all, {"longer than the run"}));
    CHECK_FALSE(holds(describe(falling + below), {"stop "}));
    CHECK(holds(describe(falling + at_rest(1.0, 2.1)),
                {"warning      stop.at_rest.time = 2.1 s is longer than the run"}));
    CHECK(holds(describe(falling + below + jammed("below", 2.1)),
                {"warning      stop.jammed.time = 2.1 s is longer than the run"}));
    const auto fed = [&](const std::string& limit) {
        return describe(falling +
                        "[stop]\nemptied = true\n[domain]\nescape = \"remove\"\n"
                        "[[inlet]]\nradius = 0.1\ndensity = 1.0\n"
                        "region = { kind = \"box\", low = [0, 0], high = [1, 1] }\n" +
                        limit);
    };
    CHECK(holds(fed(""), {"warning      stop.emptied never ends the run: inlet inlet0"}));
    for (const char* limit : {"count = 5\n", "until = 1.0\n"}) {
        CHECK_FALSE(holds(fed(limit), {"warning      stop.emptied"}));
    }
}
