#include "some_pairs.hpp"

#include "kinds.hpp"
#include "size_overlap.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

void SomePairs::find(std::span<const Index> some, std::span<const Vec3> centre, std::span<const double> size,
                     std::vector<Pair>& pairs) {
    require_valid_input(centre, size);
    centre_.clear();
    size_.clear();
    is_some_.assign(centre.size(), 0);
    for (const Index i : some) {
        centre_.push_back(centre[i]);
        size_.push_back(size[i]);
        is_some_[i] = 1;
    }
    rows_.build(centre_, size_);
    list_boxes();
    found_.clear();
    parallel_chunks(
        std::ssize(centre),
        [&](std::ptrdiff_t segment, std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (std::ptrdiff_t i = begin; i < end; ++i)
                look(static_cast<Index>(i), centre[i], size[i], some, found_.segment(segment));
        },
        PairCollector::segment_size(centre.size()));
    found_.sort_into(centre.size(), pairs);
}

void SomePairs::list_boxes() {
    box_.clear();
    for (const CellRows::Level& level : rows_.levels()) {
        const CellRows::Slot& first = rows_.slots()[level.slot_begin];
        Box box{{first.x, first.y, first.z}, {first.x, first.y, first.z}};
        for (std::size_t s = level.slot_begin; s < level.slot_end; ++s) {
            const CellRows::Slot& slot = rows_.slots()[s];
            const Vec3 at(slot.x, slot.y, slot.z);
            box.low = box.low.cwiseMin(at);
            box.high = box.high.cwiseMax(at);
        }
        box_.push_back(box);
    }
}

void SomePairs::look(Index particle, const Vec3& centre, double size, std::span<const Index> some,
                     PairBuffer& out) const {
    const auto scan = [&](CellRows::Row row, double reach) {
        row = rows_.row_from_x(row, centre.x() - reach);
        for (std::size_t q = row.begin; q < row.end && rows_.slots()[q].x <= centre.x() + reach; ++q) {
            const CellRows::Slot& slot = rows_.slots()[q];
            const Index other = some[rows_.particle(q)];
            const bool once = is_some_[particle] == 0 || particle < other;
            const bool near = size_balls_overlap(centre.x() - slot.x, centre.y() - slot.y,
                                                 centre.z() - slot.z, size + slot.size);
            out.add_if(once && near, particle, other);
        }
    };
    for (std::size_t l = 0; l < box_.size(); ++l) {
        const CellRows::Level& level = rows_.levels()[l];
        const double reach = search_size(size) + level.largest;
        const Box& box = box_[l];
        const bool is_far =
            ((centre.array() < box.low.array() - reach) || (centre.array() > box.high.array() + reach)).any();
        if (is_far) continue;
        rows_.visit_rows_near(level, centre.y(), centre.z(), reach,
                              [&](CellRows::Row row) { scan(row, reach); });
    }
}

}  // namespace talus
