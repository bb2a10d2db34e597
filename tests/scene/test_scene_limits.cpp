#include <doctest/doctest.h>

#include <map>

#include "scene/refusals.hpp"

/// What is wrong with an entry or a run as a whole, though each value by itself is fine or only too large.

using namespace scene_text;

TEST_CASE(
    "numbers beyond 1e50 and motions that lead there during the run are refused when the scene is read") {
    const std::string wall = time_section + "[[wall]]\nkind = \"plane\"\nnormal = [0, 0, 1]\n";
    const auto moving = [&](const std::string& motion) {
        return wall + "motion = { kind = " + motion + " }\n";
    };
    check_all({
        {"gravity",
         time_section + "gravity = [0, 0, -1e300]\n",
         {"scene.toml:2: gravity[2]: ", "found -1e+300; the largest number is 1e+50"}},
        {"growing gravity",
         time_section + "gravity = [0, 0, { kind = \"exponential\", rate = 1e4 }]\n",
         {"scene.toml:2: gravity[2]: gravity reaches inf m/s^2 during the run; expected at most 1e+50 "
          "m/s^2"}},
        {"speed",
         sphere("position = [0, 0, 0]\nvelocity = [1e160, 0, 0]\nradius = 1\nmass = 1\n"),
         {"scene.toml:5: particles[0].velocity[0]: "}},
        {"translate",
         moving("\"translate\", velocity = [1e300, 0, 0]"),
         {"scene.toml:5: wall[0].motion.velocity[0]: "}},
        {"rotate",
         moving("\"rotate\", rate = 1e20"),
         {"scene.toml:5: wall[0].motion: the angle reaches 1e+20 rad during the run; expected at most 1e+12 "
          "rad"}},
        {"swing",
         moving("\"swing\", amplitude = -1e20, frequency = 1.0"),
         {"scene.toml:5: wall[0].motion: the angle reaches"}},
        {"oscillate",
         moving("\"oscillate\", direction = [1, 0, 0], amplitude = 1e300, frequency = 1.0"),
         {"scene.toml:5: wall[0].motion.amplitude: "}},
        {"schedule",
         moving("\"schedule\", direction = [1, 0, 0], displacement = { kind = \"exponential\", rate = 1e4 }"),
         {"scene.toml:5: wall[0].motion: the displacement reaches inf m"}},
        {"cylinder",
         time_section + "[[wall]]\nkind = \"cylinder\"\nradius = 1.0\nheight = 1e300\n",
         {"scene.toml:5: wall[0].height: ", "the largest number is 1e+50"}},
        {"end", "time = { step = 1e-3, end = 1e300 }\n", {"scene.toml:1: time.end: "}},
        {"hopper",
         time_section +
             "[[wall]]\nkind = \"hopper\"\nshape = \"conical\"\noutlet_radius = 0.1\nradius = 1.0\n"
             "bin_height = 1.0\nhalf_angle_deg = 1e-49\n",
         {"scene.toml:8: wall[0].half_angle_deg: the inclined wall would be"}},
        {"exponential of 0",
         time_section + "gravity = [0, 0, { kind = \"exponential\", value = 0.0, rate = 1.0 }]\n",
         {"scene.toml:2: gravity[2].value: an exponential that starts from 0 stays 0"}},
    });
    CHECK(holds(scene_text::build_refusal(
                    time_section + "[[particles]]\nkind = \"file\"\npath = \"far.csv\"\ndensity = 1.0\n",
                    {{"far.csv", "x,y,z,radius\n1e200,0,0,1\n"}}),
                {"scene.toml:4: particles[0].path: far.csv: particle 0: position 1e+200 m"}));
}

TEST_CASE(
    "more particles than can be numbered or held are refused before the first is placed, with both numbers") {
    const std::string region = "region = { kind = \"box\", low = [0, 0, 0], high = [1, 1, 1] }\n";
    const auto message_of = [&](const std::string& entry) {
        return scene_text::build_refusal(time_section + entry + region);
    };
    CHECK(holds(message_of("[[particles]]\nkind = \"lattice\"\nmass = 1.0\nradius = 1e-7\nspacing = 1e-4\n"),
                {"scene.toml:2: particles[0]: about 1e+12 particles, and at most 2147483647"}));
    // 1200^3 = 1.7e9 places take 4 TB.
    CHECK(holds(
        message_of("[[particles]]\nkind = \"lattice\"\nmass = 1.0\nradius = 1e-7\nspacing = 8.333e-4\n"),
        {"scene.toml:2: particles[0]: about 1.73e+09 particles need", "GB of memory, and this machine has"}));
    CHECK(
        holds(message_of("[[particles]]\nkind = \"random\"\nmass = 1.0\nradius = 3e-4\ncount = 2147483647\n"),
              {"scene.toml:2: particles[0]: about 2.15e+09 particles need"}));
    CHECK(holds(message_of("[[inlet]]\ndensity = 1.0\nradius = 1e-6\n"),
                {"scene.toml:2: inlet[0]: about 7.16e+16 particles, and at most"}));
    CHECK(message_of("[[inlet]]\ndensity = 1.0\nradius = 1e-6\nrate = 100.0\n").empty());
    CHECK(message_of(
              "[[particles]]\nkind = \"lattice\"\nmass = 1.0\nradius = 1e-7\nspacing = 1e-3\ncount = 10\n")
              .empty());
    CHECK(
        holds(message_of("[[particles]]\nkind = \"random\"\nmass = 1.0\nradius = 0.1\ncount = 2147483647\n"),
              {"143 fit"}));
}

TEST_CASE("mass and density of a file of particles are not given both") {
    const std::string entry = time_section + "[[particles]]\nkind = \"file\"\npath = \"grains.csv\"\n";
    const std::map<std::string, std::string> file = {{"grains.csv", "x,y,z,radius,mass\n0,0,0,1,2\n"}};
    CHECK(scene_text::build_refusal(entry, file).empty());
    CHECK(holds(scene_text::build_refusal(entry + "density = 3.0\n", file),
                {"scene.toml:4: particles[0].path: grains.csv", "the file has masses"}));
}

TEST_CASE("the spacing of a lattice is by default the largest diameter as its group has grown at the start") {
    const talus::System system = talus::build_system(
        scene_text::read(time_section +
                         "[[group]]\nname = \"g\"\nradius_scale = 2.0\n[[particles]]\nkind = "
                         "\"lattice\"\nradius = 0.25\nmass = 1.0\n"
                         "group = \"g\"\nregion = { kind = \"box\", low = [0, 0, 0], high = [2, 1, 1] }\n"));
    CHECK(system.particles.size() == 2);
}

TEST_CASE("times of a wall that end before they begin are told at the key that says so") {
    const std::string wall = time_section + "[[wall]]\nkind = \"plane\"\nnormal = [0, 0, 1]\n";
    CHECK(holds(refusal(wall + "from = 2.0\nuntil = 1.0\n"),
                {"scene.toml:6: wall[0].until: expected a time after from = 2, found 1"}));
    CHECK(holds(refusal(wall + "from = inf\n"),
                {"scene.toml:5: wall[0].from: expected a time before until = inf, found inf"}));
}

TEST_CASE("keys of another kind of hopper are refused with the kind that has them") {
    const auto hopper = [](const std::string& shape, const std::string& members) {
        return time_section + "[[wall]]\nkind = \"hopper\"\nshape = \"" + shape + "\"\nbin_height = 1.0\n" +
               members;
    };
    CHECK(holds(refusal(hopper("conical", "depth = 1.0\n")),
                {"scene.toml:6: wall[0].depth: a conical hopper has no depth", "\"wedge\""}));
    CHECK(holds(refusal("dimension = 2\n" + hopper("wedge", "depth = 1.0\n")),
                {"scene.toml:7: wall[0].depth: a hopper in 2-D has no depth"}));
    CHECK(holds(refusal(hopper("flat", "depth = 1.0\nradius = 1.0\n")),
                {"scene.toml:7: wall[0].radius: a trough"}));
    CHECK(holds(refusal(hopper("flat", "width = 1.0\n")),
                {"scene.toml:6: wall[0].width: a round hopper", "'depth'"}));
}

TEST_CASE("radii that reach zero during the run are refused with the time") {
    const std::string ramp =
        "[[group]]\nname = \"shrinking\"\nradius_scale = { kind = \"ramp\", rate = -0.5 }\n";
    const std::string long_run = "time = { step = 1e-3, end = 3.0 }\n";
    const std::string message = refusal(long_run + ramp);  // 1 - t/2 = 0 at t = 2
    CHECK(holds(message, {"scene.toml:4: group[0].radius_scale: ", "t = 2 s"}));
    CHECK(refusal("time = { step = 1e-3, end = 1.9 }\n" + ramp).empty());
    // The last of the whole steps ends at 2.1 s.
    CHECK(holds(refusal("time = { step = 0.3, end = 1.9 }\n" + ramp), {"reach zero"}));
    CHECK(holds(refusal(time_section +
                        "[[group]]\nname = \"a\"\nradius_scale = { kind = \"exponential\", rate = -1e6 }\n"),
                {"the radii become too small for a double at about t = 0.000745"}));
    CHECK(holds(
        refusal(
            long_run +
            "[[group]]\nname = \"a\"\nradius_scale = { kind = \"sine\", amplitude = 1.5, frequency = 1 }\n"),
        {"group[0].radius_scale: the radii reach zero"}));
    CHECK(holds(refusal(long_run + "[[group]]\nname = \"a\"\nradius_scale = { kind = \"table\", times = [0, "
                                   "1], values = [1, 0] }\n"),
                {"scene.toml:4: group[0].radius_scale.values[1]: expected a number > 0"}));
}

TEST_CASE("what turns out wrong when particles are made is told at the line of their entry") {
    const std::string lattice = time_section + "[[particles]]\nkind = \"lattice\"\nradius = 1\nmass = 1\n";
    const std::string narrow = "region = { kind = \"box\", low = [0, 0, 0], high = [1, 9, 9] }\n";
    const std::string file = time_section + "[[particles]]\nkind = \"file\"\n";
    const std::string path = "path = \"grains.csv\"\n";
    CHECK(scene_text::build_refusal(lattice + narrow) ==
          "scene.toml:2: particles[0]: lattice: the region is too small for one particle of radius 1 m");
    CHECK(holds(scene_text::build_refusal(time_section +
                                          "[[particles]]\nkind = \"random\"\nradius = 1\nmass = 1\n"
                                          "count = 100\n" +
                                          narrow),
                {"scene.toml:2: particles[0]: random fill: 100 particles would fill more than"}));
    CHECK(scene_text::build_refusal(file + path) ==
          "scene.toml:4: particles[0].path: grains.csv: there is no such file");
    CHECK(holds(scene_text::build_refusal(file + path, {{"grains.csv", "x,y,z,radius\n0,0,0,1\n"}}),
                {"scene.toml:4: particles[0].path: grains.csv: particle 0: the file has no mass"}));
    CHECK(holds(scene_text::build_refusal(file + path, {{"grains.csv", "x,y,z,radius,mass\n0,0,0,-1,1\n"}}),
                {"scene.toml:4: particles[0].path: grains.csv:2: ", "-1 is not positive"}));
}

TEST_CASE("an inlet whose region is too narrow for its largest particle, as its group grows, is refused") {
    const std::string group =
        "[[group]]\nname = \"growing\"\nradius_scale = { kind = \"ramp\", rate = 1.0 }\n";
    const auto inlet = [&](const std::string& members) {
        return "time = { step = 1e-3, end = 2.0 }\n" + group +
               "[[inlet]]\ndensity = 1.0\nregion = { kind = \"box\", low = [0, 0, 0], high = [1, 2, 3] }\n" +
               members;
    };
    CHECK(refusal(inlet("radius = 0.5\n")).empty());
    CHECK(holds(refusal(inlet("radius = 0.51\n")),
                {"scene.toml:7: inlet[0].region: the region is 1 m wide", "diameter 1.02 m"}));
    // The scale 1 + t is 2 when the inlet closes, 3 at the end.
    CHECK(refusal(inlet("radius = 0.25\ngroup = \"growing\"\nuntil = 1.0\n")).empty());
    CHECK(
        holds(refusal(inlet("radius = 0.25\ngroup = \"growing\"\n")), {"scene.toml:7: ", "diameter 1.5 m"}));
}

TEST_CASE("a law of radii or a region is named once") {
    const std::string entry = time_section + "[[inlet]]\ndensity = 1.0\n";
    const std::string region = "region = { kind = \"box\", low = [0, 0, 0], high = [1, 1, 1] }\n";
    CHECK(holds(refusal(entry + region + "radius = { kind = \"uniform\", low = 0.2, high = 0.1 }\n"),
                {"scene.toml:5: inlet[0].radius: the lower bound 0.2 m is above"}));
    CHECK(
        holds(refusal(entry + "region = { kind = \"profile\", profile = [[1, 1], [1, 0]] }\nradius = 0.1\n"),
              {"scene.toml:4: inlet[0].region: the heights"}));
}

TEST_CASE("radii that grow or shrink beyond what masses can follow are refused") {
    const auto group = [](const std::string& scale) {
        return time_section + "[[group]]\nname = \"a\"\nradius_scale = " + scale + "\n";
    };
    CHECK(holds(refusal(group("1e16")),
                {"scene.toml:4: group[0].radius_scale: the scale of the radii runs from 1e+16",
                 "expected 1e-15 to 1e+15"}));
    CHECK(
        holds(refusal(group("{ kind = \"exponential\", rate = 1e3 }")), {"scene.toml:4: ", "from 1 to inf"}));
    CHECK(refusal(group("1e15")).empty());
}
