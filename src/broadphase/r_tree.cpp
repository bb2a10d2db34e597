#include <algorithm>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <limits>
#include <utility>

#include "kinds.hpp"
#include "pair_collector.hpp"
#include "size_overlap.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

namespace {

namespace bg = boost::geometry;
using Point = bg::model::point<double, 3, bg::cs::cartesian>;
using Box = bg::model::box<Point>;
using Value = std::pair<Box, Index>;
using BoxTree = bg::index::rtree<Value, bg::index::quadratic<16>>;

/// Box around a size ball, bounded so that the tree's own sums of corners stay finite; clamping keeps boxes
/// that meet meeting.
Box box_around(const Vec3& centre, double size) {
    constexpr double most = 0.25 * std::numeric_limits<double>::max();
    const double half = search_size(size);
    const Vec3 low = (centre.array() - half).max(-most).min(most);
    const Vec3 high = (centre.array() + half).max(-most).min(most);
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

/// Boxes of any size in one bulk-loaded tree (sort-tile-recursive packing): no classes of sizes are needed.
class RTree final : public BroadPhase {
public:
    void find(std::span<const Vec3> centre, std::span<const double> size, std::vector<Pair>& pairs) override {
        require_valid_input(centre, size);
        boxes_.clear();
        boxes_.reserve(centre.size());
        for (std::size_t i = 0; i < centre.size(); ++i)
            boxes_.emplace_back(box_around(centre[i], size[i]), static_cast<Index>(i));
        const BoxTree tree(boxes_.begin(), boxes_.end());
        found_.clear();
        parallel_chunks(
            static_cast<std::ptrdiff_t>(centre.size()),
            [&](std::ptrdiff_t segment, std::ptrdiff_t begin, std::ptrdiff_t end) {
                for (std::ptrdiff_t i = begin; i < end; ++i)
                    search(tree, static_cast<std::size_t>(i), centre, size, found_.segment(segment));
            },
            PairCollector::segment_size(centre.size()));
        found_.sort_into(centre.size(), pairs);
    }

private:
    void search(const BoxTree& tree, std::size_t i, std::span<const Vec3> centre,
                std::span<const double> size, PairBuffer& out) const {
        const auto self = static_cast<Index>(i);
        const auto test = [&](const Value& value) {
            const auto j = static_cast<std::size_t>(value.second);
            out.add_if(self < value.second && size_balls_overlap(centre[i], centre[j], size[i] + size[j]),
                       self, value.second);
        };
        tree.query(bg::index::intersects(boxes_[i].first), boost::make_function_output_iterator(test));
    }

    std::vector<Value> boxes_;
    PairCollector found_;
};

}  // namespace

std::unique_ptr<BroadPhase> make_r_tree() {
    return std::make_unique<RTree>();
}

}  // namespace talus
