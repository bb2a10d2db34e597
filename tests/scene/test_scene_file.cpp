#include <doctest/doctest.h>

#include <cmath>

#include "scene/scene_text.hpp"

using namespace talus;
using scene_text::holds;
using scene_text::read;
using scene_text::refusal;
using scene_text::time_section;

TEST_CASE("the smallest scene has the documented defaults") {
    const Scene scene = read("[time]\nstep = 1e-3\nend = 2.0\n");
    CHECK(scene.dimension == 3);
    for (const Schedule& component : scene.gravity)
        CHECK((component.is_constant() && component.value == 0.0));
    CHECK(scene.step.time_step == 1e-3);
    CHECK(scene.end == 2.0);
    CHECK(scene.step.solver.kind == SolverKind::monotone_pgs);
    CHECK(scene.step.solver.tolerance == 1e-4);
    CHECK(scene.step.solver.overlap_tolerance == 1e-4);
    CHECK(scene.step.solver.max_iterations == 20000);
    CHECK(scene.step.solver.relaxation == 1.2);
    CHECK(scene.step.solver.friction_tolerance == 1e-3);
    CHECK(scene.step.solver.friction_iterations == 200);
    CHECK(scene.step.solver.warm_start);
    CHECK(scene.step.broad_phase == BroadPhaseKind::cell_grid);
    CHECK(scene.step.skin == 0.1);
    CHECK(scene.step.margin == 0.02);
    CHECK(scene.law.restitution == 0.0);
    CHECK(scene.law.pairs.empty());
    REQUIRE(scene.groups.size() == 1);
    CHECK(scene.groups[0].name == "default");
    CHECK_FALSE(scene.groups[0].frozen);
    CHECK_FALSE(scene.groups[0].constant_density);
    CHECK((scene.particles.empty() && scene.walls.empty() && scene.inlets.empty() && scene.outlets.empty()));
    CHECK(scene.overlap_policy == OverlapPolicy::refuse);
    CHECK(scene.escape_policy == EscapePolicy::report);
    CHECK(scene.domain.low == Vec3::Constant(-INFINITY));
    CHECK(scene.output.every == 0.0);
    CHECK(scene.output.series_every == 0.0);
    CHECK((scene.output.contacts && scene.output.walls));
}

TEST_CASE("every option arrives where it belongs") {
    const Scene scene = read(R"(
dimension = 2
gravity = [{ kind = "sine", amplitude = 2.0, frequency = 3.0, phase = 0.5 }, -9.81]
[time]
step = 1e-4
end = 3
[solver]
kind = "apgd"
tolerance = 1e-6
overlap_tolerance = 1e-8
max_iterations = 50
relaxation = 1.5
warm_start = false
[broad_phase]
kind = "kd_tree"
skin = 0.2
margin = 0.01
[start]
overlaps = "resolve"
[domain]
low = [-1, -inf]
high = [5, 6]
escape = "remove"
[output]
every = 0.1
series_every = 0.01
contacts = false
walls = false
[contact]
restitution = 0.25
[[contact.pair]]
between = ["floor", "default"]
restitution = 0.75
[[group]]
name = "base"
frozen = true
mass_law = "constant_density"
radius_scale = { kind = "exponential", value = 1.0, rate = 0.5, begin = 1.0, end = 2.0 }
[[wall]]
kind = "plane"
name = "floor"
normal = [0, 2]
from = 0.5
until = 1.5
[[inlet]]
name = "feed"
region = { kind = "box", low = [0, 0], high = [1, 1] }
radius = { kind = "table", radii = [0.1, 0.2], weights = [1, 3] }
density = 10.0
velocity = [0, -1]
rate = 5
count = 100
from = 0.1
until = 0.9
seed = 7
[[outlet]]
name = "drain"
high = [inf, -1]
[[counter]]
point = [0, 1]
normal = [0, -2]
)");
    CHECK(scene.gravity[0].at(0.1) == doctest::Approx(2.0 * std::sin(2 * M_PI * 0.3 + 0.5)).epsilon(1e-12));
    CHECK(scene.gravity[1].at(0.0) == -9.81);
    CHECK(scene.step.solver.kind == SolverKind::apgd);
    CHECK(scene.step.solver.overlap_tolerance == 1e-8);
    CHECK(scene.step.solver.max_iterations == 50);
    CHECK(scene.step.solver.relaxation == 1.5);
    CHECK_FALSE(scene.step.solver.warm_start);
    CHECK(scene.step.broad_phase == BroadPhaseKind::kd_tree);
    CHECK(scene.overlap_policy == OverlapPolicy::resolve);
    CHECK(scene.escape_policy == EscapePolicy::remove);
    CHECK(scene.domain.low == Vec3(-1.0, -INFINITY, -INFINITY));
    CHECK(scene.domain.high == Vec3(5.0, 6.0, INFINITY));
    CHECK(scene.output.series_every == 0.01);
    CHECK(scene.law.pairs.at({"default", "floor"}).restitution == 0.75);  // names in ascending order
    CHECK((scene.groups[1].frozen && scene.groups[1].constant_density));
    CHECK(scene.groups[1].radius_scale.at(1.5) == doctest::Approx(std::exp(0.25)).epsilon(1e-12));
    REQUIRE(scene.walls.size() == 1);
    CHECK((scene.walls[0].from == 0.5 && scene.walls[0].until == 1.5));
    CHECK(scene.walls[0].shape->distance(Vec3(3.0, 2.0, 0.0)) == doctest::Approx(2.0).epsilon(1e-14));
    REQUIRE(scene.inlets.size() == 1);
    CHECK(scene.inlets[0].radius.radii == std::vector<double>{0.1, 0.2});
    CHECK((scene.inlets[0].rate == 5.0 && scene.inlets[0].count == 100 && scene.inlets[0].seed == 7));
    CHECK(scene.outlets[0].high == Vec3(INFINITY, -1.0, INFINITY));
    CHECK(scene.counters[0].normal == Vec3(0.0, -1.0, 0.0));
    CHECK(scene.counters[0].name == "counter0");
}

TEST_CASE("friction and rotation arrive where they belong") {
    const Scene scene = read(time_section + R"(
[contact]
law = "coulomb_relaxed"
friction = 0.5
[[contact.pair]]
between = ["floor", "balls"]
friction = 0.25
[[contact.pair]]
between = ["balls", "default"]
restitution = 0.125
[[group]]
name = "balls"
friction = 0.75
inertia = "hollow"
[[group]]
name = "sliders"
rotation = "locked"
[[wall]]
kind = "box"
name = "floor"
low = [0, 0, 0]
high = [1, 1, 1]
friction = 0.0
[[wall]]
kind = "hopper"
name = "bin"
shape = "conical"
outlet_radius = 0.02
radius = 0.1
half_angle_deg = 30.0
bin_height = 0.2
opens = 0.5
friction = 0.375
[[particles]]
kind = "sphere"
position = [0, 0, 0]
radius = 0.1
mass = 1
angular_velocity = [1, 2, 3]
[[particles]]
kind = "list"
positions = [[1, 0, 0], [2, 0, 0]]
radius = 0.1
mass = 1
angular_velocities = [[1, 0, 0], [0, 1, 0]]
group = "balls"
[[particles]]
kind = "list"
positions = [[3, 0, 0], [4, 0, 0]]
radius = 0.1
mass = 1
angular_velocity = [0, 0, 7]
)");
    const ContactLaw& law = scene.law;
    CHECK(law.kind == FrictionLaw::coulomb_relaxed);
    CHECK(law.friction == 0.5);
    const std::map<std::string, double> surfaces = {
        {"balls", 0.75}, {"floor", 0.0}, {"bin", 0.375}, {"bin.gate", 0.375}};
    CHECK(law.surface_friction == surfaces);
    const PairOverride& on_floor = law.pairs.at({"balls", "floor"});
    CHECK((on_floor.friction == 0.25 && !on_floor.restitution));
    const PairOverride& mixed = law.pairs.at({"balls", "default"});
    CHECK((!mixed.friction && mixed.restitution == 0.125));
    CHECK((scene.groups[0].inertia == Inertia::solid && scene.groups[0].rotates));
    CHECK((scene.groups[1].inertia == Inertia::hollow && scene.groups[1].rotates));
    CHECK_FALSE(scene.groups[2].rotates);
    const System system = build_system(scene);
    const std::vector<Vec3> spins = {{1, 2, 3}, {1, 0, 0}, {0, 1, 0}, {0, 0, 7}, {0, 0, 7}};
    CHECK(system.particles.angular_velocity == spins);
    CHECK(system.particles.inverse_inertia[0] == doctest::Approx(1.0 / (0.4 * 0.01)).epsilon(1e-14));
    CHECK(system.particles.inverse_inertia[1] == doctest::Approx(1.0 / (2.0 / 3.0 * 0.01)).epsilon(1e-14));
}

TEST_CASE("discs spin with one number, about z") {
    const Scene scene = read("dimension = 2\n" + time_section +
                             "[[particles]]\nkind = \"list\"\npositions = [[0, 0], [1, 0]]\nradius = 0.1\n"
                             "mass = 1\nangular_velocities = [2, \"-3\"]\n"
                             "[[particles]]\nkind = \"sphere\"\nposition = [2, 0]\nradius = 0.1\nmass = 1\n"
                             "angular_velocity = 5\n");
    const std::vector<Vec3> spins = {{0, 0, 2}, {0, 0, -3}, {0, 0, 5}};
    CHECK(build_system(scene).particles.angular_velocity == spins);
}

TEST_CASE("the law is Coulomb's as soon as anything has friction, and inelastic otherwise") {
    const std::string group = "[[group]]\nname = \"g\"\n", wall = "[[wall]]\nkind = \"disc\"\nradius = 1\n";
    const auto law_of = [](const std::string& text) { return read(time_section + text).law.kind; };
    CHECK(law_of("") == FrictionLaw::inelastic);
    CHECK(law_of("[contact]\nfriction = 0\n") == FrictionLaw::inelastic);
    CHECK(law_of("[contact]\nlaw = \"inelastic\"\nfriction = 0\n") == FrictionLaw::inelastic);
    CHECK(law_of("[contact]\nlaw = \"coulomb\"\n") == FrictionLaw::coulomb);
    CHECK(law_of("[contact]\nfriction = 0.1\n") == FrictionLaw::coulomb);
    CHECK(law_of(group + "friction = 0.1\n") == FrictionLaw::coulomb);
    CHECK(law_of(wall + "friction = 0.1\n") == FrictionLaw::coulomb);
    CHECK(law_of(wall + "rolling_friction = 0.1\n") == FrictionLaw::coulomb);
    CHECK(law_of(group + "[[contact.pair]]\nbetween = [\"g\", \"g\"]\nfriction = 0.1\n") ==
          FrictionLaw::coulomb);
    CHECK(law_of(group + "[[contact.pair]]\nbetween = [\"g\", \"g\"]\nrestitution = 0.1\n") ==
          FrictionLaw::inelastic);
}

TEST_CASE("rolling friction arrives where it belongs") {
    const ContactLaw law = read(time_section + R"(
[contact]
friction = 0.5
rolling_friction = 0.25
[[contact.pair]]
between = ["g", "lid"]
rolling_friction = 0.125
[[group]]
name = "g"
rolling_friction = 0.0
[[wall]]
kind = "disc"
name = "lid"
radius = 1
rolling_friction = 0.75
)")
                               .law;
    CHECK(law.rolling_friction == 0.25);
    CHECK(law.surface_rolling_friction == std::map<std::string, double>{{"g", 0.0}, {"lid", 0.75}});
    CHECK(law.surface_friction.empty());
    const PairOverride& pair = law.pairs.at({"g", "lid"});
    CHECK((pair.rolling_friction == 0.125 && !pair.friction && !pair.restitution));
}

TEST_CASE("a setting replaces a value, adds a section, and chooses entries by number or name") {
    const std::string text = time_section +
                             "[[wall]]\nkind = \"disc\"\nname = \"lid\"\nradius = 1.0\n"
                             "[[wall]]\nkind = \"disc\"\nradius = 2.0\n";
    const Scene scene = read(text, {"time.step=2e-4", "output.every = 0.25", "wall[1].radius=3",
                                    "wall[lid].radius=0.5", "solver.kind=uzawa", "gravity=[0, 0, -1.62]"});
    CHECK(scene.step.time_step == 2e-4);
    CHECK(scene.output.every == 0.25);
    CHECK(scene.step.solver.kind == SolverKind::uzawa);
    CHECK(scene.gravity[2].value == -1.62);
    // Distance from a point 4 m off the axis to the rim of a disc of radius R: 4 - R.
    CHECK(scene.walls[0].shape->distance(Vec3(4.0, 0.0, 0.0)) == doctest::Approx(3.5).epsilon(1e-14));
    CHECK(scene.walls[1].shape->distance(Vec3(4.0, 0.0, 0.0)) == doctest::Approx(1.0).epsilon(1e-14));
}

TEST_CASE("the text kept after settings reads back to the same scene") {
    const std::string text =
        "parameters = { a = 2.5 }\n" + time_section +
        "[[particles]]\nkind = \"list\"\npositions = [[0, 0, 0], [1, \"a\", -2.5e-7]]\nradius = 0.1\n"
        "mass = 1\n[[group]]\nname = \"with \\\"quotes\\\"\"\n";
    const Scene scene = read(text, {"parameters.a=3.25"});
    const Scene again = read(scene.text);
    const auto& first = std::get<ListedParticle>(scene.particles.at(1));
    CHECK(first.position == Vec3(1.0, 3.25, -2.5e-7));
    CHECK(std::get<ListedParticle>(again.particles.at(1)).position == first.position);
    CHECK(again.groups.at(1).name == "with \"quotes\"");
    CHECK(read(text).text == text);
}

TEST_CASE("a wrong setting is refused and named") {
    const std::string text = time_section + "[[wall]]\nkind = \"disc\"\nradius = 1.0\n";
    const auto with = [&](const std::string& setting) { return refusal(text, {setting}); };
    CHECK(with("time.stepp=1") == "--set time.stepp: unknown key 'stepp'; did you mean 'step'?");
    CHECK(with("time.step=-1") == "--set time.step: expected a number > 0, found -1");
    CHECK(holds(with("timee.step=1"), {"--set timee: unknown key 'timee'; did you mean 'time.step'?"}));
    CHECK(holds(with("wall[1].radius=1"), {"--set wall[1].radius: there is no 'wall[1]': 1 entry"}));
    CHECK(holds(with("wall[drum].radius=1"),
                {"--set wall[drum].radius: no entry of 'wall' has the name 'drum'"}));
    CHECK(holds(with("wall.radius=1"), {"--set wall.radius: 'wall' is an array of 1, it has no members"}));
    CHECK(holds(with("time.step.x=1"),
                {"--set time.step.x: 'time.step' is the number 0.001, it has no members"}));
    CHECK(holds(with("time.step"), {"--set time.step: expected key=value"}));
    CHECK(holds(with("=1"), {"expected key=value"}));
    CHECK(holds(with("time.step=0,5"), {"--set time.step: ", "0.5, not 0,5"}));
    CHECK(holds(with("time.step=fast"), {"--set time.step: expected a number", "\"fast\""}));
    CHECK(holds(with("time.step=1 2"), {"--set time.step: "}));
    CHECK(holds(with("time.step=1\nend=2"), {"--set time.step: "}));
    CHECK(holds(with("wall[0.radius=1"), {"--set wall[0.radius: "}));
    CHECK(holds(with("time..step=1"), {"--set time..step: "}));
}

TEST_CASE("formulas of the parameters stand wherever a number may stand") {
    const std::string text =
        "[parameters]\ntotal = \"2*half\"\nhalf = \"side/2\"\nside = 0.5\ncount = 3\n"
        "[time]\nstep = \"side*2e-3\"\nend = \"max(1, total)\"\n"
        "[solver]\nmax_iterations = \"10*count\"\n"
        "[[particles]]\nkind = \"sphere\"\nposition = [\"sqrt(side*8)\", \"-side^2\", \"sin(pi/2)\"]\nradius "
        "= "
        "\"side\"\nmass = 1\n";
    const Scene scene = read(text);
    CHECK(scene.step.time_step == 1e-3);
    CHECK(scene.end == 1.0);
    CHECK(scene.step.solver.max_iterations == 30);
    CHECK(std::get<ListedParticle>(scene.particles[0]).position == Vec3(2.0, -0.25, 1.0));
    CHECK(std::get<ListedParticle>(read(text, {"parameters.side=2"}).particles[0]).radius == 2.0);
    CHECK(std::get<ListedParticle>(read(text, {"particles[0].radius=3*side"}).particles[0]).radius == 1.5);
    CHECK(std::get<ListedParticle>(read(text, {"particles[0].radius=max(side, 2)"}).particles[0]).radius ==
          2.0);
}

TEST_CASE("a wrong formula is refused at its line") {
    const auto with_parameters = [](const std::string& lines) {
        return refusal(time_section + "[parameters]\n" + lines);
    };
    const auto with_end = [](const std::string& formula) {
        return refusal("parameters = { a = 1.0 }\n[time]\nstep = 1e-3\nend = \"" + formula + "\"\n");
    };
    CHECK(holds(with_end("b + a"), {"scene.toml:4: time.end: ", "'b' is unknown (parameters: a)"}));
    CHECK(holds(with_end("a +"), {"scene.toml:4: time.end: "}));
    CHECK(holds(with_end(""), {"scene.toml:4: time.end: "}));
    CHECK(holds(with_end("a = 2"), {"scene.toml:4: time.end: "}));
    CHECK(holds(with_end("1/(a-1)"), {"scene.toml:4: time.end: the formula \"1/(a-1)\" gives inf"}));
    CHECK(holds(with_end("sqrt(-a)"), {"scene.toml:4: time.end: the formula"}));
    CHECK(holds(with_end("0,5"), {"scene.toml:4: time.end: \"0,5\" has 2 values", "decimal point"}));
    CHECK(holds(with_end("-a"), {"scene.toml:4: time.end: expected a number > 0, found -1 = \"-a\""}));
    CHECK(holds(with_parameters("x = \"y\"\ny = \"x\"\n"),
                {"scene.toml:3: parameters.x: ", "by way of itself"}));
    CHECK(holds(with_parameters("x = \"z\"\n"), {"scene.toml:3: parameters.x: ", "'z' is unknown"}));
    CHECK(holds(with_parameters("x = nan\n"), {"scene.toml:3: parameters.x: expected a finite number"}));
    CHECK(holds(with_parameters("x = true\n"),
                {"scene.toml:3: parameters.x: expected a number or a formula, found true"}));
    CHECK(holds(with_parameters("x-y = 1\n"), {"scene.toml:3: parameters.x-y: a parameter's name"}));
    CHECK(holds(with_parameters("sin = 1\n"), {"scene.toml:3: parameters.sin: a parameter's name"}));
    CHECK(holds(with_parameters("pi = 3\n"), {"scene.toml:3: parameters.pi: pi is defined already"}));
}

TEST_CASE("systems are built with ids from 0 in the order of the file and radii at t = 0") {
    const scene_text::Folder folder;
    folder.write("grains.csv", "x,y,z,radius,vx,vy,vz\n0,0,3,0.5,1,2,3\n0,0,6,0.25,0,0,0\n");
    const std::string file = folder.write("scene.toml", time_section + R"(
[[group]]
name = "growing"
radius_scale = { kind = "ramp", value = 2.0, rate = 1.0 }
mass_law = "constant_density"
[[group]]
name = "base"
frozen = true
[[particles]]
kind = "sphere"
position = [0, 0, 0]
velocity = [1, 0, 0]
radius = 0.1
density = 1000
group = "growing"
[[particles]]
kind = "file"
path = "grains.csv"
density = 2.0
scale = 10.0
[[particles]]
kind = "list"
positions = [[0, 0, 1], [0, 0, 2]]
radii = [0.1, 0.2]
velocity = [0, 0, 1]
mass = 3.0
group = "base"
)");
    const System system = build_system(read_scene(file));
    REQUIRE(system.particles.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(system.particles.id[i] == static_cast<ParticleId>(i));
    CHECK(system.particles.radius[0] == doctest::Approx(0.2).epsilon(1e-15));
    // Constant density: 8 times the mass of the sphere of radius 0.1.
    CHECK(system.particles.mass[0] == doctest::Approx(8.0 * 1000.0 * 4.0 / 3.0 * M_PI * 1e-3).epsilon(1e-12));
    CHECK(system.particles.position[1] == Vec3(0.0, 0.0, 30.0));
    CHECK(system.particles.velocity[1] == Vec3(10.0, 20.0, 30.0));
    CHECK(system.particles.radius[2] == 2.5);
    CHECK(system.particles.mass[1] == doctest::Approx(2.0 * 4.0 / 3.0 * M_PI * 125.0).epsilon(1e-12));
    CHECK(system.particles.radius[4] == 0.2);
    CHECK(system.particles.frozen(3));
    CHECK(system.particles.velocity[3] == Vec3::Zero());
}

TEST_CASE("a disc has the mass density pi r^2, a sphere density 4/3 pi r^3") {
    const std::string rest = "radius = 0.5\ndensity = 3.0\n";
    const Scene plane = read("dimension = 2\n" + time_section +
                             "[[particles]]\nkind = \"sphere\"\nposition = [0, 0]\n" + rest);
    const Scene space =
        read(time_section + "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 0]\n" + rest);
    CHECK(std::get<ListedParticle>(plane.particles[0]).mass ==
          doctest::Approx(3.0 * M_PI * 0.25).epsilon(1e-14));
    CHECK(std::get<ListedParticle>(space.particles[0]).mass == doctest::Approx(0.5 * M_PI).epsilon(1e-14));
}

TEST_CASE("scenes with no particle or one particle are built") {
    CHECK(build_system(read(time_section)).particles.size() == 0);
    CHECK(build_system(
              read(time_section + "[[particles]]\nkind = \"list\"\npositions = []\nradius = 1\nmass = 1\n"))
              .particles.size() == 0);
    CHECK(build_system(
              read(time_section +
                   "[[particles]]\nkind = \"sphere\"\nposition = [0, 0, 10]\nradius = 0.5\nmass = 1\n"))
              .particles.size() == 1);
}
