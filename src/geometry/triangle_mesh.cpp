#include <Eigen/Geometry>
#include <algorithm>
#include <boost/geometry/algorithms/comparable_distance.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/geometry/strategies/strategies.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <limits>
#include <optional>
#include <utility>

#include "move.hpp"
#include "talus/geometry/shapes.hpp"
#include "triangle_topology.hpp"

namespace talus {
namespace {

namespace bg = boost::geometry;
using TreePoint = bg::model::point<double, 3, bg::cs::cartesian>;
using TreeBox = bg::model::box<TreePoint>;
using TreeValue = std::pair<TreeBox, Index>;
constexpr std::size_t kNodeSize = 8;  ///< boxes of a node of the tree: a node is a few cache lines
/// Boxes that a search from afar looks at first, and by how much it then looks at more.
constexpr std::size_t kFirstBoxes = 8, kMoreBoxes = 8;
using Tree = bg::index::rtree<TreeValue, bg::index::rstar<kNodeSize>>;

TreeBox tree_box(const Vec3& low, const Vec3& high) {
    return {TreePoint(low.x(), low.y(), low.z()), TreePoint(high.x(), high.y(), high.z())};
}

double box_distance(const TreeBox& box, const Vec3& x) {
    const TreePoint &low = box.min_corner(), &high = box.max_corner();
    const Vec3 below = Vec3(low.get<0>(), low.get<1>(), low.get<2>()) - x;
    const Vec3 above = x - Vec3(high.get<0>(), high.get<1>(), high.get<2>());
    return below.cwiseMax(above).cwiseMax(0.0).norm();
}

/// Part of a triangle: 0 its inside, 1 to 3 the side after corner 0 to 2, 4 to 6 a corner.
struct TriangleTouch {
    Vec3 point;
    int part;
};

/// One triangle of a mesh as a flat piece.
class TrianglePiece {
public:
    TrianglePiece(const TriangleTopology& mesh, Index triangle, const Vec3& normal)
        : mesh_(mesh), triangle_(triangle), normal_(normal) {}

    const Vec3& corner(int k) const { return mesh_.vertices[mesh_.triangles[triangle_][k % 3]]; }
    const Vec3& base() const { return corner(0); }
    const Vec3& normal() const { return normal_; }
    double height(const Vec3& x) const { return normal_.dot(x - base()); }
    std::int32_t face() const { return triangle_; }

    TriangleTouch closest(const Vec3& x) const;
    double distance(const Vec3& x) const { return distance(x, closest(x)); }
    double distance(const Vec3& x, const TriangleTouch& touch) const {
        return touch.part == 0 ? std::abs(height(x)) : (x - touch.point).norm();
    }
    Tangent plane_at(const Vec3& x) const { return plane_at(x, closest(x)); }
    Tangent plane_at(const Vec3& x, const TriangleTouch& touch) const;
    std::int32_t feature(int part) const;
    std::optional<double> enter_in_plane(const Vec3& from, const Vec3& to) const;

private:
    const TriangleTopology& mesh_;
    Index triangle_;
    const Vec3& normal_;
};

/// By the Voronoi regions of corners, sides and inside (Ericson 2005, "Real-time collision
/// detection", 5.1.5).
TriangleTouch TrianglePiece::closest(const Vec3& x) const {
    const Vec3 &a = corner(0), &b = corner(1), &c = corner(2);
    const Vec3 ab = b - a, ac = c - a;
    const double a1 = ab.dot(x - a), a2 = ac.dot(x - a);
    if (a1 <= 0.0 && a2 <= 0.0) return {a, 4};
    const double b1 = ab.dot(x - b), b2 = ac.dot(x - b);
    if (b1 >= 0.0 && b2 <= b1) return {b, 5};
    const double c1 = ab.dot(x - c), c2 = ac.dot(x - c);
    if (c2 >= 0.0 && c1 <= c2) return {c, 6};
    const double over_ab = a1 * b2 - b1 * a2;  // signed areas of x with each side, times twice the whole
    if (over_ab <= 0.0 && a1 >= 0.0 && b1 <= 0.0) return {a + a1 / (a1 - b1) * ab, 1};
    const double over_bc = b1 * c2 - c1 * b2;
    const double bc1 = b2 - b1, bc2 = c1 - c2;
    if (over_bc <= 0.0 && bc1 >= 0.0 && bc2 >= 0.0) return {b + bc1 / (bc1 + bc2) * (c - b), 2};
    const double over_ca = c1 * a2 - a1 * c2;
    if (over_ca <= 0.0 && a2 >= 0.0 && c2 <= 0.0) return {a + a2 / (a2 - c2) * ac, 3};
    return {x - height(x) * normal_, 0};
}

Tangent TrianglePiece::plane_at(const Vec3& x, const TriangleTouch& touch) const {
    const Vec3 offset = x - touch.point;
    const double length = offset.norm();
    if (touch.part == 0 || length == 0.0) {
        return {touch.point, height(x) >= 0.0 ? normal_ : Vec3(-normal_), feature(touch.part)};
    }
    return {touch.point, offset / length, feature(touch.part)};
}

std::int32_t TrianglePiece::feature(int part) const {
    const Index faces = static_cast<Index>(mesh_.triangles.size());
    if (part == 0) return triangle_;
    if (part < 4) return faces + mesh_.edges[triangle_][part - 1];
    return faces + mesh_.edge_count() + mesh_.triangles[triangle_][part - 4];
}

std::optional<double> TrianglePiece::enter_in_plane(const Vec3& from, const Vec3& to) const {
    double enter = 0.0, leave = 1.0;
    for (int side = 0; side < 3; ++side) {
        const Vec3 inward = normal_.cross(corner(side + 1) - corner(side));
        clip(inward.dot(from - corner(side)), inward.dot(to - corner(side)), enter, leave);
    }
    if (enter > leave) return std::nullopt;
    return enter;
}

class TriangleMesh final : public WallShape {
public:
    explicit TriangleMesh(TriangleTopology mesh);

    double distance(const Vec3& x) const override { return nearest(x).distance; }
    void tangents(const Vec3& x, const Vec3& expected, double reach,
                  std::vector<Tangent>& out) const override;
    bool crosses(const Vec3& from, const Vec3& to) const override;
    std::optional<Tangent> violated(const Vec3& from, const Vec3& to, double radius,
                                    double tolerance) const override;
    DrawnSurface draw(const Box& /*view*/) const override { return {mesh_.vertices, mesh_.triangles, {}}; }
    Box bounds() const override { return bounds_; }

private:
    struct Nearest {
        Index triangle = -1;
        double distance = std::numeric_limits<double>::infinity();
    };

    TrianglePiece piece(Index triangle) const { return {mesh_, triangle, normals_[triangle]}; }
    Nearest nearest(const Vec3& x) const;
    Index first_crossing(const Vec3& from, const Vec3& to, double rounding) const;
    bool is_local_minimum(Index triangle, const Vec3& x, int part) const;

    /// Calls visit(triangle) for the triangles whose box meets the given one, without allocating.
    template <class Visit>
    void for_each_in(const Vec3& low, const Vec3& high, Visit&& visit) const {
        tree_.query(bg::index::intersects(tree_box(low, high)),
                    boost::make_function_output_iterator([&](const TreeValue& v) { visit(v.second); }));
    }

    TriangleTopology mesh_;
    std::vector<Vec3> normals_;
    Box bounds_;
    double scale_;  ///< largest coordinate [m]
    double grain_;  ///< mean size of a triangle's box: how far a search for the nearest looks first [m]
    Tree tree_;
};

TriangleMesh::TriangleMesh(TriangleTopology mesh) : mesh_(std::move(mesh)), grain_(0.0) {
    bounds_ = {mesh_.vertices[mesh_.triangles[0][0]], mesh_.vertices[mesh_.triangles[0][0]]};
    std::vector<TreeValue> boxes;
    for (Index k = 0; k < static_cast<Index>(mesh_.triangles.size()); ++k) {
        const auto& t = mesh_.triangles[k];
        const Vec3 &a = mesh_.vertices[t[0]], &b = mesh_.vertices[t[1]], &c = mesh_.vertices[t[2]];
        const Vec3 low = a.cwiseMin(b).cwiseMin(c), high = a.cwiseMax(b).cwiseMax(c);
        normals_.push_back((b - a).cross(c - a).normalized());
        boxes.emplace_back(tree_box(low, high), k);
        grain_ += (high - low).norm();
        bounds_ = {bounds_.low.cwiseMin(low), bounds_.high.cwiseMax(high)};
    }
    grain_ /= static_cast<double>(boxes.size());
    scale_ = largest_coordinate(bounds_);
    tree_ = Tree(boxes);
}

/// Looks around x first, where a sphere in contact finds its triangle without allocating; from further away,
/// at the nearest boxes, and at more of them until all others are further than the nearest triangle. (The
/// tree's incremental search is ten times slower: it sorts all it has met at every leaf.)
TriangleMesh::Nearest TriangleMesh::nearest(const Vec3& x) const {
    Nearest best;
    const auto consider = [&](Index k) {
        const double distance = piece(k).distance(x);
        if (distance < best.distance || (distance == best.distance && k < best.triangle))
            best = {k, distance};
    };
    for_each_in(x.array() - grain_, x.array() + grain_, consider);
    if (best.distance <= grain_) return best;
    for (std::size_t count = kFirstBoxes;; count *= kMoreBoxes) {
        double covered = 0.0;
        const auto visit = [&](const TreeValue& found) {
            covered = std::max(covered, box_distance(found.first, x));
            consider(found.second);
        };
        tree_.query(bg::index::nearest(TreePoint(x.x(), x.y(), x.z()), static_cast<unsigned>(count)),
                    boost::make_function_output_iterator(visit));
        if (best.distance <= covered || count >= tree_.size()) return best;
    }
}

/// True if every triangle at the edge or corner has that same part as its own closest to x, asked by the
/// first of them: so each edge and corner is found once.
bool TriangleMesh::is_local_minimum(Index triangle, const Vec3& x, int part) const {
    const std::span<const Index> sharing = part < 4 ? mesh_.at_edge(mesh_.edges[triangle][part - 1])
                                                    : mesh_.at_vertex(mesh_.triangles[triangle][part - 4]);
    if (sharing.front() != triangle) return false;
    const std::int32_t feature = piece(triangle).feature(part);
    return std::all_of(sharing.begin() + 1, sharing.end(), [&](Index other) {
        const TrianglePiece neighbour = piece(other);
        return neighbour.feature(neighbour.closest(x).part) == feature;
    });
}

void TriangleMesh::tangents(const Vec3& x, const Vec3& /*expected*/, double reach,
                            std::vector<Tangent>& out) const {
    if (path_misses(bounds_, x, x, reach)) return;
    const std::size_t before = out.size();
    Nearest best;
    for_each_in(x.array() - reach, x.array() + reach, [&](Index k) {
        const TrianglePiece one = piece(k);
        if (std::abs(one.height(x)) > reach) return;
        const TriangleTouch touch = one.closest(x);
        const double distance = one.distance(x, touch);
        if (distance > reach) return;
        if (distance < best.distance) best = {k, distance};
        if (touch.part == 0 || is_local_minimum(k, x, touch.part)) out.push_back(one.plane_at(x, touch));
    });
    // Exactly over a corner of a flat fan, rounding can make each triangle point to the next one.
    if (best.triangle >= 0 && out.size() == before) out.push_back(piece(best.triangle).plane_at(x));
}

/// Triangle that the path meets first; -1 when it meets none.
Index TriangleMesh::first_crossing(const Vec3& from, const Vec3& to, double rounding) const {
    Index first = -1;
    double earliest = 2.0;
    for_each_in(from.cwiseMin(to).array() - rounding, from.cwiseMax(to).array() + rounding, [&](Index k) {
        const std::optional<double> t = crossing(piece(k), from, to, rounding);
        if (!t || *t > earliest || (*t == earliest && k > first)) return;
        earliest = *t;
        first = k;
    });
    return first;
}

bool TriangleMesh::crosses(const Vec3& from, const Vec3& to) const {
    const double rounding = rounding_of(from, to, scale_);
    return !path_misses(bounds_, from, to, rounding) && first_crossing(from, to, rounding) >= 0;
}

std::optional<Tangent> TriangleMesh::violated(const Vec3& from, const Vec3& to, double radius,
                                              double tolerance) const {
    if (path_misses(bounds_, from, to, radius)) return std::nullopt;
    const Move move{from, to, radius, tolerance, rounding_of(from, to, scale_)};
    Index triangle = first_crossing(from, to, move.rounding);
    const bool crossed = triangle >= 0;
    if (!crossed) {
        Nearest end;
        for_each_in(to.array() - radius, to.array() + radius, [&](Index k) {
            if (std::abs(piece(k).height(to)) >= radius - tolerance) return;
            const double distance = piece(k).distance(to);
            if (distance < end.distance || (distance == end.distance && k < end.triangle))
                end = {k, distance};
        });
        if (end.distance >= radius - tolerance) return std::nullopt;
        triangle = end.triangle;
    }
    const double allowed = std::min(radius, distance(from));
    return cut_at_piece(piece(triangle), move, crossed, allowed);
}

}  // namespace

ShapePtr make_triangle_mesh(const std::vector<Vec3>& points,
                            const std::vector<std::array<Index, 3>>& triangles) {
    return std::make_shared<TriangleMesh>(connect_triangles(points, triangles));
}

}  // namespace talus
