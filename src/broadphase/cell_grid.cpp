#include <algorithm>

#include "cell_rows.hpp"
#include "kinds.hpp"
#include "pair_collector.hpp"
#include "size_overlap.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

namespace {

using Level = CellRows::Level;
using Row = CellRows::Row;
using Slot = CellRows::Slot;

/// Grid of cells with one level a class of sizes. Within a level each row is swept against itself and the
/// four neighbouring rows after it, along x. Between two levels each particle of one looks into the other.
class CellGrid final : public BroadPhase {
public:
    void find(std::span<const Vec3> centre, std::span<const double> size, std::vector<Pair>& pairs) override {
        require_valid_input(centre, size);
        rows_.build(centre, size);
        found_.clear();
        for (const Level& level : rows_.levels()) {
            find_within(level);
            find_in_other_levels(level);
        }
        found_.sort_into(centre.size(), pairs);
    }

private:
    void find_within(const Level& level);
    void find_from(const Level& level, std::size_t row_begin, std::size_t row_end, PairBuffer& out) const;
    void sweep(Row a, Row b, double reach, PairBuffer& out) const;
    void find_in_other_levels(const Level& level);
    void look_into(const Level& level, std::size_t slot, PairBuffer& out) const;
    void scan(std::size_t slot, Row row, double reach, PairBuffer& out) const;

    bool overlap(const Slot& a, const Slot& b) const {
        return size_balls_overlap(a.x - b.x, a.y - b.y, a.z - b.z, a.size + b.size);
    }

    CellRows rows_;
    PairCollector found_;
    std::vector<const Level*> targets_;
};

void CellGrid::find_within(const Level& level) {
    const std::size_t rows = level.row_end - level.row_begin;
    parallel_chunks(
        static_cast<std::ptrdiff_t>(rows),
        [&](std::ptrdiff_t segment, std::ptrdiff_t begin, std::ptrdiff_t end) {
            find_from(level, level.row_begin + static_cast<std::size_t>(begin),
                      level.row_begin + static_cast<std::size_t>(end), found_.segment(segment));
        },
        PairCollector::segment_size(rows));
}

/// Pairs of the rows [row_begin, row_end) with themselves and with the neighbours after them.
void CellGrid::find_from(const Level& level, std::size_t row_begin, std::size_t row_end,
                         PairBuffer& out) const {
    constexpr std::uint64_t one_z = CellRows::make_key(0, 1);
    const double reach = 2.0 * level.largest;
    // First row of the next z that may be a neighbour; moves on with r, so it is searched for only once.
    std::size_t above = rows_.lower_bound(level, row_begin, rows_.key(row_begin) + one_z - 1);
    for (std::size_t r = row_begin; r < row_end; ++r) {
        const std::uint64_t key = rows_.key(r);
        const Row row = rows_.row(r);
        for (std::size_t p = row.begin; p < row.end; ++p) scan(p, {p + 1, row.end}, reach, out);
        if (r + 1 < level.row_end && rows_.key(r + 1) == key + 1) sweep(row, rows_.row(r + 1), reach, out);
        while (above < level.row_end && rows_.key(above) < key + one_z - 1) ++above;
        for (std::size_t a = above; a < level.row_end && rows_.key(a) <= key + one_z + 1; ++a)
            sweep(row, rows_.row(a), reach, out);
    }
}

/// Pairs of two rows: the window of b that a particle of a can touch moves on with the particle.
void CellGrid::sweep(Row a, Row b, double reach, PairBuffer& out) const {
    const std::span<const Slot> slots = rows_.slots();
    for (std::size_t p = a.begin; p < a.end; ++p) {
        const double low = slots[p].x - reach;
        while (b.begin < b.end && slots[b.begin].x < low) ++b.begin;
        if (b.begin == b.end) return;
        scan(p, b, reach, out);
    }
}

/// Pairs of a particle with the particles of a row from row.begin on, as far as it reaches along x.
void CellGrid::scan(std::size_t slot, Row row, double reach, PairBuffer& out) const {
    const std::span<const Slot> slots = rows_.slots();
    const Slot self = slots[slot];
    const Index particle = rows_.particle(slot);
    const double high = self.x + reach;
    for (std::size_t q = row.begin; q < row.end && slots[q].x <= high; ++q)
        out.add_if(overlap(self, slots[q]), particle, rows_.particle(q));
}

/// Pairs of this level's particles with those of other levels, for the levels into which it is cheaper to
/// look from this one than from the other side.
void CellGrid::find_in_other_levels(const Level& level) {
    const auto cost = [](const Level& from, const Level& into) {
        const double across = into.cells_across(from.largest + into.largest);
        const auto rows = static_cast<double>(into.row_end - into.row_begin);
        return static_cast<double>(from.slot_end - from.slot_begin) * std::min(rows, across * across);
    };
    targets_.clear();
    for (const Level& other : rows_.levels()) {
        const double here = cost(level, other), there = cost(other, level);
        const bool from_here = here != there ? here < there : &level < &other;
        if (&other != &level && from_here) targets_.push_back(&other);
    }
    if (targets_.empty()) return;
    const std::size_t count = level.slot_end - level.slot_begin;
    parallel_chunks(
        static_cast<std::ptrdiff_t>(count),
        [&](std::ptrdiff_t segment, std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (std::ptrdiff_t k = begin; k < end; ++k) {
                for (const Level* target : targets_)
                    look_into(*target, level.slot_begin + static_cast<std::size_t>(k),
                              found_.segment(segment));
            }
        },
        PairCollector::segment_size(count));
}

void CellGrid::look_into(const Level& level, std::size_t slot, PairBuffer& out) const {
    const Slot self = rows_.slots()[slot];
    const double reach = search_size(self.size) + level.largest;
    rows_.visit_rows_near(level, self.y, self.z, reach,
                          [&](Row row) { scan(slot, rows_.row_from_x(row, self.x - reach), reach, out); });
}

}  // namespace

std::unique_ptr<BroadPhase> make_cell_grid() {
    return std::make_unique<CellGrid>();
}

}  // namespace talus
