#include <doctest/doctest.h>

#include <string>

#include "command.hpp"

using command::contains;
using command::last_value;
using command::occurrences;
using command::Result;
using command::Workplace;

namespace {

// Two discs at rest, one upon the other, in a box.
const char* const kStack =
    "dimension = 2\ngravity = [0.0, -10.0]\n[time]\nstep = 0.001\nend = 0.01\n"
    "[[wall]]\nname = \"bin\"\nkind = \"box\"\nlow = [-1, 0]\nhigh = [1, 1]\n"
    "[[particles]]\nkind = \"sphere\"\nposition = [0.0, 0.1]\nradius = 0.1\nmass = 2.0\n"
    "[[particles]]\nkind = \"sphere\"\nposition = [0.0, 0.3]\nradius = 0.1\nmass = 3.0\n"
    "[[measure]]\nname = \"mid layer\"\nkind = \"region\"\n"
    "region = { kind = \"box\", low = [-0.25, 0.0], high = [0.25, 0.4] }\n"
    "[[measure]]\nname = \"toe\"\nkind = \"front\"\naxis = [0, 1]\n"
    "[[measure]]\nname = \"top\"\nkind = \"height\"\n"
    "[[measure]]\nname = \"slope\"\nkind = \"repose\"\n";

std::string line(const std::string& text, int number) {
    std::size_t begin = 0;
    for (int k = 0; k < number; ++k) begin = text.find('\n', begin) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("the series has a column for each quantity of each measure, empty where there is nothing") {
    const Workplace here;
    here.write("stack.toml", kStack);
    const Result result = here.talus("run stack.toml --quiet --strict --out here");
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    const std::string series = here.read("here/series.csv");
    CHECK(contains(
        line(series, 0),
        ",force_bin_z,solid_fraction_mid_layer,coordination_mid_layer,coordination_no_rattlers_mid_layer,"
        "stress_mid_layer_xx,stress_mid_layer_yy,stress_mid_layer_xy,velocity_mid_layer_x,"
        "velocity_mid_layer_y,granular_temperature_mid_layer,front_toe,height_top,angle_slope,seconds_"));
    for (int row = 0; row < 12; ++row) {
        CAPTURE(row);
        CHECK(occurrences(line(series, row), ",") == occurrences(line(series, 0), ","));
    }
    CHECK_FALSE(contains(series, "nan"));
    // Two discs in 0.5 m by 0.4 m; 50 N on the lowest 0.1 m, 30 N on 0.2 m between the centres.
    CHECK(last_value(series, "solid_fraction_mid_layer") == doctest::Approx(3.141592653589793 * 0.1));
    CHECK(last_value(series, "coordination_mid_layer") == 1.5);
    CHECK(last_value(series, "stress_mid_layer_yy") ==
          doctest::Approx((50.0 * 0.1 + 30.0 * 0.2) / 0.2).epsilon(1e-3));
    CHECK(last_value(series, "stress_mid_layer_xx") == doctest::Approx(0.0));
    CHECK(last_value(series, "front_toe") == doctest::Approx(0.1));
    CHECK(last_value(series, "height_top") == doctest::Approx(0.4));
    const Result info = here.talus("info here/series.csv");
    CHECK(info.code == 0);
    CHECK(contains(info.out, "angle_slope          no value\n"));
    CHECK(contains(here.talus("check stack.toml").out, "measure      mid layer: region of 0.2 m^2"));
}

TEST_CASE("the series has the rate of each counter: what passed since the row before, over the time since") {
    const Workplace here;
    here.write("drop.toml",
               "gravity = [0.0, 0.0, 0.0]\n[time]\nstep = 0.01\nend = 0.2\n"
               "[[particles]]\nkind = \"sphere\"\nposition = [0.0, 0.0, 0.155]\nvelocity = [0.0, 0.0, -1.0]\n"
               "radius = 0.01\nmass = 3.0\n"
               "[[counter]]\nname = \"hole\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, -1.0]\n"
               "[output]\nseries_every = 0.08\n");
    const Result result = here.talus("run drop.toml --out here");
    CAPTURE(result.err);
    REQUIRE(result.code == 0);
    CHECK(contains(result.out, "counter hole       1 passed, 3 kg"));
    // Rows at 0, 0.08, 0.16 and 0.2 s; the sphere passes in the step that ends at 0.16 s.
    const std::string series = here.read("here/series.csv");
    CHECK(last_value(series, "passed_mass_hole") == 3.0);
    CHECK(last_value(series, "rate_hole") == 0.0);
    const std::string until_then = series.substr(0, series.rfind('\n', series.size() - 2) + 1);
    CHECK(last_value(until_then, "rate_hole") == doctest::Approx(3.0 / 0.08));
    CHECK(contains(line(series, 1), ",0,0,,"));  // no rate at t = 0
}
