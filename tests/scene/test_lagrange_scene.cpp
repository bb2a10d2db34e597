#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "scene/scene_text.hpp"
#include "talus/scene/lagrange_scene.hpp"

using namespace talus;
using scene_text::Folder;
using scene_text::holds;

namespace {

/// [system] begins on line 2, what is added on line 4.
const std::string ball = "time = { step = 1e-3, end = 1.0 }\n[system]\nkind = \"bouncing_ball\"\n";
const std::string dropped = "[start]\nq = [1.0]\n";

LagrangeScene read_text(const std::string& text, const std::vector<std::string>& settings = {}) {
    const Folder folder;
    return read_lagrange_scene(folder.write("scene.toml", text), settings);
}

std::string refused(const std::string& text) {
    try {
        read_text(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

void check_refused(const std::string& text, const std::vector<std::string>& parts) {
    const std::string message = refused(text);
    CAPTURE(message);
    CHECK(holds(message, parts));
}

/// A particle over a parabola in shifted polar coordinates would hide mistakes less well: M(q), a potential,
/// gaps of both kinds, none of them plain.
const std::string formulas =
    "time = { step = 1e-3, end = 1.0 }\n[parameters]\nm = 2.0\n[system]\nkind = \"expressions\"\n"
    "coordinates = [{ name = \"r\", unit = \"m\" }, \"angle\"]\nmass = [[\"m\", 0], [0, \"m*r^2\"]]\n"
    "potential = \"9.81*m*r*sin(angle)\"\ndamping = 0.3\n"
    "constraints = { wall = \"r*cos(angle) - 0.1 + 0.2*sin(t)\", rim = \"3 - r^2\" }\n"
    "point = [\"r*cos(angle)\", \"r*sin(angle)\"]\n"
    "[start]\nq = { r = 1.2, angle = 0.4 }\nv = [0.5, -0.7]\n";

}  // namespace

TEST_CASE("a scene in generalized coordinates is read with its defaults and settings") {
    const LagrangeScene scene = read_text(ball + "gravity = 2.0\n" + dropped,
                                          {"scheme.kind=paoli_schatzman", "scheme.restitution=0.5"});
    CHECK(scene.system_kind == "bouncing_ball");
    CHECK(scene.system->force(0.0, scene.start.q, scene.start.v)[0] == -2.0);
    CHECK(scene.start.q[0] == 1.0);
    CHECK(scene.start.v[0] == 0.0);
    CHECK(scene.scheme == lagrange::SchemeKind::paoli_schatzman);
    CHECK(scene.options.restitution == lagrange::Restitution{0.5});
    CHECK(scene.step == 1e-3);
    CHECK(holds(describe_lagrange_scene(scene), {"height [m]", "1000 steps", "applicable"}));
    CHECK(read_text(ball + dropped).scheme == lagrange::SchemeKind::moreau_jean);
}

TEST_CASE("every kind of system is read with its defaults") {
    for (const char* kind :
         {"bouncing_ball", "ball_in_moving_box", "oscillator_with_stop", "bead_in_parabola", "bead_in_wedge",
          "point_in_ellipse", "pendulum_at_wall", "double_pendulum_at_wall", "slider_crank", "falling_rod",
          "rocking_block", "bead_chain", "beam_between_stops"}) {
        CAPTURE(kind);
        // Not every start is in K: this one need not be. What matters is that the section is accepted.
        const std::string message =
            refused(std::string("time = { step = 1e-3, end = 1.0 }\n[system]\nkind = \"") + kind +
                    "\"\n[start]\nq = {}\n");
        CHECK((message.empty() || holds(message, {"the gap", "expected one >= 0"})));
    }
    const LagrangeScene spheres = read_text(
        "time = { step = 1e-3, end = 1.0 }\n[system]\nkind = \"sphere_assembly\"\nmasses = [1, 2]\nradii = "
        "[0.1, "
        "0.2]\nwalls = [{ normal = [0, 0, 2], offset = -1 }]\n[start]\nq = [0, 0, 0, 1, 0, 0]\n");
    CHECK(spheres.system->gaps(0.0, spheres.start.q)[1] == doctest::Approx(0.9));
}

TEST_CASE("what is wrong in a scene in generalized coordinates is named with its place") {
    check_refused("time = { step = 1e-3, end = 1.0 }\n", {"[system] is missing", "talus run"});
    check_refused("time = { step = 1e-3, end = 1.0 }\n[system]\nkind = \"boncing_ball\"\n",
                  {":3: system.kind", "did you mean 'bouncing_ball'"});
    check_refused(ball + "gravty = 1.0\n" + dropped, {":4: system.gravty: ", "did you mean 'gravity'"});
    check_refused(ball + "gravity = \"x\"\n" + dropped, {":4: system.gravity"});
    check_refused(ball + "mass = -1.0\n" + dropped, {":2: system: ", "mass > 0"});
    check_refused(ball, {"[start] is missing"});
    check_refused(ball + "[start]\nq = [1.0, 2.0]\n", {":5: start.q: expected 1 numbers (height), found 2"});
    check_refused(ball + "[start]\nq = [-1.0]\n", {":5: start.q: the gap 'floor' is -1 m"});
    check_refused(ball + "[start]\nq = { hight = 1.0 }\n", {":5: start.q.hight", "did you mean 'height'"});
    check_refused(ball + dropped + "[scheme]\nkind = \"moro\"\n", {":7: scheme.kind"});
    check_refused(ball + dropped + "[scheme]\nrestitution = 1.5\n", {":7: scheme.restitution"});
    check_refused(ball + dropped + "[scheme]\nrestitution = [0.1, 0.2]\n",
                  {":7: scheme.restitution", "one value or 1, not 2"});
    check_refused(ball + dropped + "[particles]\nkind = 1\n", {":6: particles: unknown key"});
}

TEST_CASE("a scene of the other kind is named as such") {
    const Folder folder;
    const std::string path = folder.write("scene.toml", ball + dropped);
    CHECK(is_lagrange_scene(path));
    CHECK(holds(scene_text::refusal(ball + dropped), {":2: system: ", "use talus lagrange"}));
}

TEST_CASE("systems of formulas have the values of the formulas and derivatives to their stated accuracy") {
    const LagrangeScene scene = read_text(formulas);
    const lagrange::MechanicalSystem& system = *scene.system;
    const double r = 1.2, a = 0.4, rate = 0.5, spin = -0.7, m = 2.0, t = 0.3;
    CHECK_FALSE(system.constant_mass());
    CHECK(system.mass(scene.start.q)(1, 1) == doctest::Approx(m * r * r));
    CHECK(*system.potential(scene.start.q) == doctest::Approx(9.81 * m * r * std::sin(a)));
    const auto near = [](const lagrange::Matrix& found, const lagrange::Matrix& exact, double error) {
        CHECK((found - exact).cwiseAbs().maxCoeff() < error);
    };
    const lagrange::Matrix gradients =
        (lagrange::Matrix(2, 2) << std::cos(a), -r * std::sin(a), -2.0 * r, 0.0).finished();
    near(system.gap_gradients(t, scene.start.q), gradients, 1e-10);
    near(system.gap_rates(t, scene.start.q), Eigen::Vector2d(0.2 * std::cos(t), 0.0), 1e-10);
    near(system.gap_bending(t, scene.start.q, scene.start.v),
         Eigen::Vector2d(-2.0 * std::sin(a) * rate * spin - r * std::cos(a) * spin * spin - 0.2 * std::sin(t),
                         -2.0 * rate * rate),
         1e-8);
    const Eigen::Vector2d slope(9.81 * m * std::sin(a), 9.81 * m * r * std::cos(a));
    near(system.potential_gradient(scene.start.q), slope, 1e-9);
    near(system.potential_hessian(scene.start.q),
         (lagrange::Matrix(2, 2) << 0.0, slope[1] / r, slope[1] / r, -slope[0] * r).finished(), 1e-7);
    const Eigen::Vector2d inertial(m * r * spin * spin, -2.0 * m * r * rate * spin);
    near(system.force(t, scene.start.q, scene.start.v), inertial - slope - 0.3 * scene.start.v, 1e-7);
    CHECK((system.figure(0.0, scene.start.q).points[0] - Vec3(r * std::cos(a), r * std::sin(a), 0)).norm() <
          1e-14);
}

TEST_CASE("formulas that make no system are refused at their place") {
    const auto changed = [](const std::string& from, const std::string& to) {
        std::string text = formulas;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    check_refused(changed("3 - r^2", "3 - radius"), {":10: system.constraints.rim", "radius", "angle"});
    check_refused(changed("3 - r^2", "3 - r_dot"), {":10: system.constraints.rim", "'force' alone"});
    check_refused(changed("9.81*m*r*sin(angle)", "9.81*m*r*sin("),
                  {":8: system.potential: expected a formula"});
    check_refused(changed("9.81*m*r*sin(angle)", "9,81*m"), {":8: system.potential", "0.5, not 0,5"});
    check_refused(changed("9.81*m*r*sin(angle)", "t"), {":8: system.potential", "the time t"});
    check_refused(changed("\"angle\"]", "\"sin\"]"), {":6: system.coordinates", "'sin' is the name of"});
    check_refused(changed("\"angle\"]", "\"m\"]"), {":6: system.coordinates", "'m' is the name of"});
    check_refused(changed("\"angle\"]", "\"a b\"]"),
                  {":6: system.coordinates", "can not stand in a formula"});
    check_refused(changed("[[\"m\", 0], [0,", "[[\"m\", 0, 0], [0,"),
                  {":7: system.mass[0]: expected 2 formulas"});
    check_refused(changed("\"m*r^2\"", "\"-m*r^2\""), {"the mass matrix is not symmetric positive definite"});
    check_refused(changed("damping = 0.3", "force = [0, 0]"), {":9: system.force", "not both"});
}

TEST_CASE("every scene of the folder scenes/lagrange is read, applies its scheme and says what to expect") {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(TALUS_SOURCE_DIR "/scenes/lagrange")) {
        const LagrangeScene scene = read_lagrange_scene(entry.path().string());
        CAPTURE(scene.path);
        CHECK(holds(scene.text, {"# Expect: "}));
        CHECK_FALSE(broken_hypothesis(scene.scheme, *scene.system, scene.options));
        ++count;
    }
    CHECK(count >= 5);
}
