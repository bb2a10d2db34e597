#include <doctest/doctest.h>

#include <cmath>

#include "scene/scene_text.hpp"

using namespace talus;
using scene_text::holds;
using scene_text::read;
using scene_text::refusal;
using scene_text::time_section;

namespace {

/// Distance from a point to the nearest of the walls of a scene with one [[wall]], at time t.
double distance(const std::string& members, const Vec3& x, double t = 0.0, int dimension = 3) {
    const Scene scene =
        read("dimension = " + std::to_string(dimension) + "\n" + time_section + "[[wall]]\n" + members);
    double least = INFINITY;
    for (const Wall& wall : scene.walls) {
        if (wall.present(t)) least = std::min(least, wall.shape->distance(wall.motion.pose(t).to_local(x)));
    }
    return least;
}

/// Closed forms of a few square roots: rounding only.
doctest::Approx close(double value) {
    return doctest::Approx(value).epsilon(1e-12);
}

}  // namespace

TEST_CASE("plane: signed distance, whatever the length of the normal") {
    const std::string plane = "kind = \"plane\"\npoint = [0, 0, 1]\nnormal = [0, 0, 5]\n";
    CHECK(distance(plane, Vec3(3, 4, 3)) == close(2.0));
    CHECK(distance(plane, Vec3(3, 4, 0)) == close(-1.0));
    CHECK(distance("kind = \"plane\"\nnormal = [1, 1]\n", Vec3(1, 1, 0), 0.0, 2) == close(std::sqrt(2.0)));
}

TEST_CASE("box: half-spaces without the open sides, or finite sides that end at their edges") {
    const std::string box = "kind = \"box\"\nlow = [0, 0, 0]\nhigh = [2, 2, 2]\nopen = [\"top\"]\n";
    CHECK(distance(box, Vec3(1, 1, 1.9)) == close(1.0));
    CHECK(distance(box, Vec3(0.25, 1, 9)) == close(0.25));
    CHECK(distance(box, Vec3(1, 1, -1)) == close(-1.0));
    CHECK(distance(box + "finite = true\n", Vec3(1, 1, -1)) == close(1.0));
    CHECK(distance(box + "finite = true\n", Vec3(0, 1, 9)) == close(7.0));
    CHECK(distance(box + "finite = true\n", Vec3(1, 1, 1.9)) == close(1.0));
    const std::string closed = "kind = \"box\"\nlow = [0, 0, 0]\nhigh = [2, 2, 2]\nfinite = true\n";
    CHECK(distance(closed, Vec3(1, 1, 1.9)) == close(0.1));
    CHECK(distance(closed, Vec3(3, 3, 3)) == close(std::sqrt(3.0)));
}

TEST_CASE("box in 2-D: sides that meet are one line, open sides are open") {
    const std::string box = "kind = \"box\"\nlow = [0, 0]\nhigh = [2, 1]\n";
    CHECK(distance(box, Vec3(1, 0.25, 0), 0.0, 2) == close(0.25));
    CHECK(distance(box + "finite = true\n", Vec3(3, 2, 0), 0.0, 2) == close(std::sqrt(2.0)));
    CHECK(distance(box + "finite = true\nopen = [\"top\"]\n", Vec3(1, 0.9, 0), 0.0, 2) == close(0.9));
    CHECK(distance(box + "finite = true\nopen = [\"bottom\", \"top\"]\n", Vec3(0.5, 0.1, 0), 0.0, 2) ==
          close(0.5));
    CHECK(distance(box + "finite = true\nopen = [\"left\", \"bottom\"]\n", Vec3(0, 0, 0), 0.0, 2) ==
          close(1.0));
}

TEST_CASE("segment, polyline and circle in 2-D") {
    CHECK(distance("kind = \"segment\"\nends = [[0, 0], [1, 0]]\n", Vec3(4, 4, 0), 0.0, 2) == close(5.0));
    const std::string line = "kind = \"polyline\"\npoints = [[0, 0], [1, 0], [1, 1]]\n";
    CHECK(distance(line, Vec3(0, 1, 0), 0.0, 2) == close(1.0));
    CHECK(distance(line + "closed = true\n", Vec3(0, 1, 0), 0.0, 2) == close(std::sqrt(0.5)));
    const std::string circle = "kind = \"circle\"\ncentre = [1, 0]\nradius = 2\n";
    CHECK(distance(circle, Vec3(1.5, 0, 0), 0.0, 2) == close(1.5));
    CHECK(distance(circle, Vec3(1, 5, 0), 0.0, 2) == close(3.0));
}

TEST_CASE("cylinder: finite, with caps, or without end") {
    const std::string tube = "kind = \"cylinder\"\nbase = [0, 0, 1]\naxis = [0, 0, 2]\nradius = 1\n";
    CHECK(distance(tube + "height = 2\n", Vec3(0.25, 0, 2)) == close(0.75));
    CHECK(distance(tube + "height = 2\n", Vec3(1, 0, 6)) == close(3.0));
    CHECK(distance(tube + "height = 2\n", Vec3(0, 0, 1.25)) == close(1.0));
    CHECK(distance(tube + "height = 2\ncaps = \"bottom\"\n", Vec3(0, 0, 1.25)) == close(0.25));
    CHECK(distance(tube + "height = 2\ncaps = \"both\"\n", Vec3(0, 0, 2.75)) == close(0.25));
    CHECK(distance(tube + "height = inf\n", Vec3(0.5, 0, -50)) == close(0.5));
}

TEST_CASE("cone and disc") {
    // A cone of radius 1 at height 0 that ends in a point at height 1: its side is the line rho + z = 1.
    const std::string cone = "kind = \"cone\"\nradius = 1\ntop_radius = 0\nheight = 1\n";
    CHECK(distance(cone, Vec3(0, 0, 0)) == close(std::sqrt(0.5)));
    CHECK(distance(cone, Vec3(0, 0, 3)) == close(2.0));
    CHECK(distance(cone + "caps = \"bottom\"\n", Vec3(0, 0, 0.25)) == close(0.25));
    const std::string disc = "kind = \"disc\"\ncentre = [0, 0, 1]\nnormal = [1, 0, 0]\nradius = 2\n";
    CHECK(distance(disc, Vec3(3, 0, 1)) == close(3.0));
    CHECK(distance(disc, Vec3(0, 5, 1)) == close(3.0));
}

TEST_CASE("plates with a round or a slot orifice are open in the middle and have rims") {
    const std::string round = "kind = \"plate\"\nradius = 2\norifice_radius = 0.5\n";
    CHECK(distance(round, Vec3(0, 0, 0)) == close(0.5));
    CHECK(distance(round, Vec3(1, 0, 0.25)) == close(0.25));
    const std::string slot = "kind = \"plate\"\nsize = [4, 2]\nslot = [1, 0.5]\nalong = [0, 1, 0]\n";
    CHECK(distance(slot, Vec3(0, 0, 0)) == close(0.25));  // half the width, which lies along x
    CHECK(distance(slot, Vec3(0, 1, 0.125)) == close(0.125));
    CHECK(distance(slot, Vec3(0, 5, 0)) == close(3.0));
}

TEST_CASE("mesh: an STL file, scaled and shifted") {
    const scene_text::Folder folder;
    folder.write("floor.stl",
                 "solid floor\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
                 "0\nendloop\nendfacet\n"
                 "endsolid floor\n");
    const std::string file = folder.write(
        "scene.toml",
        time_section +
            "[[wall]]\nkind = \"mesh\"\npath = \"floor.stl\"\nscale = 10\ntranslate = [0, 0, 1]\n");
    const Scene scene = read_scene(file);
    CHECK(scene.walls.at(0).shape->distance(Vec3(2, 2, 4)) == close(3.0));
    CHECK(scene.walls.at(0).shape->distance(Vec3(13, 0, 5)) == close(5.0));
    CHECK(holds(refusal(time_section + "[[wall]]\nkind = \"mesh\"\npath = \"none.stl\"\n"),
                {"scene.toml:4: wall[0].path: ", "none.stl"}));
}

TEST_CASE("hoppers: outlet, inclined side, bin, and a gate until it opens") {
    const std::string conical =
        "kind = \"hopper\"\nshape = \"conical\"\noutlet = [0, 0, 1]\noutlet_radius = 1\nradius = 2\n"
        "half_angle_deg = 45\nbin_height = 3\nopens = 0.5\n";
    CHECK(distance(conical, Vec3(0, 0, 1.25), 0.0) == close(0.25));  // the gate
    CHECK(distance(conical, Vec3(0, 0, 1), 0.5) == close(1.0));      // the rim of the outlet
    CHECK(distance(conical, Vec3(0, 0, 2), 0.5) ==
          close(std::sqrt(2.0)));  // rho - z = 0 seen from z = 1 above
    CHECK(distance(conical, Vec3(1.5, 0, 4), 0.5) == close(0.5));
    CHECK(distance(conical, Vec3(2, 0, 7), 0.5) == close(2.0));
    const std::string flat =
        "kind = \"hopper\"\nshape = \"flat\"\noutlet_radius = 1\nradius = 2\nbin_height = 3\n";
    CHECK(distance(flat, Vec3(1.5, 0, 0.25)) == close(0.25));
    CHECK(distance(flat, Vec3(0, 0, 0)) == close(1.0));
}

TEST_CASE("wedge hoppers: a trough with ends in 3-D, two lines in 2-D") {
    const std::string wedge =
        "kind = \"hopper\"\nshape = \"wedge\"\noutlet_width = 2\nwidth = 4\nhalf_angle_deg = 45\n"
        "bin_height = 3\n";
    CHECK(distance(wedge, Vec3(0, 1, 0), 0.0, 2) == close(std::sqrt(2.0)));
    CHECK(distance(wedge, Vec3(1.75, 2, 0), 0.0, 2) == close(0.25));
    CHECK(distance(wedge + "opens = 0.5\n", Vec3(0, 0.25, 0), 0.0, 2) == close(0.25));
    CHECK(distance(wedge + "depth = 6\n", Vec3(0, 2.75, 2)) == close(0.25));
    CHECK(distance(wedge + "depth = 6\n", Vec3(0, 0, 1)) == close(std::sqrt(2.0)));
    CHECK(distance(wedge + "depth = 6\n", Vec3(0, 0, 0)) == close(1.0));
    CHECK(distance(wedge + "depth = 6\nopens = 1.0\n", Vec3(0, 0, 0)) == close(0.0));
}

TEST_CASE("particles can be placed inside a hopper by its name, up to a height") {
    const Scene scene = read(
        time_section +
        "[[wall]]\nkind = \"hopper\"\nname = \"bin\"\nshape = \"conical\"\noutlet_radius = 1\nradius = 2\n"
        "half_angle_deg = 45\nbin_height = 3\n"
        "[[inlet]]\nradius = 0.1\ndensity = 1\nregion = { kind = \"hopper\", wall = \"bin\", bottom = 0.5, "
        "top = 2.0 }\n");
    const Region& region = scene.inlets.at(0).region;
    // Frustum from radius 1.5 to 2 over height 0.5, then a cylinder of radius 2 and height 1.
    const double volume = M_PI * 0.5 / 3.0 * (1.5 * 1.5 + 1.5 * 2.0 + 4.0) + M_PI * 4.0;
    CHECK(region.volume(3) == close(volume));
    CHECK(region.contains(Vec3(0, 1.4, 0.6), 0.0, 3));
    CHECK_FALSE(region.contains(Vec3(0, 0, 0.4), 0.0, 3));
}

TEST_CASE("walls move as their motion says") {
    const std::string plane = "kind = \"plane\"\nnormal = [0, 0, 1]\n";
    const auto height = [&](const std::string& motion, double t) {
        return -distance(plane + "motion = " + motion + "\n", Vec3::Zero(), t);
    };
    const std::string lift = "{ kind = \"translate\", velocity = [0, 0, 2], from = 0.25, until = 0.75 }";
    CHECK(height(lift, 0.1) == close(0.0));
    CHECK(height(lift, 0.5) == close(0.5));
    CHECK(height(lift, 1.0) == close(1.0));
    CHECK(height("{ kind = \"oscillate\", direction = [0, 0, 1], amplitude = 0.5, frequency = 1.0 }", 0.25) ==
          close(0.5));
    CHECK(height("{ kind = \"schedule\", direction = [0, 0, 1], displacement = { kind = \"table\", times = "
                 "[0, 1], values = "
                 "[0, 3] } }",
                 0.5) == close(1.5));
    const std::string disc = "kind = \"disc\"\ncentre = [2, 0, 0]\nnormal = [1, 0, 0]\nradius = 1\n";
    // A quarter turn about z brings the disc's centre from (2, 0, 0) to (0, 2, 0).
    CHECK(distance(disc + "motion = { kind = \"rotate\", rate = \"pi\" }\n", Vec3(0, 3, 0), 0.5) ==
          close(1.0));
    CHECK(distance(disc + "motion = { kind = \"swing\", amplitude = \"pi/2\", frequency = 0.5 }\n",
                   Vec3(0, 3, 0), 0.5) == close(1.0));
}

TEST_CASE("a wall that is none is refused at its line") {
    const auto with = [](const std::string& members) {
        return refusal(time_section + "[[wall]]\n" + members);
    };
    CHECK(holds(with("kind = \"cylinder\"\nradius = 0\nheight = 1\n"),
                {"scene.toml:4: wall[0].radius: expected a number > 0"}));
    CHECK(holds(with("kind = \"cone\"\nradius = 1\ntop_radius = 0\nheight = inf\n"),
                {"scene.toml:6: wall[0].height: "}));
    CHECK(holds(with("kind = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 0, 1]\n"),
                {"scene.toml:5: wall[0].high: ", "along y"}));
    CHECK(holds(
        with("kind = \"box\"\nlow = [0, 0, 0]\nhigh = [1, 1, 1]\nopen = [\"lid\"]\n"),
        {"scene.toml:6: wall[0].open[0]: unknown side 'lid'; sides: left, right, front, back, bottom, top"}));
    CHECK(holds(with("kind = \"plate\"\nradius = 1\norifice_radius = 1\n"),
                {"scene.toml:5: wall[0].orifice_radius: "}));
    CHECK(holds(with("kind = \"plate\"\n"), {"scene.toml:2: wall[0]: 'radius' (round plate) or 'size'"}));
    CHECK(holds(with("kind = \"hopper\"\nshape = \"conical\"\nradius = 1\noutlet_radius = 2\nhalf_angle_deg "
                     "= 30\nbin_height = 1\n"),
                {"scene.toml:6: wall[0].outlet_radius: expected an outlet smaller than the bin"}));
    CHECK(holds(with("kind = \"hopper\"\nshape = \"conical\"\nwidth = 1\n"),
                {"scene.toml:5: wall[0].width: "}));
    CHECK(holds(with("kind = \"disc\"\nradius = 1\nfrom = 2\nuntil = 1\n"),
                {"scene.toml:6: wall[0].until: expected a time after from = 2, found 1"}));
    CHECK(holds(
        refusal("dimension = 2\n" + time_section + "[[wall]]\nkind = \"segment\"\nends = [[1, 1], [1, 1]]\n"),
        {"scene.toml:3: wall[0]: "}));
}
