#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "command.hpp"

using command::contains;
using command::occurrences;
using command::Result;
using command::Workplace;

namespace {

/// A line that says what is wrong and one that says where help is, nothing else.
void check_usage_error(const Result& result, const std::string& expected) {
    CAPTURE(result.err);
    CHECK(result.code == 1);
    CHECK(result.out.empty());
    CHECK(contains(result.err, expected));
    CHECK(occurrences(result.err, "\n") == 2);
    CHECK(contains(result.err, "--help"));
}

/// One line that says what is wrong.
void check_input_error(const Result& result, const std::string& expected) {
    CAPTURE(result.err);
    CHECK(result.code == 1);
    CHECK(contains(result.err, expected));
    CHECK(occurrences(result.err, "\n") == 1);
}

}  // namespace

TEST_CASE("a wrong command line ends with code 1, what is wrong and where help is") {
    const Workplace here;
    check_usage_error(here.talus(""), "a command is missing; expected one of: run, check, info");
    check_usage_error(here.talus("dance"), "'dance' is no command; expected one of: run, check, info");
    check_usage_error(here.talus("--dance"), "'--dance' is no option of talus; expected one of: --help");
    check_usage_error(here.talus("run"), "SCENE is missing; expected: talus run SCENE");
    check_usage_error(here.talus("run a.toml --colour red"), "'--colour' is no option of talus run");
    check_usage_error(here.talus("run a.toml --colour red"), "--out, --threads, --set, --until");
    check_usage_error(here.talus("run a.toml b.toml"), "'b.toml' is one argument too many");
    check_usage_error(here.talus("run a.toml --out"), "--out: the value is missing; expected: --out DIR");
    check_usage_error(here.talus("run a.toml --out b --out c"), "--out: is given 2 times; expected once");
    check_usage_error(here.talus("run a.toml --quiet=5"), "--quiet: stands alone; expected no value");
    check_usage_error(here.talus("run a.toml --set a.b=1 --set"), "expected: --set KEY=VALUE");
    check_usage_error(here.talus("info"), "PATH is missing; expected: talus info PATH");
}

TEST_CASE("an empty value, as of a variable that is not set, is refused and not taken for the default") {
    const Workplace here;
    const std::string run = "run " + command::shipped_scene("two_spheres");
    for (const std::string option : {"--out", "--threads", "--until", "--set"}) {
        check_usage_error(here.talus(run + " " + option + " ''"), option + ": expected ");
    }
    check_usage_error(here.talus("render here --out ''"), "--out: expected FILE, found ''");
    check_usage_error(here.talus("run ''"), "expected SCENE, found ''");
    CHECK_FALSE(here.has("results"));
}

TEST_CASE("what render can not draw is refused by name, with a display or without") {
    const Workplace here;
    REQUIRE(here.talus("run " + command::shipped_scene("two_spheres") + " --out here --quiet").code == 0);
    const std::string render = "unset DISPLAY; $TALUS render ";
    check_input_error(here.shell(render + "here --out p.jpg"), "--out p.jpg: pictures are PNG files");
    check_input_error(here.shell(render + "here --color hue"), "no point array 'hue'");
    check_input_error(here.shell(render + "here/series.csv"), "expected a directory of results");
    check_input_error(here.shell(render + "here/particles.pvd"), "xvfb-run");
    here.write("here/particles_000000.vtp", "<VTKFile");
    check_input_error(here.shell(render + "here"), "here/particles_000000.vtp: can not be read");
    CHECK_FALSE(here.has("here/picture.png"));
}

TEST_CASE("help and version end with code 0; help documents the exit codes") {
    const Workplace here;
    const Result help = here.talus("--help");
    CHECK(help.code == 0);
    for (const char* part : {"run", "check", "info", "list", "render", "Exit codes", "130"}) {
        CAPTURE(part);
        CHECK(contains(help.out, part));
    }
    const Result run_help = here.talus("run --help");
    CHECK(run_help.code == 0);
    CHECK(contains(run_help.out, "--strict"));
    const Result version = here.talus("--version");
    CHECK(version.code == 0);
    for (const char* part : {"talus ", "compiler", "Eigen 3", "VTK 9", "OpenMP"}) {
        CAPTURE(part);
        CHECK(contains(version.out, part));
    }
}

TEST_CASE("files and directories that are not there are named in one line") {
    const Workplace here;
    check_input_error(here.talus("run missing.toml"), "missing.toml");
    check_input_error(here.talus("check missing.toml"), "missing.toml");
    check_input_error(here.talus("info missing"), "missing");
    check_input_error(here.talus("render missing"), "missing");
    CHECK_FALSE(here.has("results/missing"));
    here.write("empty.toml", "");
    check_input_error(here.talus("run empty.toml"), "empty.toml");
    check_input_error(here.talus("info empty.toml"), "talus check");
    std::filesystem::create_directory(here.path("bare"));
    check_input_error(here.talus("info bare"), "particles.pvd");
}

TEST_CASE("an impossible number of threads or end is refused by name") {
    const Workplace here;
    const std::string run = "run " + command::shipped_scene("two_spheres") + " --out here ";
    for (const std::string threads : {"0", "-1", "two", "1.5", "1e6", "-99999999999999999999"}) {
        check_input_error(here.talus(run + "--threads=" + threads), "--threads");
    }
    for (const std::string until : {"0", "-1", "soon", "nan", "inf", "0,5", "1s"}) {
        check_input_error(here.talus(run + "--until=" + until), "--until");
    }
    CHECK_FALSE(here.has("here"));
}

TEST_CASE("more threads than there are is said, and the number used is printed") {
    const Workplace here;
    for (const std::string threads : {"1000000", "99999999999999999999"}) {
        const Result result =
            here.talus("run " + command::shipped_scene("two_spheres") + " --force --threads " + threads);
        CAPTURE(result.err);
        CHECK(result.code == 0);
        CHECK(contains(result.err, "--threads " + threads));
        CHECK(contains(result.out, " thread"));
    }
}

TEST_CASE("every --set takes one value and leaves the scene alone, wherever it stands") {
    const Workplace here;
    const std::string scene = command::shipped_scene("two_spheres");
    const Result result =
        here.talus("run --set time.end=0.1 --set output.every=0.05 " + scene + " --out here --quiet");
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK(result.out.empty());
    CHECK(command::last_value(here.read("here/series.csv"), "time") == doctest::Approx(0.1));
    CHECK(occurrences(here.read("here/particles.pvd"), "<DataSet") == 3);
    CHECK(contains(here.read("here/scene.toml"), "time.end=0.1"));
    check_input_error(here.talus("run " + scene + " --out other --set time.ende=1"), "time.ende");
    check_input_error(here.talus("run " + scene + " --out other --set time"), "key=value");
    CHECK_FALSE(here.has("other"));
}

TEST_CASE("list names what the scene reader accepts") {
    const Workplace here;
    const Result list = here.talus("list");
    CHECK(list.code == 0);
    const std::string scene = command::shipped_scene("two_spheres");
    for (const std::string key : {"solver.kind", "broad_phase.kind", "particles[0].kind"}) {
        const Result refused = here.talus("check " + scene + " --set " + key + "=none_such");
        CHECK(refused.code == 1);
        // The message ends with the names, separated by commas.
        std::string names = refused.err.substr(refused.err.rfind(':') + 1);
        CAPTURE(names);
        CHECK(occurrences(names, ",") >= 3);
        for (char& c : names) c = c == ',' || c == '\n' ? ' ' : c;
        std::istringstream stream(names);
        for (std::string name; stream >> name;) {
            CAPTURE(name);
            CHECK(contains(list.out, "  " + name + " "));
        }
    }
}

TEST_CASE("check shows the scene and fails where run would refuse the start") {
    const Workplace here;
    const std::string scene = command::shipped_scene("two_spheres");
    const Result good = here.talus("check " + scene);
    CHECK(good.code == 0);
    CHECK(contains(good.out, "no overlaps"));
    const Result bad = here.talus("check " + scene + " --set particles[0].radius=0.3");
    CAPTURE(bad.out);
    CHECK(bad.code == 1);
    CHECK(contains(bad.out, "1 overlapping pair"));
    CHECK_FALSE(here.has("results"));
}

TEST_CASE("numbers beyond any computer are refused by check and run alike, and nothing is written") {
    const Workplace here;
    const std::string time = "time = { step = 1e-3, end = 1.0 }\n";
    here.write("lattice.toml",
               time +
                   "[[particles]]\nkind = \"lattice\"\nradius = 1e-7\nspacing = 8e-4\nmass = 1.0\n"
                   "region = { kind = \"box\", low = [0, 0, 0], high = [1, 1, 1] }\n");
    here.write("wall.toml",
               time +
                   "[[wall]]\nkind = \"plane\"\nnormal = [0, 0, 1]\n"
                   "motion = { kind = \"schedule\", angle = { kind = \"exponential\", rate = 1e3 } }\n");
    for (const std::string command : {"check ", "run --out here "}) {
        check_input_error(here.talus(command + "lattice.toml"),
                          "lattice.toml:2: particles[0]: about 1.95e+09 particles");
        check_input_error(here.talus(command + "wall.toml"),
                          "wall.toml:5: wall[0].motion: the angle reaches inf rad");
    }
    CHECK_FALSE(here.has("here"));
}

TEST_CASE("output that can not be printed is an error") {
    const Workplace here;
    CHECK(here.shell("$TALUS list >/dev/full").code == 4);
}
