#include <doctest/doctest.h>

#include <locale>

#include "scene/scene_text.hpp"

using scene_text::holds;
using scene_text::refusal;
using scene_text::time_section;

namespace {

/// A scene that must be refused, and what its one message must hold (place first).
struct Refused {
    const char* what;
    std::string text;
    std::vector<std::string> parts;
};

void check_all(const std::vector<Refused>& cases) {
    for (const Refused& item : cases) {
        const std::string message = refusal(item.text);
        INFO(item.what << ": " << message);
        CHECK(!message.empty());
        CHECK(holds(message, item.parts));
    }
}

std::string sphere(const std::string& members) {
    return time_section + "[[particles]]\nkind = \"sphere\"\n" + members;
}

std::string plane_scene(const std::string& members) {
    return "dimension = 2\n" + time_section + members;
}

}  // namespace

TEST_CASE("a key that does not exist is refused at its line, with the nearest key or all keys") {
    check_all({
        {"slip",
         time_section + "[contact]\nrestituton = 0.5\n",
         {"scene.toml:3: contact.restituton: unknown key", "did you mean 'restitution'?"}},
        {"nothing near",
         time_section + "[contact]\nviscosity = 1.0\n",
         {"scene.toml:3: contact.viscosity: unknown key 'viscosity'; keys here: restitution, pair"}},
        {"section",
         time_section + "[ouput]\nevery = 0.1\n",
         {"scene.toml:2: ouput: ", "did you mean 'output'?"}},
        {"particle",
         sphere("raduis = 0.1\n"),
         {"scene.toml:4: particles[0].raduis: ", "did you mean 'radius'?"}},
        {"kind",
         time_section + "[[wall]]\nkind = \"plain\"\n",
         {"scene.toml:3: wall[0].kind: ", "did you mean 'plane'?"}},
        {"choice",
         time_section + "[solver]\nkind = \"apgdd\"\n",
         {"scene.toml:3: solver.kind: unknown 'apgdd'; did you mean 'apgd'?; valid: monotone_pgs, apgd, "
          "uzawa, exact"}},
        {"wall",
         time_section + "[[wall]]\nkind = \"disc\"\nradius = 1.0\nheight = 2.0\n",
         {"scene.toml:5: wall[0].height: unknown key"}},
        {"motion",
         time_section + "[[wall]]\nkind = \"disc\"\nradius = 1.0\nmotion = { kind = \"rotate\", rpm = 3 }\n",
         {"scene.toml:5: wall[0].motion.rpm: unknown key"}},
    });
}

TEST_CASE("a missing key is named with what is expected") {
    check_all({
        {"time", "dimension = 3\n", {"scene.toml:1: section [time] is missing"}},
        {"step", "[time]\nend = 1.0\n", {"scene.toml:1: time: 'step' is missing: expected a number > 0"}},
        {"radius",
         sphere("position = [0, 0, 0]\nmass = 1.0\n"),
         {"scene.toml:2: particles[0]: 'radius' is missing: expected a number > 0"}},
        {"mass",
         sphere("position = [0, 0, 0]\nradius = 1.0\n"),
         {"scene.toml:2: particles[0]: 'density' [kg/m^3] or 'mass' [kg] is missing"}},
        {"kind",
         time_section + "[[wall]]\nnormal = [0, 0, 1]\n",
         {"scene.toml:2: wall[0]: 'kind' is missing; kinds: plane"}},
        {"hopper angle",
         time_section + "[[wall]]\nkind = \"hopper\"\nshape = \"conical\"\nradius = 1\noutlet_radius = 0.1\n",
         {"scene.toml:2: wall[0]: 'half_angle_deg' is missing"}},
    });
}

TEST_CASE("a value of the wrong type is refused with what was found") {
    check_all({
        {"text for number",
         "time = { step = \"fast\", end = 1.0 }\n",
         {"scene.toml:1: time.step: expected a number", "\"fast\""}},
        {"boolean for number",
         "[time]\nstep = 1e-3\nend = true\n",
         {"scene.toml:3: time.end: expected a number > 0, found true"}},
        {"number for text",
         time_section + "[solver]\nkind = 3\n",
         {"scene.toml:3: solver.kind: expected one of monotone_pgs", "found the number 3"}},
        {"number for flag",
         time_section + "[output]\nwalls = 1\n",
         {"scene.toml:3: output.walls: expected true or false, found the number 1"}},
        {"number for vector",
         sphere("position = 1.0\nradius = 1\nmass = 1\n"),
         {"scene.toml:4: particles[0].position: expected an array", "found the number 1"}},
        {"number for table", "time = 3\n", {"scene.toml:1: time: expected a table, found the number 3"}},
        {"table for array of tables",
         time_section + "[wall]\nkind = \"plane\"\n",
         {"scene.toml:2: wall: expected entries that each begin with [[wall]], found a table"}},
        {"fraction for whole number",
         time_section + "[solver]\nmax_iterations = 1.5\n",
         {"scene.toml:3: solver.max_iterations: expected a whole number, found 1.5"}},
        {"date", "[time]\nstep = 1979-05-27\nend = 1\n", {"scene.toml:2: time.step: ", "date"}},
    });
}

TEST_CASE("a value out of its range is refused with the range") {
    check_all({
        {"step 0",
         "time = { step = 0.0, end = 1.0 }\n",
         {"scene.toml:1: time.step: expected a number > 0, found 0"}},
        {"step < 0",
         "time = { step = -1e-3, end = 1.0 }\n",
         {"time.step: expected a number > 0, found -0.001"}},
        {"restitution",
         time_section + "[contact]\nrestitution = 1.01\n",
         {"scene.toml:3: contact.restitution: expected a number >= 0 and <= 1, found 1.01"}},
        {"radius 0",
         sphere("position = [0, 0, 0]\nradius = 0.0\nmass = 1.0\n"),
         {"scene.toml:5: particles[0].radius: expected a number > 0, found 0"}},
        {"radius < 0",
         sphere("position = [0, 0, 0]\nradius = -0.1\nmass = 1.0\n"),
         {"scene.toml:5: particles[0].radius: expected a number > 0, found -0.1"}},
        {"radius underflows",
         sphere("position = [0, 0, 0]\nradius = 1e-400\nmass = 1.0\n"),
         {"scene.toml:5: particles[0].radius: the number 1e-400 is too small for a double"}},
        {"radius infinite",
         sphere("position = [0, 0, 0]\nradius = inf\nmass = 1.0\n"),
         {"scene.toml:5: particles[0].radius: expected a number > 0, found inf; the largest number is "
          "1e+50"}},
        {"mass 0",
         sphere("position = [0, 0, 0]\nradius = 1.0\nmass = 0\n"),
         {"scene.toml:6: particles[0].mass: expected a number > 0, found 0"}},
        {"mass < 0",
         sphere("position = [0, 0, 0]\nradius = 1.0\nmass = -1\n"),
         {"scene.toml:6: particles[0].mass: "}},
        {"mass subnormal",
         sphere("position = [0, 0, 0]\nradius = 1.0\nmass = 1e-320\n"),
         {"scene.toml:6: particles[0].mass: expected a number > 0, found 1e-320; the smallest is 1e-50"}},
        {"density < 0",
         sphere("position = [0, 0, 0]\nradius = 1.0\ndensity = -2500\n"),
         {"scene.toml:6: particles[0].density: expected a number > 0, found -2500"}},
        {"mass of radius underflows",
         sphere("position = [0, 0, 0]\nradius = 1e-40\ndensity = 1.0\n"),
         {"scene.toml:2: particles[0]: density 1 and radius 1e-40 give the mass"}},
        {"density and mass",
         sphere("position = [0, 0, 0]\nradius = 1.0\ndensity = 1.0\nmass = 1.0\n"),
         {"scene.toml:7: particles[0].mass: give density or mass, not both"}},
        {"solid fraction",
         time_section + "[[particles]]\nkind = \"random\"\nradius = 0.1\ndensity = 1\nsolid_fraction = 0.7\n"
                        "region = { kind = \"box\", low = [0, 0, 0], high = [1, 1, 1] }\n",
         {"scene.toml:6: particles[0].solid_fraction: expected a number > 0 and <= 0.6, found 0.7"}},
        {"spacing",
         time_section + "[[particles]]\nkind = \"lattice\"\nradius = 0.1\ndensity = 1\nspacing = 0.19\n"
                        "region = { kind = \"box\", low = [0, 0, 0], high = [1, 1, 1] }\n",
         {"scene.toml:6: particles[0].spacing: expected a number >= 0.2, found 0.19"}},
        {"dimension", "dimension = 4\n" + time_section, {"scene.toml:1: dimension: ", "found 4"}},
        {"region",
         time_section +
             "[[inlet]]\nradius = 0.1\ndensity = 1\nregion = { kind = \"box\", low = [0, 0, 0], high = "
             "[1, -1, 1] }\n",
         {"scene.toml:5: inlet[0].region: ", "low < high"}},
        {"normal",
         time_section + "[[wall]]\nkind = \"plane\"\nnormal = [0, 0, 0]\n",
         {"scene.toml:4: wall[0].normal: expected a direction, found a zero vector"}},
    });
}

TEST_CASE("nan and inf are refused where a finite number is needed and accepted for open bounds") {
    for (const std::string value : {"nan", "inf", "-inf", "+nan"}) {
        CAPTURE(value);
        CHECK(holds(refusal(sphere("position = [0, " + value + ", 0]\nradius = 1\nmass = 1\n")),
                    {"scene.toml:4: particles[0].position[1]: expected a finite number"}));
        CHECK(holds(refusal("time = { step = 1e-3, end = " + value + " }\n"),
                    {"scene.toml:1: time.end: expected a number"}));
        CHECK(holds(refusal(time_section + "gravity = [0, 0, " + value + "]\n"),
                    {"scene.toml:2: gravity[2]: "}));
    }
    CHECK(refusal(time_section + "[[outlet]]\nlow = [-inf, -inf, -inf]\nhigh = [inf, inf, -1]\n").empty());
    CHECK(
        holds(refusal(time_section + "[domain]\nhigh = [nan, 1, 1]\n"), {"scene.toml:3: domain.high[0]: "}));
}

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

TEST_CASE("a setting that leads nowhere is refused with the key that was probably meant") {
    const std::string scene = sphere("position = [0, 0, 0]\nradius = 1\nmass = 1\n");
    CHECK(refusal(scene, {"particles[-1].radius=1"}) ==
          "--set particles[-1].radius: there is no 'particles[-1]': 1 entry, numbered from 0");
    CHECK(refusal(scene, {"time.step="}) ==
          "--set time.step: there is no value after '='; expected key=value");
    CHECK(refusal(scene, {"outp.every=1"}) == "--set outp: unknown key 'outp'; did you mean 'output.every'?");
}

TEST_CASE("vectors have as many numbers as the scene has dimensions") {
    check_all({
        {"three in 2-D",
         plane_scene("gravity = [0, 0, -9.81]\n"),
         {"scene.toml:3: gravity: expected 2 components (dimension = 2), found 3"}},
        {"three in 2-D",
         plane_scene("[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 0]\nradius = 1\nmass = 1\n"),
         {"scene.toml:5: particles[0].position: expected 2 numbers (dimension = 2), found 3"}},
        {"two in 3-D",
         sphere("position = [0, 0]\nradius = 1\nmass = 1\n"),
         {"scene.toml:4: particles[0].position: expected 3 numbers (dimension = 3), found 2"}},
        {"3-D wall in 2-D",
         plane_scene("[[wall]]\nkind = \"cylinder\"\nradius = 1\nheight = 1\n"),
         {"scene.toml:4: wall[0].kind: a cylinder exists in 3-D only"}},
        {"2-D wall in 3-D",
         time_section + "[[wall]]\nkind = \"segment\"\nends = [[0, 0], [1, 1]]\n",
         {"scene.toml:3: wall[0].kind: a segment exists in 2-D only"}},
        {"3-D region in 2-D",
         plane_scene("[[inlet]]\nradius = 0.1\ndensity = 1\nregion = { kind = \"cylinder\", radius = 1, "
                     "height = 1 }\n"),
         {"scene.toml:6: inlet[0].region: "}},
    });
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

TEST_CASE("names that are unknown or taken are refused") {
    const std::string group = "[[group]]\nname = \"grains\"\n";
    check_all({
        {"group",
         sphere("position = [0, 0, 0]\nradius = 1\nmass = 1\ngroup = \"grain\"\n"),
         {"scene.toml:7: particles[0].group: there is no group 'grain'; groups: default"}},
        {"pair",
         time_section + group + "[[contact.pair]]\nbetween = [\"grains\", \"flor\"]\nrestitution = 0.5\n",
         {"scene.toml:5: contact.pair[0].between[1]: there is no group or wall 'flor'"}},
        {"pair twice",
         time_section + group +
             "[[contact.pair]]\nbetween = [\"grains\", \"default\"]\nrestitution = 0.5\n"
             "[[contact.pair]]\nbetween = [\"default\", \"grains\"]\nrestitution = 0.4\n",
         {"scene.toml:7: contact.pair[1]: the pair 'default' and 'grains' is given twice"}},
        {"empty name",
         time_section + "[[counter]]\nname = \"\"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n",
         {"scene.toml:3: counter[0].name: expected a name"}},
        {"group twice",
         time_section + group + group,
         {"scene.toml:5: group[1].name: the name 'grains' is taken"}},
        {"wall twice",
         time_section + "[[wall]]\nkind = \"plane\"\nname = \"w\"\nnormal = [0, 0, 1]\n"
                        "[[wall]]\nkind = \"plane\"\nname = \"w\"\nnormal = [0, 1, 0]\n",
         {"scene.toml:8: wall[1].name: the name 'w' is taken by another wall"}},
        {"wall and group",
         time_section + group + "[[wall]]\nkind = \"plane\"\nname = \"grains\"\nnormal = [0, 0, 1]\n",
         {"scene.toml:6: wall[0].name: the name 'grains' is taken by a group"}},
        {"key twice", "[time]\nstep = 1e-3\nstep = 1e-4\nend = 1\n", {"scene.toml:3: not valid TOML"}},
        {"region",
         time_section +
             "[[inlet]]\nradius = 0.1\ndensity = 1\nregion = { kind = \"hopper\", wall = \"bin\" }\n",
         {"scene.toml:5: inlet[0].region.wall: there is no wall of kind \"hopper\" named 'bin'"}},
    });
}

TEST_CASE("what is no TOML is refused at its line with the likely mistake") {
    check_all({
        {"decimal comma", "[time]\nstep = 0,5\nend = 1\n", {"scene.toml:2: ", "decimal point: 0.5, not 0,5"}},
        {"decimal commas in a vector",
         time_section + "gravity = [0,0, 0,0, 9,81]\n",
         {"scene.toml:2: gravity: ", "found 6"}},
        {"decimal commas in a position",
         sphere("position = [0,5, 0,5, 0,5]\nradius = 1\nmass = 1\n"),
         {"scene.toml:4: ", "decimal point"}},
        {"decimal comma in quotes",
         sphere("position = [0, 0, 0]\nradius = \"0,5\"\nmass = 1\n"),
         {"scene.toml:5: particles[0].radius: ", "decimal point"}},
        {"bare word", time_section + "[solver]\nkind = apgd\n", {"scene.toml:3: ", "quotes"}},
        {"point without digit", "[time]\nstep = .5\nend = 1\n", {"scene.toml:2: ", "0.5"}},
        {"open array", time_section + "gravity = [0, 0,\n", {"scene.toml:", "not valid TOML"}},
        {"overflow", "[time]\nstep = 1e400\nend = 1\n", {"scene.toml:2: "}},
        {"binary", "\x01\xff\xfe\x80", {"scene.toml:1: not valid TOML", "text file"}},
        {"zero bytes", std::string("a\0b", 3), {"scene.toml: ", "binary"}},
        {"empty", "", {"scene.toml: the file is empty"}},
        {"comment only", "# nothing\n", {"scene.toml: the file is empty"}},
    });
}

TEST_CASE("keys of absurdly many parts are refused in a file and on the command line") {
    std::string key = "a";
    for (int part = 0; part < 100'000; ++part) key += ".a";
    CHECK(refusal(time_section + key + " = 1\n") ==
          "scene.toml:2: a key of more than 256 parts; keys are such as time.step");
    CHECK(holds(refusal(time_section, {"time={ " + key + " = 1 }"}),
                {"--set time: a key of more than 256 parts"}));
    CHECK(refusal(time_section, {key + "=1"}) ==
          "--set: a key of more than 256 parts; keys are such as time.step");
}

TEST_CASE("a path that is no readable file is refused") {
    const scene_text::Folder folder;
    const auto message_for = [](const std::string& path) {
        try {
            talus::read_scene(path);
        } catch (const talus::InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(holds(message_for(folder.path() + "/none.toml"), {"none.toml: there is no such file"}));
    CHECK(holds(message_for(folder.path()), {folder.path() + ": this is a directory"}));
}

TEST_CASE("a locale with decimal commas changes no number") {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        char do_thousands_sep() const override { return '.'; }
        std::string do_grouping() const override { return "\3"; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
    const talus::Scene scene = scene_text::read(
        "parameters = { a = 1234.5, b = \"0.25*a\" }\ntime = { step = 1.5e-3, end = \"2.5 + b - 308.625\" "
        "}\n",
        {"output.every=0.125"});
    const std::string message = refusal("time = { step = -0.5, end = 1.0 }\n");
    std::locale::global(before);
    CHECK(scene.step.time_step == 1.5e-3);
    CHECK(scene.end == 2.5);  // 0.25 * 1234.5 = 308.625, exact in binary
    CHECK(scene.output.every == 0.125);
    CHECK(holds(message, {"found -0.5"}));
}
