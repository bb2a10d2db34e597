#include <doctest/doctest.h>

#include <string>

#include "command.hpp"

using command::contains;
using command::last_value;
using command::occurrences;
using command::Result;
using command::Workplace;

namespace {

// A fine disc that falls past a counter, and a large one that rests on a plate behind it.
const char* const kPlate =
    "dimension = 2\ngravity = [0.0, -10.0]\n[time]\nstep = 0.01\nend = 2.0\n"
    "[[wall]]\nkind = \"segment\"\nends = [[-1.0, 0.0], [1.0, 0.0]]\n"
    "[[particles]]\nkind = \"sphere\"\nposition = [0.0, 0.1]\nradius = 0.1\nmass = 1.0\n"
    "[[particles]]\nkind = \"sphere\"\nposition = [2.0, -0.05]\nradius = 0.08\nmass = 0.1\n"
    "[[counter]]\nname = \"orifice\"\npoint = [0.0, -0.5]\nnormal = [0.0, -1.0]\n"
    "[output]\nevery = 0.25\nseries_every = 0.25\n";

const char* const kJammed = "[stop]\njammed = { counter = \"orifice\", time = 0.32 }\n";

}  // namespace

TEST_CASE("a stop condition ends a run with code 0, the last state as a frame and a row, and says why") {
    const Workplace here;
    here.write("plate.toml", std::string(kPlate) + kJammed);
    const Result result = here.talus("run plate.toml");
    CAPTURE(result.err);
    CAPTURE(result.out);
    REQUIRE(result.code == 0);
    CHECK(result.err.empty());
    // The fall of 0.45 m takes sqrt(2 * 0.45 / 10) = 0.3 s: in steps, 10 * 0.01^2 n (n + 1) / 2 >= 0.45 at n
    // = 30.
    const std::string ended =
        "ended              at t = 0.62 s after 62 steps: jammed, nothing has passed 'orifice' since t = 0.3 "
        "s\n";
    CHECK(contains(here.read("results/plate/summary.txt"), ended));
    CHECK(contains(result.out, ended));
    CHECK(last_value(here.read("results/plate/series.csv"), "time") == 0.62);
    const std::string frames = here.read("results/plate/particles.pvd");
    CHECK(occurrences(frames, "<DataSet") == 4);
    CHECK(occurrences(frames, "timestep=\"0.62\"") == 1);
}

TEST_CASE("a scene without stop conditions runs to its end and says so") {
    const Workplace here;
    here.write("plate.toml", kPlate);
    REQUIRE(here.talus("run plate.toml").code == 0);
    CHECK(contains(here.read("results/plate/summary.txt"),
                   "ended              at t = 2 s after 200 steps: the end of the scene\n"));
}

TEST_CASE("a stop condition can be set on the command line, and check lists it") {
    const Workplace here;
    here.write("plate.toml", kPlate);
    const std::string setting = " --set 'stop.jammed={counter=\"orifice\", time=0.32}'";
    CHECK(contains(
        here.talus("check plate.toml" + setting).out,
        "stop         jammed: nothing has passed 'orifice' for 0.32 s, from the first passing on\n"));
    CHECK(here.talus("run plate.toml --quiet" + setting).code == 0);
    CHECK(last_value(here.read("results/plate/series.csv"), "time") == 0.62);
    const Result unknown = here.talus("check plate.toml --set 'stop.jammed={counter=\"orifce\", time=1}'");
    CHECK(unknown.code == 1);
    CHECK(contains(unknown.err, "--set stop.jammed.counter: there is no counter or outlet 'orifce'"));
}
