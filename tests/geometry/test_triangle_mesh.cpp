#include <doctest/doctest.h>

#include <set>

#include "talus/geometry/shapes.hpp"
#include "wall_oracle.hpp"

using namespace talus;

namespace mesh_tests {

namespace {

struct Mesh {
    std::vector<Vec3> points;
    std::vector<std::array<Index, 3>> triangles;

    ShapePtr wall() const { return make_triangle_mesh(points, triangles); }

    /// Adds the quadrangle a, b, c, d as two triangles with vertices of their own, as STL files do.
    void add_quad(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
        add(a, b, c);
        add(a, c, d);
    }
    void add(const Vec3& a, const Vec3& b, const Vec3& c) {
        const Index n = static_cast<Index>(points.size());
        points.insert(points.end(), {a, b, c});
        triangles.push_back({n, n + 1, n + 2});
    }
    Mesh turned(const Mat3& rotation) const {
        Mesh copy = *this;
        for (Vec3& p : copy.points) p = rotation * p;
        return copy;
    }

    /// Least over the triangles of: height where the foot is inside (barycentric), distance to the sides.
    oracle::Distance distance() const {
        return [*this](const Vec3& x) {
            double least = INFINITY;
            for (const auto& t : triangles) least = std::min(least, one(x, t));
            return least;
        };
    }

private:
    double one(const Vec3& x, const std::array<Index, 3>& t) const {
        const Vec3 a = points[t[0]], b = points[t[1]], c = points[t[2]];
        const Vec3 n = (b - a).cross(c - a);
        Mat3 basis;
        basis << b - a, c - a, n;
        const Vec3 coordinates = basis.inverse() * (x - a);
        const bool inside =
            coordinates[0] >= 0.0 && coordinates[1] >= 0.0 && coordinates[0] + coordinates[1] <= 1.0;
        if (inside) return std::abs(coordinates[2]) * n.norm();
        double least = INFINITY;
        for (int k = 0; k < 3; ++k) {
            const Vec3 p = points[t[k]];
            const Vec3 edge = points[t[(k + 1) % 3]] - p;
            const double s = std::clamp((x - p).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
            least = std::min(least, (p + s * edge - x).norm());
        }
        return least;
    }
};

Mesh box_mesh(const Vec3& low, const Vec3& high, bool open_top) {
    const auto corner = [&](int k) {
        return Vec3((k & 1) ? high.x() : low.x(), (k & 2) ? high.y() : low.y(), (k & 4) ? high.z() : low.z());
    };
    Mesh mesh;
    const int faces[6][4] = {{0, 1, 3, 2}, {0, 1, 5, 4}, {2, 3, 7, 6},
                             {0, 2, 6, 4}, {1, 3, 7, 5}, {4, 5, 7, 6}};
    for (int f = 0; f < (open_top ? 5 : 6); ++f) {
        mesh.add_quad(corner(faces[f][0]), corner(faces[f][1]), corner(faces[f][2]), corner(faces[f][3]));
    }
    return mesh;
}

/// A floor with a slot |x| < 0.1 and, around its middle, many triangles that meet at vertices.
Mesh slotted_floor() {
    Mesh mesh;
    for (double side : {-1.0, 1.0}) {
        for (int k = -4; k < 4; ++k) {
            const double y = 0.25 * k;
            mesh.add_quad({0.1 * side, y, 0.0}, {0.5 * side, y, 0.0}, {0.5 * side, y + 0.25, 0.0},
                          {0.1 * side, y + 0.25, 0.0});
            mesh.add_quad({0.5 * side, y, 0.0}, {side, y, 0.0}, {side, y + 0.25, 0.0},
                          {0.5 * side, y + 0.25, 0.0});
        }
    }
    return mesh;
}

/// A flat fan of `count` triangles around the origin.
Mesh fan(int count) {
    Mesh mesh;
    for (int k = 0; k < count; ++k) {
        const double a = 2.0 * M_PI * k / count, b = 2.0 * M_PI * ((k + 1) % count) / count;
        mesh.add(Vec3::Zero(), {std::cos(a), std::sin(a), 0.0}, {std::cos(b), std::sin(b), 0.0});
    }
    return mesh;
}

/// A wedge hopper: two slopes, two ends, an open slot below.
Mesh hopper() {
    Mesh mesh;
    for (double side : {-1.0, 1.0}) {
        mesh.add_quad({0.15 * side, -0.5, -0.6}, {side, -0.5, 0.5}, {side, 0.5, 0.5},
                      {0.15 * side, 0.5, -0.6});
        mesh.add_quad({-0.15, 0.5 * side, -0.6}, {0.15, 0.5 * side, -0.6}, {1.0, 0.5 * side, 0.5},
                      {-1.0, 0.5 * side, 0.5});
    }
    return mesh;
}

Mat3 some_rotation(std::uint64_t seed) {
    Random random(11, seed);
    const Vec3 axis = Vec3(random.normal(), random.normal(), random.normal()).normalized();
    return Eigen::AngleAxisd(random.uniform(0.0, 6.0), axis).toRotationMatrix();
}

std::vector<Tangent> tangents(const WallShape& wall, const Vec3& x, double reach) {
    std::vector<Tangent> planes;
    wall.tangents(x, x, reach, planes);
    return planes;
}

const Box kBox{Vec3::Constant(-1.3), Vec3::Constant(1.3)};

}  // namespace

TEST_CASE("mesh: the distance equals a search over all triangles, near and far") {
    for (const Mesh& mesh : {hopper().turned(some_rotation(1)), slotted_floor(), fan(7)}) {
        const auto wall = mesh.wall();
        const auto distance = mesh.distance();
        for (int k = 0; k < 3000; ++k) {
            Random random(1, static_cast<std::uint64_t>(k));
            const Vec3 x = std::exp(random.uniform(-2.0, 6.0)) * oracle::random_point(random, kBox);
            CHECK(std::abs(wall->distance(x) - distance(x)) < 1e-13 * (1.0 + x.norm()));
        }
    }
}

TEST_CASE("mesh: every plane touches it along the shortest line and the nearest one is among them") {
    for (const Mesh& mesh :
         {hopper().turned(some_rotation(2)), box_mesh(-Vec3::Ones(), Vec3::Ones(), true)}) {
        const auto wall = mesh.wall();
        const auto distance = mesh.distance();
        for (int k = 0; k < 10000; ++k) {
            Random random(2, static_cast<std::uint64_t>(k));
            const Vec3 x = oracle::random_point(random, kBox);
            const double reach = random.uniform(0.1, 3.0);
            const auto planes = tangents(*wall, x, reach);
            CHECK(planes.empty() == (distance(x) > reach));
            double least = planes.empty() ? distance(x) : INFINITY;
            std::set<std::int32_t> features;
            for (const Tangent& p : planes) {
                CHECK(distance(p.foot) < 1e-14);
                CHECK(std::abs(p.normal.norm() - 1.0) < 1e-14);
                CHECK(std::abs((x - p.foot).norm() - p.normal.dot(x - p.foot)) < 1e-13);
                least = std::min(least, (x - p.foot).norm());
                CHECK(features.insert(p.feature).second);  // each feature once
            }
            CHECK(std::abs(least - distance(x)) < 1e-13);
        }
    }
}

TEST_CASE("mesh: from outside a convex box every point of the box is behind every plane") {
    const auto wall = box_mesh(-Vec3::Ones(), Vec3::Ones(), false).wall();
    for (int k = 0; k < 2000; ++k) {
        Random random(3, static_cast<std::uint64_t>(k));
        const Vec3 x = oracle::random_point(random, {Vec3::Constant(-3.0), Vec3::Constant(3.0)});
        if (x.cwiseAbs().maxCoeff() < 1.0) continue;
        const auto planes =
            tangents(*wall, x, wall->distance(x) + 1e-12);  // not the far sides, seen through the near one
        REQUIRE(planes.size() == 1);
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 c((corner & 1) ? 1.0 : -1.0, (corner & 2) ? 1.0 : -1.0, (corner & 4) ? 1.0 : -1.0);
            CHECK(planes[0].normal.dot(c - planes[0].foot) < 1e-13);
        }
    }
}

TEST_CASE("mesh: over flat seams and fans there is one plane, untilted, exactly there or a rounding beside") {
    for (std::uint64_t turn = 0; turn < 200; ++turn) {
        const Mat3 rotation = some_rotation(turn);
        Random random(4, turn);
        const auto wall = fan(3 + static_cast<int>(turn % 6)).turned(rotation).wall();
        const double angle = 2.0 * M_PI * static_cast<double>(turn % 7) / (3 + static_cast<int>(turn % 6));
        const Vec3 spoke(std::cos(angle), std::sin(angle), 0.0);
        for (double along : {0.0, 1e-17, 0.1, 0.2}) {
            const Vec3 x = rotation * (along * spoke + 0.1 * Vec3::UnitZ());
            const auto planes = tangents(*wall, x, 0.15);
            REQUIRE(!planes.empty());
            for (const Tangent& p : planes) CHECK((p.normal - rotation.col(2)).norm() < 1e-13);
        }
    }
    const auto floor = slotted_floor().wall();
    for (double x : {0.3, 0.5 - 1e-15, 0.5, 0.5 + 1e-15}) {
        for (double y : {-0.5, 0.0, 0.1}) CHECK(tangents(*floor, {x, y, 0.1}, 0.15).size() == 1);
    }
}

TEST_CASE("mesh: a concave edge gives both faces, a convex edge the edge, a corner the corner, a slot both") {
    const auto box = box_mesh(Vec3::Zero(), Vec3::Ones(), false).wall();
    CHECK(tangents(*box, {0.1, 0.4, 0.1}, 0.2).size() == 2);
    CHECK(tangents(*box, {0.1, 0.1, 0.1}, 0.2).size() == 3);
    const auto edge = tangents(*box, {-0.1, 0.4, -0.1}, 0.2);
    REQUIRE(edge.size() == 1);
    CHECK(edge[0].foot.isApprox(Vec3(0.0, 0.4, 0.0)));
    CHECK((edge[0].normal - Vec3(-1.0, 0.0, -1.0).normalized()).norm() < 1e-15);
    const auto corner = tangents(*box, {-0.1, -0.1, -0.1}, 0.2);
    REQUIRE(corner.size() == 1);
    CHECK(corner[0].foot == Vec3::Zero());
    const auto slot = tangents(*slotted_floor().wall(), {0.0, 0.1, 0.05}, 0.2);
    REQUIRE(slot.size() == 2);
    CHECK(std::abs(slot[0].foot.x() + slot[1].foot.x()) < 1e-15);
}

TEST_CASE("mesh: nothing leaks or overlaps over 10000 random moves at every kind of mesh") {
    const Mesh meshes[] = {hopper().turned(some_rotation(5)), slotted_floor(),
                           box_mesh(-Vec3::Ones(), Vec3::Ones(), false), fan(5)};
    for (const Mesh& mesh : meshes) {
        CAPTURE(mesh.triangles.size());
        const oracle::FuzzResult result = oracle::fuzz_moves(*mesh.wall(), mesh.distance(), kBox);
        CHECK(result.most_cuts <= 8);  // at most one a triangle
        CHECK(result.mean_cuts <= 0.5);
    }
}

TEST_CASE("mesh: paths through a seam, a vertex, a border or within the plane are crossings") {
    const auto wall = fan(6).wall();
    CHECK(wall->crosses({0.0, 0.0, 1.0}, {0.0, 0.0, -1.0}));
    CHECK(wall->crosses({0.5, 0.0, 1.0}, {0.5, 0.0, -1.0}));
    CHECK(wall->crosses({1.0, 0.0, 1.0}, {1.0, 0.0, -1.0}));
    CHECK(wall->crosses({-3.0, 0.1, 0.0}, {3.0, 0.1, 0.0}));
    CHECK(wall->crosses({0.2, 0.1, 1.0}, {0.2, 0.1, 0.0}));
    CHECK_FALSE(wall->crosses({0.2, 0.1, 1.0}, {0.2, 0.1, 0.01}));
    CHECK_FALSE(wall->crosses({2.0, 0.0, 1.0}, {2.0, 0.0, -1.0}));
    CHECK_FALSE(wall->crosses({-3.0, 1.1, 0.0}, {3.0, 1.1, 0.0}));
    for (std::uint64_t turn = 0; turn < 500; ++turn) {  // no path slips through a seam, however it is turned
        const Mat3 rotation = some_rotation(turn);
        const auto turned = fan(6).turned(rotation).wall();
        Random random(8, turn);
        const Vec3 through = turn % 2 ? Vec3::Zero() : Vec3(random.uniform(0.0, 1.0), 0.0, 0.0);
        const Vec3 step(random.normal(), random.normal(), random.uniform(0.1, 1.0));
        CHECK(turned->crosses(rotation * (through + step), rotation * (through - step)));
    }
}

TEST_CASE("mesh: a centre on a face, an edge or a vertex may stay and gets a unit normal") {
    const auto wall = box_mesh(Vec3::Zero(), Vec3::Ones(), false).wall();
    for (const Vec3& x :
         {Vec3(0.3, 0.4, 0.0), Vec3(0.5, 0.5, 0.0), Vec3(0.3, 0.0, 0.0), Vec3(1.0, 1.0, 1.0)}) {
        const auto cut = wall->violated(x, x, 0.1, 1e-6);
        REQUIRE(cut.has_value());
        CHECK(std::abs(cut->normal.norm() - 1.0) < 1e-14);
        CHECK(std::abs(cut->normal.dot(x - cut->foot)) < 1e-14);
        REQUIRE(!tangents(*wall, x, 0.1).empty());
        for (const Tangent& p : tangents(*wall, x, 0.1)) CHECK(std::abs(p.normal.norm() - 1.0) < 1e-14);
    }
}

TEST_CASE("mesh: triangles without area and repeated triangles change nothing") {
    Mesh plain = fan(5);
    Mesh soiled = plain;
    soiled.add({0.0, 0.0, 0.0}, {0.5, 0.0, 0.0}, {1.0, 0.0, 0.0});
    soiled.add({0.3, 0.1, 0.0}, {0.3, 0.1, 0.0}, {1.0, 0.0, 0.0});
    soiled.add(plain.points[2], plain.points[1], plain.points[0]);  // the first one, turned over
    const auto clean = plain.wall();
    const auto dirty = soiled.wall();
    for (int k = 0; k < 500; ++k) {
        Random random(9, static_cast<std::uint64_t>(k));
        const Vec3 x = oracle::random_point(random, kBox);
        CHECK(clean->distance(x) == dirty->distance(x));
        CHECK(tangents(*clean, x, 2.0).size() == tangents(*dirty, x, 2.0).size());
    }
    CHECK(dirty->draw(kBox).triangles.size() == 5);
}

TEST_CASE("mesh: a sphere slides over the flat floor without a cut or a tilt, seams or not") {
    const Mesh mesh = slotted_floor();
    const auto wall = mesh.wall();
    oracle::MoveTest test;
    test.radius = 0.1;
    test.tolerance = 1e-5;
    for (int k = 0; k < 1000; ++k) {
        Random random(10, static_cast<std::uint64_t>(k));
        const Vec3 from(random.uniform(0.2, 0.9), random.uniform(-0.9, 0.9), 0.1);
        const Vec3 to(random.uniform(0.2, 0.9), random.uniform(-0.9, 0.9), 0.1 - random.uniform(0.0, 1e-3));
        const Vec3 end = oracle::check_move(*wall, mesh.distance(), from, to, test).end;
        CHECK((end - Vec3(to.x(), to.y(), 0.1)).norm() < 1e-8);
    }
}

TEST_CASE("mesh: points and triangles that describe no surface are refused") {
    const std::vector<Vec3> points = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), 2.0 * Vec3::UnitX()};
    CHECK_THROWS_AS(make_triangle_mesh({}, {}), std::invalid_argument);
    CHECK_THROWS_AS(make_triangle_mesh(points, {}), std::invalid_argument);
    CHECK_THROWS_AS(make_triangle_mesh(points, {{0, 1, 4}}), std::invalid_argument);
    CHECK_THROWS_AS(make_triangle_mesh(points, {{0, -1, 2}}), std::invalid_argument);
    CHECK_THROWS_AS(make_triangle_mesh(points, {{0, 1, 3}}), std::invalid_argument);
    CHECK_THROWS_AS(make_triangle_mesh({Vec3::Zero(), {NAN, 0.0, 0.0}, Vec3::UnitY()}, {{0, 1, 2}}),
                    std::invalid_argument);
}

}  // namespace mesh_tests
