#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "talus/broadphase/broad_phase.hpp"
#include "talus/core/random.hpp"

namespace talus::testing {

/// Input of a broad phase.
struct Balls {
    std::vector<Vec3> centre;
    std::vector<double> size;

    void add(const Vec3& c, double s) {
        centre.push_back(c);
        size.push_back(s);
    }
};

inline std::vector<Pair> pairs_of(BroadPhaseKind kind, const Balls& balls) {
    std::vector<Pair> pairs;
    make_broad_phase(kind)->find(balls.centre, balls.size, pairs);
    return pairs;
}

/// Centres uniform in [low, low + edge)^dimension, sizes log-uniform in [smallest, largest].
struct Cloud {
    std::size_t count = 500;
    double low = -0.5, edge = 1.0;
    double smallest = 0.04, largest = 0.04;
    int dimension = 3;
    std::uint64_t seed = 1;
};

inline Balls random_balls(const Cloud& cloud) {
    Balls balls;
    for (std::size_t i = 0; i < cloud.count; ++i) {
        Random random(cloud.seed, i);
        Vec3 c = Vec3::Zero();
        for (int a = 0; a < cloud.dimension; ++a) c[a] = random.uniform(cloud.low, cloud.low + cloud.edge);
        balls.add(c, cloud.smallest * std::pow(cloud.largest / cloud.smallest, random.uniform()));
    }
    return balls;
}

/// Half of the balls in tight clusters, which lie far apart.
inline Balls clustered_balls() {
    Balls balls;
    for (std::uint64_t i = 0; i < 400; ++i) {
        Random random(5, i);
        const double far = static_cast<double>(i % 4) * 10.0;
        const Vec3 offset(random.normal(), random.normal(), random.normal());
        balls.add(Vec3(far, -far, 2.0 * far) + 0.05 * offset, 0.01 * random.uniform(0.5, 2.0));
    }
    return balls;
}

/// Touching spheres on a cubic lattice, whose sum of sizes is exactly their distance: every face-to-face pair
/// counts and every centre lies on a border of cells as wide as a sphere.
inline Balls lattice_balls(int edge, double spacing) {
    Balls balls;
    const int half = edge / 2;
    for (int z = -half; z < edge - half; ++z) {
        for (int y = -half; y < edge - half; ++y) {
            for (int x = -half; x < edge - half; ++x) balls.add(spacing * Vec3(x, y, z), 0.5 * spacing);
        }
    }
    return balls;
}

struct NamedBalls {
    std::string name;
    Balls balls;
};

/// Inputs on which the kinds of broad phase have to agree.
inline std::vector<NamedBalls> hard_scenes() {
    std::vector<NamedBalls> scenes;
    scenes.push_back({"uniform", random_balls({.count = 1500})});
    scenes.push_back(
        {"plane", random_balls({.count = 1500, .smallest = 0.01, .largest = 0.02, .dimension = 2})});
    scenes.push_back(
        {"line", random_balls({.count = 800, .smallest = 1e-3, .largest = 2e-3, .dimension = 1})});
    scenes.push_back({"1:100 log-uniform", random_balls({.count = 1500, .smallest = 2e-3, .largest = 0.2})});
    scenes.push_back({"1:1e9 log-uniform", random_balls({.count = 800, .smallest = 1e-9, .largest = 1.0})});
    scenes.push_back({"negative octant", random_balls({.count = 800, .low = -3.0, .edge = 1.0, .seed = 2})});
    scenes.push_back({"clusters", clustered_balls()});
    scenes.push_back({"lattice", lattice_balls(9, 0.25)});
    scenes.push_back({"lattice of a spacing that is not a binary number", lattice_balls(9, 0.1)});
    Balls giant = random_balls({.count = 1500, .smallest = 0.01, .largest = 0.01});
    giant.add(Vec3(0.5, 0.5, 0.5), 1.0);
    scenes.push_back({"one giant", giant});
    Balls flyers = random_balls({.count = 800});
    for (const double far : {1e7, -1e7, 1e300, -1e300, 1.7e308}) {
        flyers.add(Vec3(far, far, far), 0.04);
        flyers.add(Vec3(0.0, far, 0.0), 0.04);
        flyers.add(Vec3(0.0, far, 0.01), 0.05);
    }
    scenes.push_back({"far flyers", flyers});
    Balls offset = random_balls({.count = 800, .smallest = 0.03, .largest = 0.06});
    for (Vec3& c : offset.centre) c += Vec3(1e7, -3e9, 2e8);
    scenes.push_back({"far from the origin", offset});
    Balls points = random_balls({.count = 300, .smallest = 0.0, .largest = 0.0});
    for (double& s : points.size) s = 0.0;
    points.add(points.centre[7], 0.0);
    points.add(points.centre[7], 0.01);
    scenes.push_back({"points of size 0, some coincident", points});
    Balls heap;
    for (int i = 0; i < 60; ++i) heap.add(Vec3(1.0, 2.0, 3.0), 0.1 * (i % 3));
    scenes.push_back({"coincident centres", heap});
    Balls extreme = random_balls({.count = 60});
    for (std::size_t i = 0; i < 60; i += 3) {
        extreme.centre[i] *= 1e-160;
        extreme.size[i] = i % 2 == 0 ? 1e-170 : 1e-155;
    }
    for (const double s : {1e149, 1e151, 1e160, 1e308}) extreme.add(Vec3(s, 0.0, 0.0), s);
    scenes.push_back({"squares that underflow and overflow", extreme});
    return scenes;
}

}  // namespace talus::testing
