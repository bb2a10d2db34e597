#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "talus/geometry/shapes.hpp"
#include "talus/geometry/wall.hpp"

using namespace talus;

TEST_CASE("pose: there and back is the identity, lengths stay") {
    WallMotion motion;
    motion.direction = Vec3(1.0, 2.0, 2.0) / 3.0;
    motion.displacement = Schedule::ramp(0.0, 0.5);
    motion.axis = Vec3(2.0, -1.0, 2.0) / 3.0;
    motion.centre = Vec3(0.3, 0.1, -0.7);
    motion.angle = Schedule::sine(0.2, 1.0, 0.7);
    const Vec3 a(1.0, -2.0, 0.5), b(0.1, 0.2, 0.3);
    for (double t : {0.0, 0.37, 5.0}) {
        const Pose pose = motion.pose(t);
        CHECK((pose.to_local(pose.to_world(a)) - a).norm() < 1e-14);
        CHECK(std::abs((pose.to_world(a) - pose.to_world(b)).norm() - (a - b).norm()) < 1e-14);
        CHECK((pose.to_world(a) - pose.to_world(b) - pose.direction_to_world(a - b)).norm() < 1e-14);
    }
}

TEST_CASE("pose: turned about the axis through the centre, then shifted along the direction") {
    WallMotion motion;
    motion.centre = Vec3(1.0, 0.0, 0.0);
    motion.angle = Schedule::constant(std::numbers::pi / 2);
    motion.direction = Vec3::UnitZ();
    motion.displacement = Schedule::constant(3.0);
    CHECK((motion.pose(0.0).to_world({2.0, 0.0, 0.0}) - Vec3(1.0, 1.0, 3.0)).norm() < 1e-15);
    CHECK((motion.pose(0.0).to_world(motion.centre) - Vec3(1.0, 0.0, 3.0)).norm() < 1e-15);
    CHECK_FALSE(motion.moves());
    motion.angle = Schedule::ramp(0.0, 1.0);
    CHECK(motion.moves());
}

TEST_CASE("pose: a wall at rest is left exactly where it is, and motion in the plane keeps z = 0 exactly") {
    CHECK(WallMotion{}.pose(7.0).rotation == Mat3::Identity());
    CHECK(WallMotion{}.pose(7.0).translation == Vec3::Zero());
    WallMotion swing;
    swing.centre = Vec3(0.3, 0.4, 0.0);
    swing.angle = Schedule::sine(0.0, 2.0, 1.3);
    for (double t : {0.1, 0.2, 3.3}) {
        CHECK(swing.pose(t).to_world({0.7, -0.2, 0.0}).z() == 0.0);
        CHECK(swing.pose(t).to_local({0.7, -0.2, 0.0}).z() == 0.0);
    }
}

TEST_CASE("wall: present from its first moment until before its last") {
    Wall gate;
    gate.until = 2.0;
    CHECK(gate.present(-1e9));
    CHECK(gate.present(1.999));
    CHECK_FALSE(gate.present(2.0));
    gate.from = 1.0;
    CHECK_FALSE(gate.present(0.999));
    CHECK(gate.present(1.0));
}
