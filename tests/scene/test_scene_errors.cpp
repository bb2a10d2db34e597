#include <doctest/doctest.h>

#include <locale>

#include "scene/refusals.hpp"

using namespace scene_text;

TEST_CASE("a key that does not exist is refused at its line, with the nearest key or all keys") {
    check_all({
        {"slip",
         time_section + "[contact]\nrestituton = 0.5\n",
         {"scene.toml:3: contact.restituton: unknown key", "did you mean 'restitution'?"}},
        {"nothing near",
         time_section + "[contact]\nviscosity = 1.0\n",
         {"scene.toml:3: contact.viscosity: unknown key 'viscosity'; keys here: law, restitution, friction, "
          "rolling_friction, pair"}},
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
         {"scene.toml:3: solver.kind: unknown 'apgdd'; did you mean 'apgd'?; valid: monotone_pgs, clip_cg, "
          "apgd, uzawa, exact"}},
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

TEST_CASE("friction that would have no effect, or is out of range, is refused with what to do") {
    const std::string wall = "[[wall]]\nkind = \"disc\"\nname = \"lid\"\nradius = 1\n";
    const std::string pair = "[[contact.pair]]\nbetween = [\"default\", \"default\"]\n";
    const std::string inelastic = time_section + "[contact]\nlaw = \"inelastic\"\n";
    check_all({
        {"law",
         time_section + "[contact]\nlaw = \"coulombe\"\n",
         {"scene.toml:3: contact.law: unknown 'coulombe'; did you mean 'coulomb'?; valid: inelastic, "
          "coulomb, "
          "coulomb_relaxed"}},
        {"negative",
         time_section + "[contact]\nfriction = -0.1\n",
         {"scene.toml:3: contact.friction: expected a number >= 0 and <= 1000000, found -0.1"}},
        {"negative, group",
         time_section + "[[group]]\nname = \"g\"\nfriction = -1\n",
         {"scene.toml:4: group[0].friction: expected a number >= 0 and <= 1000000, found -1"}},
        {"negative, wall",
         time_section + wall + "friction = -1\n",
         {"scene.toml:6: wall[0].friction: expected a number >= 0 and <= 1000000, found -1"}},
        {"negative, pair",
         time_section + pair + "friction = -1\n",
         {"scene.toml:4: contact.pair[0].friction: expected a number >= 0 and <= 1000000, found -1"}},
        {"empty pair",
         time_section + pair,
         {"scene.toml:2: contact.pair[0]: nothing is said about the pair: expected 'restitution', "
          "'friction' or 'rolling_friction'"}},
        {"inelastic, default",
         inelastic + "friction = 0.5\n",
         {"scene.toml:3: contact.law: the law \"inelastic\" has no friction, but friction = 0.5; choose "
          "\"coulomb\""}},
        {"inelastic, wall",
         inelastic + wall + "friction = 0.5\n",
         {"scene.toml:3: contact.law: ", "'lid' has friction = 0.5"}},
        {"inelastic, pair",
         inelastic + pair + "friction = 0.5\n",
         {"scene.toml:3: contact.law: ", "the pair 'default' and 'default' has friction = 0.5"}},
    });
}

TEST_CASE("rolling friction that would have no effect, or is out of range, is refused with what to do") {
    const std::string wall = "[[wall]]\nkind = \"disc\"\nname = \"lid\"\nradius = 1\n";
    const std::string pair = "[[contact.pair]]\nbetween = [\"default\", \"default\"]\n";
    const std::string inelastic = time_section + "[contact]\nlaw = \"inelastic\"\n";
    const std::string relaxed = time_section + "[contact]\nlaw = \"coulomb_relaxed\"\nfriction = 0.5\n";
    check_all({
        {"negative",
         time_section + "[contact]\nrolling_friction = -0.1\n",
         {"scene.toml:3: contact.rolling_friction: expected a number >= 0 and <= 1000000, found -0.1"}},
        {"negative, group",
         time_section + "[[group]]\nname = \"g\"\nrolling_friction = -1\n",
         {"scene.toml:4: group[0].rolling_friction: expected a number >= 0 and <= 1000000, found -1"}},
        {"negative, wall",
         time_section + wall + "rolling_friction = -1\n",
         {"scene.toml:6: wall[0].rolling_friction: expected a number >= 0 and <= 1000000, found -1"}},
        {"negative, pair",
         time_section + pair + "rolling_friction = -1\n",
         {"scene.toml:4: contact.pair[0].rolling_friction: expected a number >= 0 and <= 1000000, found -1"}},
        {"inelastic",
         inelastic + "rolling_friction = 0.5\n",
         {"scene.toml:3: contact.law: the law \"inelastic\" has no friction, but rolling_friction = 0.5"}},
        {"relaxed",
         relaxed + "rolling_friction = 0.5\n",
         {"scene.toml:3: contact.law: the law \"coulomb_relaxed\" has no rolling resistance, but "
          "rolling_friction = 0.5; choose \"coulomb\", leave 'law' out, or set the coefficient to 0"}},
        {"relaxed, wall",
         relaxed + wall + "rolling_friction = 0.5\n",
         {"scene.toml:3: contact.law: ", "'lid' has rolling_friction = 0.5"}},
        {"relaxed, pair",
         relaxed + pair + "rolling_friction = 0.5\n",
         {"scene.toml:3: contact.law: ", "the pair 'default' and 'default' has rolling_friction = 0.5"}},
    });
}

TEST_CASE("rotation that can not be is refused with what to do") {
    const std::string locked = "[[group]]\nname = \"g\"\nrotation = \"locked\"\n";
    const std::string frozen = "[[group]]\nname = \"g\"\nfrozen = true\n";
    const std::string in_g = "position = [0, 0, 0]\nradius = 1\nmass = 1\ngroup = \"g\"\n";
    const std::string disc = "[[particles]]\nkind = \"sphere\"\nposition = [0, 0]\nradius = 1\nmass = 1\n";
    const std::string two =
        time_section +
        "[[particles]]\nkind = \"list\"\npositions = [[0, 0, 0], [3, 0, 0]]\nradius = 1\nmass = 1\n";
    check_all({
        {"inertia",
         time_section + "[[group]]\nname = \"g\"\ninertia = \"hollo\"\n",
         {"scene.toml:4: group[0].inertia: unknown 'hollo'; did you mean 'hollow'?; valid: solid, hollow"}},
        {"rotation",
         time_section + "[[group]]\nname = \"g\"\nrotation = false\n",
         {"scene.toml:4: group[0].rotation: expected one of free, locked, found"}},
        {"locked",
         sphere(in_g + "angular_velocity = [0, 0, 1]\n" + locked),
         {"scene.toml:8: particles[0].angular_velocity: the group 'g' is locked", "can not spin"}},
        {"frozen",
         sphere(in_g + "angular_velocity = [0, 0, 1]\n" + frozen),
         {"scene.toml:8: particles[0].angular_velocity: the group 'g' is frozen", "can not spin"}},
        {"locked list",
         two + "group = \"g\"\nangular_velocities = [[0, 0, 0], [0, 0, 1]]\n" + locked,
         {"scene.toml:8: particles[0].angular_velocities: the group 'g' is locked"}},
        {"number in 3-D",
         sphere("position = [0, 0, 0]\nradius = 1\nmass = 1\nangular_velocity = 1\n"),
         {"scene.toml:7: particles[0].angular_velocity: expected an array in [ ], found"}},
        {"vector in 2-D",
         plane_scene(disc + "angular_velocity = [0, 0, 1]\n"),
         {"scene.toml:8: particles[0].angular_velocity: expected one number [rad/s] (dimension = 2)"}},
        {"both",
         two + "angular_velocity = [0, 0, 1]\nangular_velocities = [[0, 0, 1], [0, 0, 1]]\n",
         {"scene.toml:8: particles[0].angular_velocities: give angular_velocity or angular_velocities"}},
        {"too few",
         two + "angular_velocities = [[0, 0, 1]]\n",
         {"scene.toml:7: particles[0].angular_velocities: expected one entry for each of the 2 positions"}},
    });
    CHECK(refusal(sphere(in_g + "angular_velocity = [0, 0, 0]\n" + locked)).empty());
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
        {"pair of walls",
         time_section + "[[wall]]\nkind = \"plane\"\nname = \"w\"\nnormal = [0, 0, 1]\n"
                        "[[contact.pair]]\nbetween = [\"w\", \"w\"]\nfriction = 0.4\n",
         {"scene.toml:7: contact.pair[0].between: 'w' and 'w' never touch: expected at least one group that "
          "is not frozen"}},
        {"pair of a frozen group",
         time_section + "[[group]]\nname = \"base\"\nfrozen = true\n"
                        "[[contact.pair]]\nbetween = [\"base\", \"base\"]\nfriction = 0.4\n",
         {"scene.toml:6: contact.pair[0].between: 'base' and 'base' never touch"}},
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
