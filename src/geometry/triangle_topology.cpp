#include "triangle_topology.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace talus {
namespace {

/// A triangle whose height is below this fraction of its longest side has no area: its normal would be
/// rounding [-].
constexpr double kLeastHeight = 1e-12;

bool before(const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

void check(const std::vector<Vec3>& points, const std::vector<std::array<Index, 3>>& triangles) {
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (!points[k].allFinite()) {
            throw std::invalid_argument(fmt::format("triangle mesh: point {} is not finite", k));
        }
    }
    for (std::size_t k = 0; k < triangles.size(); ++k) {
        for (Index v : triangles[k]) {
            if (v >= 0 && v < static_cast<Index>(points.size())) continue;
            throw std::invalid_argument(
                fmt::format("triangle mesh: triangle {} names point {}, there are {}", k, v, points.size()));
        }
    }
}

/// Number of the joined vertex of every point; fills `vertices`.
std::vector<Index> weld(const std::vector<Vec3>& points, std::vector<Vec3>& vertices) {
    std::vector<Index> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return before(points[a], points[b]); });
    std::vector<Index> vertex_of(points.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
        const Vec3& p = points[order[k]];
        if (k == 0 || before(vertices.back(), p)) vertices.push_back(p);
        vertex_of[order[k]] = static_cast<Index>(vertices.size()) - 1;
    }
    return vertex_of;
}

bool has_area(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return (b - a).cross(c - a).norm() > kLeastHeight * longest;
}

void drop_repeated(std::vector<std::array<Index, 3>>& triangles) {
    std::vector<std::pair<std::array<Index, 3>, Index>> keys;
    for (Index k = 0; k < static_cast<Index>(triangles.size()); ++k) {
        std::array<Index, 3> key = triangles[k];
        std::sort(key.begin(), key.end());
        keys.emplace_back(key, k);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Index> kept;
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (k == 0 || keys[k].first != keys[k - 1].first) kept.push_back(keys[k].second);
    }
    std::sort(kept.begin(), kept.end());
    std::vector<std::array<Index, 3>> unique;
    for (Index k : kept) unique.push_back(triangles[k]);
    triangles = std::move(unique);
}

/// Lists the triangles of every part (edge or vertex), given the three parts of every triangle.
void gather(const std::vector<std::array<Index, 3>>& parts, Index count, std::vector<Index>& begin,
            std::vector<Index>& triangles) {
    begin.assign(static_cast<std::size_t>(count) + 1, 0);
    for (const auto& of_triangle : parts) {
        for (Index part : of_triangle) ++begin[part + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    triangles.resize(3 * parts.size());
    std::vector<Index> next(begin.begin(), begin.end() - 1);
    for (Index k = 0; k < static_cast<Index>(parts.size()); ++k) {
        for (Index part : parts[k]) triangles[next[part]++] = k;
    }
}

/// Numbers the edges; returns how many there are.
Index number_edges(TriangleTopology& mesh) {
    std::vector<std::array<Index, 4>> sides;  // lower vertex, higher vertex, triangle, which side
    for (Index k = 0; k < static_cast<Index>(mesh.triangles.size()); ++k) {
        for (Index side = 0; side < 3; ++side) {
            const Index a = mesh.triangles[k][side];
            const Index b = mesh.triangles[k][(side + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), k, side});
        }
    }
    std::sort(sides.begin(), sides.end());
    mesh.edges.resize(mesh.triangles.size());
    Index edge = -1;
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const bool same = k > 0 && sides[k][0] == sides[k - 1][0] && sides[k][1] == sides[k - 1][1];
        if (!same) ++edge;
        mesh.edges[sides[k][2]][sides[k][3]] = edge;
    }
    return edge + 1;
}

}  // namespace

TriangleTopology connect_triangles(const std::vector<Vec3>& points,
                                   const std::vector<std::array<Index, 3>>& triangles) {
    check(points, triangles);
    TriangleTopology mesh;
    const std::vector<Index> vertex_of = weld(points, mesh.vertices);
    for (const auto& t : triangles) {
        if (has_area(points[t[0]], points[t[1]], points[t[2]])) {
            mesh.triangles.push_back({vertex_of[t[0]], vertex_of[t[1]], vertex_of[t[2]]});
        }
    }
    if (mesh.triangles.empty()) {
        throw std::invalid_argument(
            fmt::format("triangle mesh: none of the {} triangles has an area", triangles.size()));
    }
    drop_repeated(mesh.triangles);
    const Index edge_count = number_edges(mesh);
    gather(mesh.edges, edge_count, mesh.edge_begin, mesh.edge_triangles);
    gather(mesh.triangles, static_cast<Index>(mesh.vertices.size()), mesh.vertex_begin,
           mesh.vertex_triangles);
    return mesh;
}

}  // namespace talus
