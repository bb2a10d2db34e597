#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "scene/scene_text.hpp"
#include "talus/scene/describe_scene.hpp"

using namespace talus;
using scene_text::holds;
using scene_text::read;
using scene_text::time_section;

namespace {

const std::string falling = "gravity = [0, 0, -9.81]\n" + time_section +
                            "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 5]\nradius = 0.1\nmass = 1\n"
                            "[[wall]]\nkind = \"plane\"\nnormal = [0, 0, 1]\n";

StepAdvice advice_for(const std::string& text) {
    const Scene scene = read(text);
    return advise_step(scene, build_system(scene));
}

std::vector<std::string> warnings_for(const std::string& text) {
    const Scene scene = read(text);
    return scene_warnings(scene, build_system(scene));
}

bool any_holds(const std::vector<std::string>& lines, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return holds(line, {part}); });
}

}  // namespace

TEST_CASE("advice on the step counts the free fall to the floor in radii") {
    const StepAdvice advice = advice_for(falling);
    const double speed = std::sqrt(2.0 * 9.81 * 5.0);
    CHECK(advice.fall_speed == doctest::Approx(speed).epsilon(1e-12));
    CHECK(advice.radii_per_step == doctest::Approx(speed * 1e-3 / 0.1).epsilon(1e-12));
}

TEST_CASE("advice on the step counts speeds of particles, walls and radii") {
    const StepAdvice advice = advice_for(
        time_section +
        "[[group]]\nname = \"g\"\nradius_scale = { kind = \"ramp\", rate = 2.0 }\n"
        "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 5]\nvelocity = [3, 0, 4]\nradius = 0.1\nmass = "
        "1\ngroup = \"g\"\n"
        "[[wall]]\nkind = \"disc\"\nradius = 1\nmotion = { kind = \"translate\", velocity = [0, 0, 7] }\n");
    CHECK(advice.particle_speed == doctest::Approx(5.0).epsilon(1e-12));
    CHECK(advice.wall_speed == doctest::Approx(7.0).epsilon(1e-9));
    CHECK(advice.radius_rate == doctest::Approx(0.2).epsilon(1e-9));  // 0.1 m times 2 /s
    CHECK(advice.wall_radii_per_step == doctest::Approx(7.0 * 1e-3 / 0.1).epsilon(1e-9));
    CHECK(advice.expected_speed() == doctest::Approx(5.2).epsilon(1e-9));
}

TEST_CASE("a scene that does nothing, falls for ever or overlaps is warned about; a plain one is not") {
    CHECK(any_holds(warnings_for(time_section), "no particles"));
    CHECK(any_holds(warnings_for(time_section), "nothing moves"));
    CHECK(any_holds(
        warnings_for("gravity = [0, 0, -1]\n" + time_section +
                     "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 5]\nradius = 0.1\nmass = 1\n"),
        "fall for ever"));
    CHECK_FALSE(any_holds(
        warnings_for("gravity = [0, 0, -1]\n" + time_section +
                     "[[group]]\nname = \"base\"\nfrozen = true\n"
                     "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 5]\nradius = 0.1\nmass = 1\n"
                     "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 0]\nradius = 0.1\nmass = 1\n"
                     "group = \"base\"\n"),
        "fall for ever"));
    CHECK(any_holds(
        warnings_for(time_section +
                     "[[particles]]\nkind = \"list\"\npositions = [[0, 0, 0], [0.15, 0, 0]]\nradius = "
                     "0.1\nmass = 1\n"),
        "a run refuses this"));
    CHECK(
        warnings_for(time_section +
                     "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 5]\nvelocity = [1, 0, 0]\nradius = "
                     "0.1\nmass = 1\n")
            .empty());
}

TEST_CASE("what is never there, never opens, is not resolved or writes too much is warned about") {
    const std::string wall = time_section + "[[wall]]\nkind = \"plane\"\nnormal = [0, 0, 1]\n";
    CHECK(any_holds(warnings_for(wall + "from = 2.0\n"), "wall wall0 is never there"));
    CHECK(any_holds(warnings_for(wall + "until = 0.0\n"), "wall wall0 is never there"));
    const auto shaken = [&](const std::string& frequency) {
        return wall +
               "motion = { kind = \"oscillate\", direction = [0, 0, 1], amplitude = 0.1, frequency = " +
               frequency + " }\n";
    };
    CHECK(any_holds(warnings_for(shaken("501.0")), "not resolved"));
    CHECK_FALSE(any_holds(warnings_for(shaken("499.0")), "not resolved"));
    CHECK(any_holds(
        warnings_for(time_section + "[[inlet]]\nradius = 0.1\ndensity = 1.0\nfrom = 1.0\n"
                                    "region = { kind = \"box\", low = [0, 0, 0], high = [1, 1, 1] }\n"),
        "inlet inlet0 never opens"));
    const auto masses = [](const std::string& second) {
        return time_section +
               "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 0]\nradius = 0.1\nmass = 1.0\n"
               "[[particles]]\nkind = \"sphere\"\nposition = [1, 0, 0]\nradius = 0.1\nmass = " +
               second + "\n";
    };
    CHECK(any_holds(warnings_for(masses("1e-10")), "masses from 1e-10 to 1 kg"));
    CHECK_FALSE(any_holds(warnings_for(masses("1e-8")), "masses"));
    CHECK(any_holds(warnings_for("time = { step = 1e-3, end = 1e3 }\noutput = { every = 1e-3 }\n"),
                    "makes 1e+06 frames"));
}

TEST_CASE("a spinning particle moves, and friction that no pair has is warned about") {
    const std::string spinning = time_section +
                                 "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 5]\nradius = 0.1\n"
                                 "mass = 1\nangular_velocity = [0, 0, 1]\n";
    CHECK(warnings_for(spinning).empty());
    const std::string one_side = falling + "friction = 0.5\n";
    CHECK(any_holds(warnings_for(one_side), "no two surfaces that have it"));
    CHECK_FALSE(any_holds(warnings_for(one_side), "no friction: a heap"));
    CHECK_FALSE(any_holds(warnings_for(one_side + "[contact]\nfriction = 0.1\n"), "no two surfaces"));
    CHECK_FALSE(any_holds(warnings_for(one_side + "[[group]]\nname = \"default\"\nfriction = 0.1\n"),
                          "no two surfaces"));
    const std::string rolling = falling + "friction = 0.5\nrolling_friction = 0.1\n";
    CHECK(any_holds(warnings_for(rolling + "[contact]\nfriction = 0.5\n"), "'rolling_friction' too"));
    CHECK_FALSE(any_holds(warnings_for(rolling + "[contact]\nfriction = 0.5\nrolling_friction = 0.1\n"),
                          "no two surfaces"));
    CHECK(any_holds(warnings_for(rolling + "[contact]\nrolling_friction = 0.1\n"), "without being turned"));
    const std::string smooth =
        falling + "friction = 0.5\nrolling_friction = 0.0\n[contact]\nfriction = 0.5\n";
    CHECK_FALSE(any_holds(warnings_for(smooth), "'rolling_friction' too"));
}

TEST_CASE("the description names the law, the friction of surfaces and pairs, and how groups turn") {
    const Scene scene =
        read(time_section +
             "[contact]\nfriction = 0.5\n"
             "[[contact.pair]]\nbetween = [\"balls\", \"floor\"]\nfriction = 0.25\n"
             "restitution = 0.75\n"
             "[[group]]\nname = \"balls\"\ninertia = \"hollow\"\nrotation = \"locked\"\n"
             "[[wall]]\nkind = \"plane\"\nname = \"floor\"\nnormal = [0, 0, 1]\nfriction = 0.75\n");
    const std::string text = describe_scene(scene, build_system(scene));
    INFO(text);
    CHECK(holds(text,
                {"law          coulomb, friction 0.5, restitution 0 (inelastic)\n",
                 "             floor: friction 0.75\n", "balls - floor: restitution 0.75, friction 0.25\n",
                 "balls: 0, hollow, rotation locked\n"}));
    CHECK(holds(describe_scene(read(time_section), build_system(read(time_section))),
                {"law          frictionless, restitution 0 (inelastic)\n"}));
}

TEST_CASE("the description names the rolling friction of surfaces and pairs") {
    const Scene scene = read(time_section +
                             "[contact]\nfriction = 0.5\nrolling_friction = 0.125\n"
                             "[[contact.pair]]\nbetween = [\"default\", \"floor\"]\nrolling_friction = 0.25\n"
                             "[[wall]]\nkind = \"plane\"\nname = \"floor\"\nnormal = [0, 0, 1]\n"
                             "rolling_friction = 0.75\n");
    const std::string text = describe_scene(scene, build_system(scene));
    INFO(text);
    CHECK(holds(text,
                {"law          coulomb, friction 0.5, rolling friction 0.125, restitution 0 (inelastic)\n",
                 "             floor: rolling friction 0.75\n", "default - floor: rolling friction 0.25\n"}));
}

TEST_CASE("the description holds units, counts, memory and advice") {
    const Scene scene = read(falling);
    const std::string text = describe_scene(scene, build_system(scene));
    INFO(text);
    CHECK(holds(text, {"gravity      (0, 0, -9.81) m/s^2", "step 0.001 s, end 1 s: 1000 steps",
                       "particles    1 at t = 0", "radius 0.1 to 0.1 m, 1 kg in all", "wall 0",
                       "memory       less than 1 MB", "m/s expected", "warning      no friction"}));
}

TEST_CASE("options of the solver that a scene does not use are warned of") {
    const std::string with = "[contact]\nfriction = 0.5\n";
    for (const char* key :
         {"kind = \"uzawa\"", "tolerance = 1e-6", "max_iterations = 7", "relaxation = 1.1"}) {
        CAPTURE(key);
        const std::string solver = std::string("[solver]\n") + key + "\n";
        const std::string name(key, std::string(key).find(' '));
        CHECK(any_holds(warnings_for(falling + with + solver),
                        "solver." + name + " does not count in a scene with friction"));
        CHECK_FALSE(any_holds(warnings_for(falling + solver), "does not count"));
    }
    for (const char* key : {"friction_tolerance = 1e-6", "friction_iterations = 7"}) {
        CAPTURE(key);
        const std::string solver = std::string("[solver]\n") + key + "\n";
        const std::string name(key, std::string(key).find(' '));
        CHECK(any_holds(warnings_for(falling + solver),
                        "solver." + name + " does not count in a scene without friction"));
        CHECK_FALSE(any_holds(warnings_for(falling + with + solver), "does not count"));
    }
    CHECK_FALSE(any_holds(warnings_for(falling + with), "does not count"));
}
