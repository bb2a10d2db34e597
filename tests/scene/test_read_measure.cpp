#include <doctest/doctest.h>

#include <algorithm>
#include <variant>

#include "scene/refusals.hpp"
#include "talus/scene/describe_scene.hpp"

using namespace talus;
using namespace scene_text;

namespace {

/// A scene with one measure, whose members begin on line 3.
std::string measured(const std::string& members) {
    return time_section + "[[measure]]\n" + members;
}

std::string flat_measured(const std::string& members) {
    return plane_scene("[[measure]]\n" + members);
}

template <class Kind>
Kind only(const std::string& text) {
    const Scene scene = read(text);
    REQUIRE(scene.measures.size() == 1);
    REQUIRE(std::holds_alternative<Kind>(scene.measures[0].what));
    return std::get<Kind>(scene.measures[0].what);
}

const std::string unit_box = "region = { kind = \"box\", low = [0, 0, 0], high = [1, 1, 1] }\n";

}  // namespace

TEST_CASE("measures are read with their defaults, and those without a name have a number") {
    const Front front = only<Front>(measured("kind = \"front\"\ndirection = [0, 3, 4]\n"));
    CHECK_FALSE(front.outward.radial);
    CHECK((front.outward.axis - Vec3(0, 0.6, 0.8)).norm() < 1e-15);
    CHECK(front.outward.point == Vec3::Zero());
    CHECK(front.fraction == 0.99);
    const Front radial =
        only<Front>(measured("kind = \"front\"\naxis = [0, 0, 2]\npoint = [1, 2, 3]\nfraction = 0.5\n"));
    CHECK(radial.outward.radial);
    CHECK(radial.outward.axis == Vec3::UnitZ());
    CHECK(radial.outward.point == Vec3(1, 2, 3));
    CHECK(radial.fraction == 0.5);

    const HeapHeight height = only<HeapHeight>(measured("kind = \"height\"\n"));
    CHECK(height.up == Vec3::UnitZ());
    CHECK(std::isinf(height.radius));
    CHECK(height.fraction == 1.0);

    const Repose repose = only<Repose>(flat_measured("kind = \"repose\"\n"));
    CHECK(repose.up == Vec3::UnitY());
    CHECK(repose.outward.radial);
    CHECK(repose.outward.axis == Vec3::UnitY());
    CHECK(repose.low == 0.2);
    CHECK(repose.high == 0.8);
    CHECK(repose.bin == 0.0);
    const Repose along = only<Repose>(
        flat_measured("kind = \"repose\"\ndirection = [-1, 0]\npoint = [2, 1]\nbin = 0.5\nlow = 0.1\n"));
    CHECK_FALSE(along.outward.radial);
    CHECK(along.outward.axis == -Vec3::UnitX());
    CHECK(along.outward.point == Vec3(2, 1, 0));
    CHECK(along.bin == 0.5);
    CHECK(along.low == 0.1);

    const Scene scene = read(measured("kind = \"height\"\n") + "[[measure]]\nkind = \"region\"\n" + unit_box);
    CHECK(scene.measures[0].name == "measure0");
    CHECK(scene.measures[1].name == "measure1");
    CHECK(std::get<Region>(scene.measures[1].what).volume(3) == 1.0);
}

TEST_CASE("a measure can be in the inside of a hopper, by its name") {
    const Region region = only<Region>(
        time_section +
        "[[wall]]\nkind = \"hopper\"\nname = \"bin\"\nshape = \"flat\"\noutlet_radius = 0.1\nradius = 0.5\n"
        "bin_height = 2.0\n[[measure]]\nkind = \"region\"\n"
        "region = { kind = \"hopper\", wall = \"bin\", bottom = 0.5, top = 1.0 }\n");
    CHECK(region.volume(3) == doctest::Approx(3.141592653589793 * 0.25 * 0.5));
}

TEST_CASE("a measure that makes no sense is refused at its line with what was expected") {
    check_all({
        {"no kind", measured("name = \"a\"\n"), {"scene.toml:2: measure[0]: 'kind' is missing"}},
        {"kind", measured("kind = \"frnt\"\n"), {"scene.toml:3: measure[0].kind: ", "front"}},
        {"key",
         measured("kind = \"front\"\ndirecton = [1, 0, 0]\n"),
         {"scene.toml:4: measure[0].directon: unknown key", "did you mean 'direction'?"}},
        {"key of another kind", measured("kind = \"height\"\nbin = 1.0\n"), {"scene.toml:4: measure[0].bin"}},
        {"no region", measured("kind = \"region\"\n"), {"scene.toml:2: measure[0]: 'region' is missing"}},
        {"no volume",
         measured("kind = \"region\"\nregion = { kind = \"box\", low = [0, 0, 0], high = [1, 0, 1] }\n"),
         {"scene.toml:4: measure[0].region: a box needs finite corners with low < high", "along y"}},
        {"endless",
         measured("kind = \"region\"\nregion = { kind = \"box\", low = [0, 0, 0], high = [1, 1, inf] }\n"),
         {"scene.toml:4: measure[0].region.high[2]"}},
        {"a cylinder in 2-D",
         flat_measured("kind = \"region\"\nregion = { kind = \"cylinder\", radius = 1, height = 1 }\n"),
         {"measure[0].region: a cylinder exists in 3-D only"}},
        {"no hopper",
         measured("kind = \"region\"\nregion = { kind = \"hopper\", wall = \"x\" }\n"),
         {"measure[0].region.wall: there is no wall"}},
        {"both",
         measured("kind = \"front\"\naxis = [0, 0, 1]\ndirection = [1, 0, 0]\n"),
         {"scene.toml:4: measure[0].axis: give 'direction' or 'axis', not both"}},
        {"neither", measured("kind = \"front\"\n"), {"scene.toml:2: measure[0]: 'direction', or 'axis'"}},
        {"no direction",
         measured("kind = \"front\"\ndirection = [0, 0, 0]\n"),
         {"scene.toml:4: measure[0].direction: "}},
        {"no mass",
         measured("kind = \"front\"\naxis = [0, 0, 1]\nfraction = 0\n"),
         {"scene.toml:5: measure[0].fraction: expected a number > 0 and <= 1, found 0"}},
        {"too much mass",
         measured("kind = \"height\"\nfraction = 1.5\n"),
         {"scene.toml:4: measure[0].fraction: expected a number > 0 and <= 1, found 1.5"}},
        {"no width",
         measured("kind = \"height\"\nradius = 0.0\n"),
         {"scene.toml:4: measure[0].radius: expected a number > 0"}},
        {"no bin", measured("kind = \"repose\"\nbin = 0.0\n"), {"scene.toml:4: measure[0].bin: "}},
        {"no slope",
         measured("kind = \"repose\"\nlow = 0.8\nhigh = 0.2\n"),
         {"scene.toml:2: measure[0]: expected low < high, found 0.8 and 0.2"}},
        {"upwards",
         measured("kind = \"repose\"\ndirection = [1, 0, 1]\n"),
         {"scene.toml:4: measure[0].direction: expected a direction at right angles to 'axis'"}},
        {"a table",
         time_section + "[measure]\nkind = \"height\"\n",
         {"measure: expected entries that each begin with [[measure]]"}},
    });
}

TEST_CASE("names of measures are unique, and so are the columns that they make") {
    const auto named = [](const std::string& name) {
        return "[[measure]]\nname = \"" + name + "\"\nkind = \"region\"\n" + unit_box;
    };
    check_all({
        {"taken",
         time_section + named("a") + named("a"),
         {"scene.toml:7: measure[1].name: the name 'a' is taken by another measure"}},
        {"the same columns",
         time_section + named("a b") + named("a_b"),
         {"scene.toml:7: measure[1].name: the name 'a_b' makes a column solid_fraction_a_b"}},
        {"that of all particles",
         time_section + named("no rattlers"),
         {"scene.toml:3: measure[0].name: ", "column coordination_no_rattlers of series.csv"}},
        {"another of its own",
         time_section + named("a") + named("no_rattlers_a"),
         {"scene.toml:7: measure[1].name: ", "column coordination_no_rattlers_a of series.csv"}},
        {"empty", time_section + named(""), {"scene.toml:3: measure[0].name: expected a name"}},
    });
    CHECK(refusal(time_section + named("a") + named("b")).empty());
}

TEST_CASE("a scene is described with its measures, and a region where nothing comes is warned about") {
    const std::string ball =
        "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 0]\nradius = 0.1\nmass = 1\n";
    const Scene scene =
        read(time_section + ball + "[[measure]]\nname = \"core\"\nkind = \"region\"\n" + unit_box +
             "[[measure]]\nname = \"toe\"\nkind = \"front\"\naxis = [0, 0, 1]\n"
             "[[measure]]\nname = \"top\"\nkind = \"height\"\nradius = 0.5\n"
             "[[measure]]\nname = \"slope\"\nkind = \"repose\"\n"
             "[domain]\nlow = [2, -inf, -inf]\n");
    const System system = build_system(scene);
    const std::string text = describe_scene(scene, system);
    CHECK(holds(text, {"measure      core: region of 1 m^3 from (0, 0, 0) to (1, 1, 1) m",
                       "measure      toe: front of 0.99 of the mass, from the axis (0, 0, 1)",
                       "measure      top: highest top within 0.5 m of its axis",
                       "measure      slope: angle of repose between 0.2 and 0.8 of the height"}));
    const auto warnings = scene_warnings(scene, system);
    CHECK(std::count(warnings.begin(), warnings.end(),
                     "measure core lies outside [domain]: nothing comes there") == 1);
}
