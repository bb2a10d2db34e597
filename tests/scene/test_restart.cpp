#include <doctest/doctest.h>

#include "scene/scene_text.hpp"
#include "talus/io/frame_writer.hpp"
#include "talus/step/contact_step.hpp"

using namespace talus;
using scene_text::build_refusal;
using scene_text::holds;
using scene_text::time_section;

namespace {

const std::string from_file = "[[particles]]\nkind = \"file\"\npath = \"p.csv\"\ndensity = 1\n";

}  // namespace

TEST_CASE("a run that starts from a frame has the orientations and spins of the one before, bit for bit") {
    const scene_text::Folder folder;
    const std::string first = folder.write("first.toml", time_section + R"(
[[particles]]
kind = "list"
positions = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
velocities = [[1, 2, 3], [0, 0, 0], [-1, 0.3, 0]]
angular_velocities = [[1, -2, 0.3], [0, 0, 0], [1e-3, 7, 40]]
radius = 0.1
mass = 0.7
)");
    const std::string second = folder.write(
        "second.toml", time_section + "[[particles]]\nkind = \"file\"\npath = \"particles_000000.vtp\"\n");
    const Scene scene = read_scene(first);
    System system = build_system(scene);
    ContactStepper stepper(scene.step), other(scene.step);
    for (int n = 0; n < 50; ++n) stepper.step(system);
    FrameWriter(folder.path(), {.rotation = true}).write(system, {}, scene.step.time_step);

    System again = build_system(read_scene(second));
    const auto check_same = [&] {
        REQUIRE(again.particles.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(again.particles.orientation[i].coeffs() == system.particles.orientation[i].coeffs());
        }
        CHECK(again.particles.angular_velocity == system.particles.angular_velocity);
        CHECK(again.particles.inverse_inertia == system.particles.inverse_inertia);
    };
    CHECK(system.particles.orientation[0].x() != 0.0);
    check_same();
    for (int n = 0; n < 50; ++n) {
        stepper.step(system);
        other.step(again);
    }
    check_same();
}

TEST_CASE("a table of particles gives spins, whatever the scale of its lengths") {
    const scene_text::Folder folder;
    folder.write("p.csv", "x,y,z,radius,wx,wy,wz\n0,0,0,0.5,1,2,3\n");
    const std::string scene = folder.write("scene.toml", time_section + from_file + "scale = 10.0\n");
    const Particles particles = build_system(read_scene(scene)).particles;
    CHECK(particles.angular_velocity[0] == Vec3(1, 2, 3));
    CHECK(particles.orientation[0].coeffs() == Quaternion::Identity().coeffs());
}

TEST_CASE("spins of a file that can not be are refused with the particle and what to do") {
    const auto said = [](const std::string& scene, const std::string& table) {
        return build_refusal(scene, {{"p.csv", table}});
    };
    const std::string spins = "x,y,z,radius,wx,wy,wz\n0,0,0,0.5,0,0,0\n0,0,3,0.5,1,0,2\n";
    CHECK(holds(said("dimension = 2\n" + time_section + from_file, "x,y,radius,wx\n0,0,0.5,0\n0,3,0.5,1\n"),
                {"p.csv: particle 1: turned or spinning out of the plane"}));
    const std::string in_group = time_section + from_file + "group = \"g\"\n[[group]]\nname = \"g\"\n";
    CHECK(holds(said(in_group + "rotation = \"locked\"\n", spins),
                {"p.csv: particle 1: it spins, but its group 'g' is locked", "remove"}));
    CHECK(holds(said(in_group + "frozen = true\n", spins),
                {"p.csv: particle 1: it spins, but its group 'g' is frozen"}));
    CHECK(holds(said(time_section + from_file, "x,y,radius,wz\n0,0,0.5,1e60\n"),
                {"p.csv: particle 0: angular velocity 1e+60 rad/s; expected at most 1e+50"}));
    CHECK(said(in_group, spins).empty());
}
