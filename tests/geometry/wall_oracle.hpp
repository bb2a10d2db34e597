#pragma once

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "talus/core/random.hpp"
#include "talus/geometry/wall_shape.hpp"

/// Slow, plainly right answers about walls, and the checks that every kind of wall must pass.
namespace talus::oracle {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kMoves = 500;  ///< sanitizers make a move some fifty times slower
#else
constexpr int kMoves = 10000;
#endif

using Distance = std::function<double(const Vec3&)>;

inline Vec3 random_point(Random& random, const Box& box) {
    return {random.uniform(box.low.x(), box.high.x()), random.uniform(box.low.y(), box.high.y()),
            box.low.z() == box.high.z() ? box.low.z() : random.uniform(box.low.z(), box.high.z())};
}

/// Minimum of a function with one minimum on [low, high], by ternary search.
template <class Function>
double ternary_minimum(double low, double high, Function&& f) {
    for (int k = 0; k < 90; ++k) {
        const double a = low + (high - low) / 3.0;
        const double b = high - (high - low) / 3.0;
        (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
    }
    return 0.5 * (low + high);
}

inline double distance_to_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
    const double s = ternary_minimum(0.0, 1.0, [&](double u) { return (a + u * (b - a) - x).squaredNorm(); });
    return (a + s * (b - a) - x).norm();
}

/// Smallest distance along a path, where it is first attained, found by sampling.
struct Approach {
    double distance = std::numeric_limits<double>::infinity();
    double t = 0.0;
};

/// The first place where the path comes within `near` of the wall, or else its closest approach.
inline Approach closest_approach(const Distance& distance, const Vec3& from, const Vec3& to, double near,
                                 int samples = 64) {
    const auto along = [&](double t) { return distance(from + t * (to - from)); };
    const double spacing = (to - from).norm() / samples;
    Approach best;
    for (int k = 0; k < samples; ++k) {
        const double low = static_cast<double>(k) / samples;
        const double high = static_cast<double>(k + 1) / samples;
        // A distance changes by no more than the path's length, so most intervals need no search.
        const double bound = 0.5 * (along(low) + along(high) - spacing);
        if (bound > std::min(best.distance, spacing)) continue;
        double t = low;
        if (bound <= near) t = ternary_minimum(low, high, along);
        for (double candidate : {low, t, high}) {
            if (along(candidate) < best.distance) best = {along(candidate), candidate};
        }
        if (best.distance < near) return best;
    }
    return best;
}

/// The point closest to `target` that satisfies normal . (x - foot) >= radius for all planes: at most three
/// of them bind, so all choices of up to three are tried. Planes closer than `slack` to satisfied pass.
inline std::optional<Vec3> project(const Vec3& target, const std::vector<Tangent>& planes, double radius,
                                   double slack) {
    std::optional<Vec3> best;
    const auto consider = [&](const Vec3& x) {
        if (!x.allFinite()) return;
        if (best && (x - target).squaredNorm() >= (*best - target).squaredNorm()) return;
        for (const Tangent& p : planes) {
            if (p.normal.dot(x - p.foot) < radius - slack) return;
        }
        best = x;
    };
    const auto missing = [&](const Tangent& p) { return radius - p.normal.dot(target - p.foot); };
    const auto on_two = [&](const Tangent& p, const Tangent& q) {
        Eigen::Matrix2d gram;
        gram << 1.0, p.normal.dot(q.normal), p.normal.dot(q.normal), 1.0;
        const Eigen::Vector2d push = gram.inverse() * Eigen::Vector2d(missing(p), missing(q));
        consider(target + push[0] * p.normal + push[1] * q.normal);
    };
    const auto on_three = [&](const Tangent& p, const Tangent& q, const Tangent& r) {
        Mat3 normals;
        normals << p.normal.transpose(), q.normal.transpose(), r.normal.transpose();
        consider(target + normals.inverse() * Vec3(missing(p), missing(q), missing(r)));
    };
    consider(target);
    if (best) return best;
    for (const Tangent& p : planes) consider(target + missing(p) * p.normal);
    for (std::size_t a = 0; a < planes.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) on_two(planes[a], planes[b]);
    }
    if (best) return best;
    for (std::size_t a = 0; a < planes.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            for (std::size_t c = 0; c < b; ++c) on_three(planes[a], planes[b], planes[c]);
        }
    }
    return best;
}

struct MoveTest {
    double radius = 0.1;
    double tolerance = 1e-6;
    bool start_with_tangents = true;
    int most_cuts = 40;
    std::vector<Tangent> obstacles;  ///< planes of others
};

struct MoveResult {
    Vec3 end;
    int cuts = 0;
};

/// What one step does with one sphere: move to the admissible point closest to `to`, cut, repeat. Checks
/// every plane on the way and the end against the independent distance.
inline MoveResult check_move(const WallShape& wall, const Distance& distance, const Vec3& from,
                             const Vec3& to, const MoveTest& test) {
    // Projections are solved to 1e-9; a from-distance comes from an oracle good to 1e-8.
    constexpr double slack = 1e-9, oracle_error = 1e-8;
    const double at_rest = std::min(test.radius, distance(from));
    std::vector<Tangent> planes = test.obstacles;
    if (test.start_with_tangents) wall.tangents(from, to, test.radius + (to - from).norm(), planes);
    MoveResult result{to};
    for (;; ++result.cuts) {
        for (const Tangent& plane : planes) {
            REQUIRE(std::abs(plane.normal.norm() - 1.0) < 1e-12);
            REQUIRE(plane.normal.dot(from - plane.foot) >= at_rest - oracle_error);
        }
        const std::optional<Vec3> end = project(to, planes, std::min(test.radius, at_rest), slack);
        REQUIRE(end.has_value());
        result.end = *end;
        const std::optional<Tangent> cut =
            wall.violated(from, result.end, std::min(test.radius, at_rest), test.tolerance);
        if (!cut) break;
        REQUIRE(cut->normal.dot(result.end - cut->foot) < test.radius - test.tolerance);
        REQUIRE(result.cuts < test.most_cuts);
        planes.push_back(*cut);
    }
    CHECK(distance(result.end) >= at_rest - test.tolerance - oracle_error);
    const Approach path = closest_approach(distance, from, result.end, oracle_error);
    const bool passed = path.distance < oracle_error && path.t < 1.0 && at_rest > 1e-3 * test.radius;
    CHECK_FALSE(passed);
    return result;
}

/// Compares `crosses` with sampling. Paths that only graze a border are skipped: neither answer is wrong.
inline void check_crossing(const WallShape& wall, const Distance& distance, const Vec3& from,
                           const Vec3& to) {
    const Approach path = closest_approach(distance, from, to, 1e-9);
    const bool unclear = path.distance >= 1e-9 && path.distance < 1e-6;
    if (!unclear) CHECK(wall.crosses(from, to) == (path.distance < 1e-9));
}

struct FuzzResult {
    int most_cuts = 0;       ///< in one move
    double mean_cuts = 0.0;  ///< over the moves that began with the planes of `tangents`, as a step does
};

/// Moves from anywhere in the box, short and long, from free flight or from contact with the wall.
inline FuzzResult fuzz_moves(const WallShape& wall, const Distance& distance, const Box& box,
                             int cases = kMoves) {
    FuzzResult result;
    int with_tangents = 0;
    const double size = (box.high - box.low).norm();
    for (int k = 0; k < cases; ++k) {
        Random random(2026, static_cast<std::uint64_t>(k));
        MoveTest test;
        test.radius = size * std::exp(random.uniform(std::log(2e-3), std::log(0.1)));
        test.tolerance = 1e-5 * test.radius;
        test.start_with_tangents = random.uniform() < 0.5;
        Vec3 from = random_point(random, box);
        std::vector<Tangent> nearest;
        wall.tangents(from, from, distance(from) * (1.0 + 1e-9) + 1e-12, nearest);
        if (random.uniform() < 0.5 && !nearest.empty()) {  // put it into contact along the shortest line
            from = nearest.front().foot + test.radius * nearest.front().normal;
        }
        if (distance(from) <= 1e-6 * size) continue;
        const double length = random.uniform() < 0.5 ? size : 2.0 * test.radius;
        Vec3 to = from + length / size * (random_point(random, box) - 0.5 * (box.low + box.high));
        to.z() = box.low.z() == box.high.z() ? box.low.z() : to.z();
        CAPTURE(k);
        const int cuts = check_move(wall, distance, from, to, test).cuts;
        result.most_cuts = std::max(result.most_cuts, cuts);
        if (test.start_with_tangents) {
            result.mean_cuts += cuts;
            ++with_tangents;
        }
        if (k % 4 == 0) check_crossing(wall, distance, from, to);
    }
    result.mean_cuts /= std::max(1, with_tangents);
    return result;
}

}  // namespace talus::oracle
