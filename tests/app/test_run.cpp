#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "command.hpp"

using command::contains;
using command::last_value;
using command::occurrences;
using command::Result;
using command::Workplace;

namespace {

const char* const kTwoSpheres =
    "dimension = 2\n[time]\nstep = 0.005\nend = 0.5\n[[particles]]\nkind = \"list\"\n"
    "positions = [[-0.2, -0.05], [0.2, 0.05]]\n"
    "velocities = [[0.25, 0.0], [-0.25, 0.0]]\nradius = 0.1\nmass = 1.0\n"
    "[output]\nevery = 0.025\n";

// 20 equal balls on top of each other in gravity, touching: the slowest case for a solver.
std::string tower(int max_iterations, double end) {
    std::string positions;
    for (int k = 0; k < 20; ++k) positions += "[0.0, " + std::to_string(0.1 * k + 0.05) + "], ";
    return "dimension = 2\ngravity = [0.0, -9.81]\n[time]\nstep = 0.01\nend = " + std::to_string(end) +
           "\n[solver]\nkind = \"uzawa\"\nmax_iterations = " + std::to_string(max_iterations) +
           "\n[[wall]]\nname = \"floor\"\nkind = \"plane\"\nnormal = [0.0, 1.0]\n"
           "[[particles]]\nkind = \"list\"\npositions = [" +
           positions + "]\nradius = 0.05\nmass = 1.0\n[output]\nseries_every = 1.0\n";
}

// A disc between two walls that is wider than their distance from t = 0.5 s on.
const char* const kJam =
    "dimension = 2\n[time]\nstep = 0.01\nend = 1.0\n[[wall]]\nname = \"left\"\nkind = \"plane\"\n"
    "point = [-0.15, 0.0]\nnormal = [1.0, 0.0]\n[[wall]]\nname = \"right\"\nkind = \"plane\"\n"
    "point = [0.15, 0.0]\nnormal = [-1.0, 0.0]\n[[group]]\nname = \"growing\"\n"
    "radius_scale = { kind = \"ramp\", value = 1.0, rate = 1.0 }\n"
    "[[particles]]\nkind = \"sphere\"\nposition = [0.0, 0.0]\nradius = 0.1\nmass = 1.0\n"
    "group = \"growing\"\n[output]\nevery = 0.1\n";

/// Words of the line of the summary that begins with `first`, after it; empty if there is none.
std::vector<std::string> row_of(const std::string& summary, const std::string& first) {
    std::istringstream lines(summary);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream stream(line);
        std::vector<std::string> words;
        for (std::string word; stream >> word;) words.push_back(word);
        if (!words.empty() && words[0] == first) return {words.begin() + 1, words.end()};
    }
    return {};
}

/// Shell text that starts a run without an end, as process $run, and waits until it has made some steps.
std::string started_in_background(const std::string& options) {
    return "$TALUS run two.toml --until 1e6 --quiet --set output.every=1000 " + options +
           " & run=$!; until [ $(cat */series.csv */*/series.csv | wc -l) -gt 50 ]; do sleep 0.05; done; ";
}

std::string all_frames(const Workplace& here, const std::string& directory) {
    std::string bytes;
    for (int k = 0; k < 100; ++k) {
        const std::string number = std::to_string(1000000 + k).substr(1);
        bytes += here.read(directory + "/particles_" + number + ".vtp");
    }
    return bytes;
}

}  // namespace

TEST_CASE(
    "two spheres: the kinetic energy falls from 1/16 J to 1/64 J, and frames come at exact times, once "
    "each") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    const Result result = here.talus("run two.toml");
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    CHECK(result.err.empty());
    // The contact is made at the end of a step: directions are wrong by O(v h / d) = 0.005 * 0.25 / 0.2.
    CHECK(last_value(here.read("results/two/series.csv"), "kinetic_energy") ==
          doctest::Approx(0.015625).epsilon(0.02));
    const std::string frames = here.read("results/two/particles.pvd");
    CHECK(occurrences(frames, "<DataSet") == 21);
    for (const char* time : {"\"0\"", "\"0.025\"", "\"0.05\"", "\"0.45\"", "\"0.5\""}) {
        CAPTURE(time);
        CHECK(occurrences(frames, std::string("timestep=") + time) == 1);
    }
    CHECK(here.read("results/two/scene.toml") == kTwoSpheres);
    const std::string summary = here.read("results/two/summary.txt");
    CHECK(contains(summary, "2 created = 2 inside + 0 removed"));
    CHECK(contains(summary, "none of 100 steps"));
    CHECK(contains(result.out, summary));
}

TEST_CASE(
    "a profile accounts for all of the wall time, stage by stage, and gives the bandwidth of the solve") {
    const Workplace here;
    here.write("tower.toml", tower(10, 1.0));
    const Result result = here.talus("run tower.toml --profile --set solver.kind=monotone_pgs");
    CAPTURE(result.out);
    REQUIRE(result.code == 0);
    const std::string summary = here.read("results/tower/summary.txt");
    CHECK(contains(result.out, summary));
    double share = 0.0;
    for (const char* stage :
         {"broad_phase", "contacts", "prepare", "solve", "integrate", "checks", "write", "other"}) {
        const std::vector<std::string> row = row_of(summary, stage);
        CAPTURE(stage);
        REQUIRE(row.size() == 6);  // share, %, calls, seconds, ms a call, GB/s
        share += std::stod(row[0]);
        if (row[2] != "-") {
            const double each = 1e3 * std::stod(row[3]) / std::stod(row[2]);
            // Seconds are printed to 0.5 ms, milliseconds to 0.5 us.
            CHECK(std::abs(std::stod(row[4]) - each) < 0.5 / std::stod(row[2]) + 6e-4);
        }
        CHECK((row[5] != "-") == (std::string(stage) == "solve"));
    }
    CHECK(std::abs(share - 100.0) < 8 * 0.05 + 1e-9);  // eight numbers, printed to 0.05
    CHECK(row_of(summary, "integrate")[2] == "100");   // steps
    CHECK(row_of(summary, "write")[2] == "3");         // two frames, and the wait for them at the end
    CHECK(contains(summary, "beside the steps"));
    CHECK(last_value(here.read("results/tower/series.csv"), "seconds_prepare") > 0.0);

    const Result plain = here.talus("run tower.toml --force");
    CHECK_FALSE(contains(plain.out, "ms/call"));
}

TEST_CASE("an end that is no multiple of the step is said and reached by the next one") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    const Result result = here.talus("run two.toml --until 0.1024 --quiet");
    CHECK(result.code == 0);
    CHECK(contains(result.err, "no multiple"));
    CHECK(last_value(here.read("results/two/series.csv"), "time") == 21 * 0.005);
}

TEST_CASE("results are the same bytes on one thread and on all, and for a run that is repeated") {
    const Workplace here;
    const std::string run =
        "run " + command::shipped_scene("hopper_2d") + " --until 0.01 --quiet --set output.every=0.005 ";
    REQUIRE(here.talus(run + "--threads 1 --out one").code == 0);
    REQUIRE(here.talus(run + "--out all").code == 0);
    REQUIRE(here.talus(run + "--threads 1 --out one --force").code == 0);
    CHECK(all_frames(here, "one").size() > 1000);
    CHECK(all_frames(here, "one") == all_frames(here, "all"));
}

TEST_CASE("results are replaced only with --force, and then foreign files stay") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    REQUIRE(here.talus("run two.toml --out here --quiet").code == 0);
    const std::string before = here.read("here/particles.pvd");
    const Result refused = here.talus("run two.toml --out here --until 0.05");
    CHECK(refused.code == 1);
    CHECK(contains(refused.err, "--force"));
    CHECK(here.read("here/particles.pvd") == before);

    here.write("here/notes.txt", "mine");
    const Result bad_scene = here.talus("run two.toml --out here --force --set particles[0].radius=0.4");
    CHECK(bad_scene.code == 1);
    CHECK(here.read("here/particles.pvd") == before);

    CHECK(here.talus("run two.toml --out here --until 0.05 --force --quiet").code == 0);
    CHECK(here.read("here/notes.txt") == "mine");
    CHECK(occurrences(here.read("here/particles.pvd"), "<DataSet") == 3);
    CHECK_FALSE(here.has("here/particles_000010.vtp"));
}

TEST_CASE(
    "an overlap at the start is refused with its ids and leaves nothing behind, or resolved without speed") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    const std::string run =
        "run two.toml --set 'particles[0].positions=[[0.0,0.0],[0.15,0.0]]' "
        "--set 'particles[0].velocities=[[0.0,0.0],[0.0,0.0]]' --out here ";
    const Result refused = here.talus(run);
    CAPTURE(refused.err);
    CHECK(refused.code == 1);
    CHECK(contains(refused.err, "1 overlapping pair"));
    CHECK(contains(refused.err, "between 0 and 1"));
    CHECK_FALSE(here.has("here"));
    const Result resolved = here.talus(run + "--set start.overlaps=resolve --quiet");
    CHECK(resolved.code == 0);
    CHECK(contains(resolved.err, "1 overlapping pair"));
    // What is left of the overlap, 1e-9 radii, may become speed once: (1e-10 m / 0.005 s)^2 / 2 each.
    CHECK(last_value(here.read("here/series.csv"), "kinetic_energy") < 1e-15);
}

TEST_CASE("scenes without particles and with one particle run") {
    const Workplace here;
    here.write("none.toml", "dimension = 3\n[time]\nstep = 0.1\nend = 1.0\n[output]\nevery = 0.1\n");
    CHECK(here.talus("run none.toml --quiet").code == 0);
    CHECK(occurrences(here.read("results/none/particles.pvd"), "<DataSet") == 11);
    here.write("one.toml",
               "dimension = 3\ngravity = [0.0, 0.0, -9.81]\n[time]\nstep = 0.01\nend = 1.0\n[[particles]]\n"
               "kind = \"sphere\"\nposition = [0.0, 0.0, 10.0]\nradius = 0.5\nmass = 2.0\n");
    CHECK(here.talus("run one.toml --quiet").code == 0);
    // v = g t, so E = m (g t)^2 / 2.
    CHECK(last_value(here.read("results/one/series.csv"), "kinetic_energy") == doctest::Approx(9.81 * 9.81));
}

TEST_CASE(
    "a directory of results is made with its parents; a file or a place without files is refused at once") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    CHECK(here.talus("run two.toml --quiet --out a/b/c").code == 0);
    CHECK(here.has("a/b/c/summary.txt"));
    for (const std::string out : {"two.toml", "two.toml/below", "/proc/talus"}) {
        const Result result = here.talus("run two.toml --out " + out);
        CAPTURE(result.err);
        CHECK(result.code == 4);
        CHECK(contains(result.err, out));
        CHECK(occurrences(result.err, "\n") == 1);
        CHECK_FALSE(contains(result.out, "steps/s"));
    }
    CHECK(here.read("two.toml") == kTwoSpheres);
}

TEST_CASE("a directory in which nothing can be written is not left behind") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    const Result result = here.shell("(trap '' XFSZ; ulimit -f 0; $TALUS run two.toml --out new) 2>&1 | cat");
    CHECK(contains(result.out, "no file can be written in this directory"));
    CHECK_FALSE(here.has("new"));
}

TEST_CASE("a full disc ends the run with code 4 and the name of the file; what is listed is complete") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    // No file may grow beyond 16 kB: the series does after some rows.
    const Result result =
        here.shell("trap '' XFSZ; ulimit -f 32; $TALUS run two.toml --until 5 --out here --quiet");
    CAPTURE(result.err);
    CHECK(result.code == 4);
    CHECK(contains(result.err, "here/"));
    const std::string frames = here.read("here/particles.pvd");
    CHECK(contains(frames, "</VTKFile>"));
    const Result info = here.talus("info here");
    CHECK(info.code == 0);
}

TEST_CASE("a frame that can not be written ends the run before the next but one; those before are listed") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    std::filesystem::create_directories(here.path("here/particles_000003.vtp"));
    const Result result = here.talus("run two.toml --until 50 --out here --quiet");
    CAPTURE(result.err);
    CHECK(result.code == 4);
    CHECK(contains(result.err, "here/particles_000003.vtp: is not a regular file"));
    CHECK(occurrences(result.err, "\n") == 1);
    CHECK(occurrences(here.read("here/particles.pvd"), "<DataSet") == 3);
    // Frame 3 is that of step 15; one more may wait while it is written, and the next, of step 25, can not.
    CHECK(last_value(here.read("here/series.csv"), "step") < 25);
    CHECK_FALSE(here.has("here/summary.txt"));

    std::filesystem::create_directories(here.path("there/particles_000001.vtp"));
    const Result early = here.talus("run two.toml --until 1e6 --set output.every=50 --out there --quiet");
    CHECK(early.code == 4);
    CHECK(contains(early.err, "there/particles_000001.vtp: is not a regular file"));
    const double last = last_value(here.read("there/series.csv"), "step");
    CHECK(last >= 10000);  // that of frame 1
    CHECK(last < 20000);   // the next frame would have been pushed

    std::filesystem::create_directories(here.path("first/particles_000000.vtp"));
    CHECK(here.talus("run two.toml --until 1e6 --out first --quiet").code == 4);
    CHECK(occurrences(here.read("first/series.csv"), "\n") == 1);  // no step was made
}

TEST_CASE(
    "growth that jams ends with code 2; the frames end with the last state before, and the summary says "
    "why") {
    const Workplace here;
    here.write("jam.toml", kJam);
    const Result result = here.talus("run jam.toml");
    CAPTURE(result.err);
    CHECK(result.code == 2);
    CHECK(contains(result.err, "jammed"));
    CHECK(contains(here.read("results/jam/summary.txt"), "jammed"));
    // The radius 0.1 (1 + t) reaches half the distance of the walls, 0.15 m, at t = 0.5 s.
    CHECK(last_value(here.read("results/jam/series.csv"), "time") == doctest::Approx(0.5));
    CHECK(contains(here.read("results/jam/particles.pvd"), "timestep=\"0.5\""));
    CHECK(occurrences(here.read("results/jam/particles.pvd"), "<DataSet") == 6);  // every 0.1 s
}

TEST_CASE(
    "steps that did not converge are counted, and with --strict the first one ends the run with code 3") {
    const Workplace here;
    here.write("tower.toml", tower(10, 1.0));
    const Result result = here.talus("run tower.toml");
    CAPTURE(result.err);
    CHECK(result.code == 0);
    const double unconverged = last_value(here.read("results/tower/series.csv"), "unconverged");
    CHECK(unconverged > 90);
    CHECK(contains(here.read("results/tower/summary.txt"), "of 100 steps, the first is step 1"));
    // Last, where it is seen, in the summary and for those who keep only the errors.
    const std::string summary = here.read("results/tower/summary.txt");
    const std::string last_line = summary.substr(summary.rfind('\n', summary.size() - 2) + 1);
    CHECK(last_line.starts_with("WARNING: "));
    CHECK(contains(last_line, "of 100 steps did not converge (worst residual "));
    CHECK(contains(last_line, "exceed the tolerances (residual 0.0001, overlap 0.0001)"));
    CHECK(result.err.ends_with(last_line));
    CHECK(occurrences(result.err, "WARNING") == 1);
    const Result strict = here.talus("run tower.toml --strict --force");
    CHECK(strict.code == 3);
    CHECK(contains(strict.err, "step 1 (t = 0.01 s) did not converge (--strict): residual "));
    CHECK(contains(strict.err, "overlap_tolerance = 0.0001"));
    CHECK(contains(here.read("results/tower/particles.pvd"), "timestep=\"0.01\""));
}

TEST_CASE("two thousand warnings take a few lines") {
    const Workplace here;
    here.write("tower.toml", tower(1, 20.0));
    const Result result = here.talus("run tower.toml");
    CHECK(result.code == 0);
    CHECK(last_value(here.read("results/tower/series.csv"), "unconverged") > 1900);
    CHECK(occurrences(result.err, "\n") < 20);
    CHECK(occurrences(result.out, "\n") < 50);
}

TEST_CASE("Ctrl-C ends a run with code 130, the last state as a frame and a summary") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    for (const std::string signal : {"INT", "TERM"}) {
        const Result result = here.shell("rm -rf results; " + started_in_background("") + "kill -" + signal +
                                         " $run; wait $run");
        CAPTURE(result.err);
        CHECK(result.code == 130);
        CHECK(contains(result.err, "interrupted"));
        CHECK(contains(here.read("results/two/summary.txt"), "interrupted"));
        const double time = last_value(here.read("results/two/series.csv"), "time");
        CHECK(time > 0.0);
        CHECK(occurrences(here.read("results/two/particles.pvd"), "<DataSet") >= 2);
    }
}

TEST_CASE("after kill -9 what is there can be read") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    CHECK(here.shell(started_in_background("--out here") + "kill -KILL $run; wait $run").code == 137);
    const Result info = here.talus("info here");
    CAPTURE(info.err);
    CHECK(info.code == 0);
    CHECK(contains(info.out, "velocity"));
    CHECK(here.talus("run two.toml --out here --force --quiet").code == 0);
}

TEST_CASE("info tells frames, times and arrays of results") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    REQUIRE(here.talus("run two.toml --quiet --out here").code == 0);
    const Result info = here.talus("info here");
    CHECK(info.code == 0);
    for (const char* part :
         {"21 frames, t = 0 s to 0.5 s", "2 points", "velocity", "radius", "101 rows", "summary.txt"}) {
        CAPTURE(part);
        CHECK(contains(info.out, part));
    }
    const Result series = here.talus("info here/series.csv");
    CHECK(series.code == 0);
    for (const char* part : {"101 rows of 28 columns, t = 0 s to 0.5 s", "  overlap ", "  residual "}) {
        CAPTURE(part);
        CHECK(contains(series.out, part));
    }
    CHECK(here.talus("info here/particles.pvd").code == 0);
    CHECK(here.talus("info here/contacts_000000.vtp").code == 0);
    here.write("broken.vtp", "<VTKFile type=\"PolyData\">");
    const Result broken = here.talus("info broken.vtp");
    CHECK(broken.code == 1);
    CHECK(occurrences(broken.err, "\n") == 1);
}

TEST_CASE(
    "the series has the force on each wall, once for each name, and what slides where there is friction") {
    const Workplace here;
    here.write(
        "box.toml",
        "dimension = 2\ngravity = [0.0, -9.81]\n[time]\nstep = 0.001\nend = 0.01\n"
        "[[wall]]\nname = \"bin\"\nkind = \"box\"\nlow = [-1, 0]\nhigh = [1, 1]\n"
        "[[wall]]\nname = \"far off\"\nkind = \"hopper\"\nshape = \"flat\"\noutlet = [0, -9]\n"
        "outlet_width = 0.5\nwidth = 2.0\nbin_height = 1.0\nopens = 1.0\n"
        "[[particles]]\nkind = \"sphere\"\nposition = [0.0, 0.1]\nvelocity = [1.0, 0.0]\nradius = 0.1\n"
        "mass = 2.0\n");
    const auto series_of = [&](const std::string& settings) {
        const Result result = here.talus("run box.toml --quiet --strict --force --out here " + settings);
        CAPTURE(result.err);
        REQUIRE(result.code == 0);
        return here.read("here/series.csv");
    };
    const std::string plain = series_of("");
    const std::string walls =
        ",force_bin_x,force_bin_y,force_bin_z,force_far_off_x,force_far_off_y,force_far_off_z,"
        "force_far_off_gate_x,force_far_off_gate_y,force_far_off_gate_z,seconds_";
    CHECK(occurrences(plain, walls) == 1);
    CHECK(occurrences(plain, "force_") == 9);
    CHECK(contains(plain, ",coordination,coordination_no_rattlers,"));
    CHECK_FALSE(contains(plain, "sliding_fraction"));
    CHECK(last_value(plain, "force_bin_x") == 0.0);
    CHECK(last_value(plain, "force_bin_y") == doctest::Approx(-2.0 * 9.81));
    CHECK(last_value(plain, "force_far_off_y") == 0.0);
    CHECK(last_value(plain, "coordination") == 1.0);
    CHECK(last_value(plain, "coordination_no_rattlers") == 0.0);

    const std::string rough = series_of("--set contact.friction=0.25");
    CHECK(contains(rough, walls));
    CHECK(last_value(rough, "force_bin_x") == doctest::Approx(0.25 * 2.0 * 9.81));
    CHECK(last_value(rough, "sliding_fraction") == 1.0);
    CHECK(contains(here.talus("info here/series.csv").out, "  force_bin_y "));
    // A law whose coefficients are all zero is no friction.
    CHECK_FALSE(contains(series_of("--set contact.law=coulomb"), "sliding_fraction"));
}

TEST_CASE(
    "after a step that can not be made no wall has a force in the last row, friction of the step before "
    "included") {
    const Workplace here;
    here.write("jam.toml", kJam);
    REQUIRE(
        here.talus("run jam.toml --quiet --out here --set output.series_every=0.3 --set contact.friction=0.5 "
                   "--set gravity=[1.0,-9.81]")
            .code == 2);
    const std::string series = here.read("here/series.csv");
    REQUIRE(last_value(series, "time") == doctest::Approx(0.5));
    for (const char* column : {"force_left_x", "force_left_y", "force_right_x", "force_right_y"}) {
        CAPTURE(column);
        CHECK(last_value(series, column) == 0.0);
    }
}

TEST_CASE("all frames of a run show rotation where it has friction or starts with a spin, and no others do") {
    const Workplace here;
    here.write("two.toml", kTwoSpheres);
    const auto arrays_of = [&](const std::string& settings, const std::string& frame) {
        REQUIRE(here.talus("run two.toml --quiet --force --out here " + settings).code == 0);
        return here.talus("info here/particles_" + frame + ".vtp").out +
               here.talus("info here/contacts_" + frame + ".vtp").out;
    };
    const std::string spin = "--set particles[0].angular_velocity=2", friction = "--set contact.friction=0.5";
    for (const std::string frame : {"000000", "000020"}) {
        const std::string plain = arrays_of("", frame);
        for (const char* array : {"orientation", "angular_velocity", "force_tangential", "sliding"}) {
            CAPTURE(array);
            CHECK_FALSE(contains(plain, array));
            CHECK(contains(arrays_of(spin, frame), array));
            CHECK(contains(arrays_of(friction, frame), array));
        }
    }
}

TEST_CASE("info names the columns of a packing that are ignored") {
    const Workplace here;
    here.write("p.csv", "x,y,radius,vel_x\n1,2,0.5,3\n");
    const Result info = here.talus("info p.csv");
    CHECK(info.code == 0);
    CHECK(contains(info.out, "ignored   vel_x"));
}

TEST_CASE("a scene that lies where its copy among the results would go is refused and stays as it is") {
    const Workplace here;
    const std::string text = std::string("# a comment that a copy would lose\n") + kTwoSpheres;
    here.write("scene.toml", text);
    const Result result = here.talus("run scene.toml --out . --force --set time.end=0.1");
    CHECK(result.code == 1);
    CHECK(contains(result.err, "choose another directory"));
    CHECK(here.read("scene.toml") == text);
}
