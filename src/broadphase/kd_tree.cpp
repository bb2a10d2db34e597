#include <cmath>
#include <memory>
#include <nanoflann.hpp>
#include <numeric>

#include "kinds.hpp"
#include "pair_collector.hpp"
#include "size_classes.hpp"
#include "size_overlap.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

namespace {

/// The centres of one class of sizes, as nanoflann wants to see them.
struct ClassPoints {
    std::span<const Vec3> centre;
    std::span<const Index> particles;

    std::size_t kdtree_get_point_count() const { return particles.size(); }
    double kdtree_get_pt(std::size_t k, std::size_t axis) const {
        return centre[static_cast<std::size_t>(particles[k])][static_cast<Eigen::Index>(axis)];
    }
    template <class Box>
    bool kdtree_get_bbox(Box&) const {
        return false;
    }
};

using PointTree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, ClassPoints>,
                                                      ClassPoints, 3, std::size_t>;

/// The particle that searches, and the arrays it looks into.
struct Query {
    std::span<const Vec3> centre;
    std::span<const double> size;
    Index self;
};

/// Receives what a search meets and keeps what passes the test of a pair (nanoflann's result set).
class Partners {
public:
    Partners(const Query& query, double squared_radius, const ClassPoints& points, bool same_class,
             PairBuffer& out)
        : query_(query),
          squared_radius_(squared_radius),
          points_(points),
          same_class_(same_class),
          out_(out) {}

    // NOLINTBEGIN(readability-identifier-naming): nanoflann calls these names.
    double worstDist() const { return squared_radius_; }
    bool full() const { return true; }
    std::size_t size() const { return out_.pairs().size(); }
    bool addPoint(double, std::size_t k) {
        test(points_.particles[k]);
        return true;
    }
    // NOLINTEND(readability-identifier-naming)
    void test(Index other) {
        const auto i = static_cast<std::size_t>(query_.self), j = static_cast<std::size_t>(other);
        const bool wanted = !same_class_ || query_.self < other;  // within a class both find the pair
        const bool hit =
            wanted && size_balls_overlap(query_.centre[i], query_.centre[j], query_.size[i] + query_.size[j]);
        out_.add_if(hit, query_.self, other);
    }

private:
    const Query& query_;
    double squared_radius_;
    const ClassPoints& points_;
    bool same_class_;
    PairBuffer& out_;
};

/// One tree a class of sizes; each particle searches the trees of its own class and of the smaller ones, so
/// that a giant widens no search but its own.
class KdTree final : public BroadPhase {
public:
    void find(std::span<const Vec3> centre, std::span<const double> size, std::vector<Pair>& pairs) override;

private:
    void grow_trees(std::span<const Vec3> centre, std::span<const double> size);
    void search(std::size_t own_class, const Query& query, PairBuffer& out) const;

    SizeClasses classes_;
    std::vector<Index> order_;
    std::vector<ClassPoints> points_;
    std::vector<std::unique_ptr<PointTree>> trees_;
    PairCollector found_;
};

void KdTree::grow_trees(std::span<const Vec3> centre, std::span<const double> size) {
    order_.resize(centre.size());
    std::iota(order_.begin(), order_.end(), 0);
    classes_.assign(size, order_);
    trees_.clear();
    points_.clear();
    points_.reserve(classes_.count());  // the trees keep references
    for (std::size_t c = 0; c < classes_.count(); ++c) {
        const auto particles =
            std::span<const Index>(order_).subspan(classes_.begin(c), classes_.end(c) - classes_.begin(c));
        points_.push_back({centre, particles});
        trees_.push_back(std::make_unique<PointTree>(3, points_.back()));
    }
}

void KdTree::search(std::size_t own_class, const Query& query, PairBuffer& out) const {
    const auto i = static_cast<std::size_t>(query.self);
    for (std::size_t c = own_class; c < trees_.size(); ++c) {
        // nanoflann compares squared distances, strictly: the search sizes hold more than the rounding.
        const double radius = search_size(query.size[i]) + classes_.largest(c);
        Partners partners(query, radius * radius, points_[c], c == own_class, out);
        if (std::isinf(radius)) {
            for (const Index other : points_[c].particles) partners.test(other);
        } else {
            trees_[c]->findNeighbors(partners, query.centre[i].data(), nanoflann::SearchParams());
        }
    }
}

void KdTree::find(std::span<const Vec3> centre, std::span<const double> size, std::vector<Pair>& pairs) {
    require_valid_input(centre, size);
    grow_trees(centre, size);
    found_.clear();
    for (std::size_t c = 0; c < classes_.count(); ++c) {
        const std::size_t count = classes_.end(c) - classes_.begin(c);
        parallel_chunks(
            static_cast<std::ptrdiff_t>(count),
            [&](std::ptrdiff_t segment, std::ptrdiff_t begin, std::ptrdiff_t end) {
                for (std::ptrdiff_t k = begin; k < end; ++k)
                    search(c, {centre, size, order_[classes_.begin(c) + static_cast<std::size_t>(k)]},
                           found_.segment(segment));
            },
            PairCollector::segment_size(count));
    }
    found_.sort_into(centre.size(), pairs);
}

}  // namespace

std::unique_ptr<BroadPhase> make_kd_tree() {
    return std::make_unique<KdTree>();
}

}  // namespace talus
