#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "row_numbering.hpp"
#include "size_classes.hpp"
#include "talus/core/types.hpp"

namespace talus {

/// Particles sorted into the occupied cells of one grid a class of sizes (a level). The cells divide y and z
/// only: a row is an occupied cell (y, z), and its particles are sorted along x. So a row is swept along x
/// without any cell, and x is neither rounded nor clamped.
///
/// Cells further than 2^30 widths from the bulk fall into the outermost one. Memory is O(particles), reused.
class CellRows {
public:
    struct Slot {
        double x, y, z, size;
    };
    struct Row {
        std::size_t begin, end;  ///< slots
    };
    struct Level {
        double largest;                    ///< search size [m]; infinite where squares of sizes overflow
        double inverse_width;              ///< of a cell [1/m]; a cell is wider than two of the largest size
        double origin_y, origin_z;         ///< near the bulk [m]
        std::size_t slot_begin, slot_end;  ///< its particles
        std::size_t row_begin, row_end;    ///< its rows, by ascending key
        double cells_across(double reach) const { return 2.0 * reach * inverse_width + 1.0; }
    };

    void build(std::span<const Vec3> centre, std::span<const double> size);

    std::span<const Level> levels() const { return levels_; }
    std::span<const Slot> slots() const { return slots_; }
    Index particle(std::size_t slot) const { return order_[slot]; }
    Row row(std::size_t r) const { return {row_begin_[r], row_begin_[r + 1]}; }
    std::uint64_t key(std::size_t r) const { return key_[r]; }

    /// A key orders the rows of a level by z, then y. Cells are numbered from 1 to 2^31 + 1.
    static constexpr std::uint64_t make_key(std::uint64_t cell_y, std::uint64_t cell_z) {
        return (cell_z << 32) + cell_y;
    }
    static constexpr std::uint64_t cell_y(std::uint64_t key) { return key & 0xFFFFFFFFU; }
    static constexpr std::uint64_t cell_z(std::uint64_t key) { return key >> 32; }
    static std::uint64_t cell(double coordinate, double origin, double inverse_width);
    /// First row of [from, level.row_end) whose key is not below `key`.
    std::size_t lower_bound(const Level& level, std::size_t from, std::uint64_t key) const;
    /// The part of a row at or above x.
    Row row_from_x(Row row, double x) const;
    /// Calls visit(row) for the rows of a level within the box of cells `reach` around (y, z). Empty cells
    /// are jumped over, so that a giant costs no more than the occupied rows.
    template <class Visit>
    void visit_rows_near(const Level& level, double y, double z, double reach, Visit&& visit) const;

private:
    struct Place {
        double x;
        Index particle;
    };

    void place_origin(Level& level, std::span<const Vec3> centre) const;
    void number_rows(const Level& level, std::span<const Vec3> centre);
    void lay_out_rows(Level& level, std::span<const Vec3> centre);
    void fill_row(Row row, std::span<const Vec3> centre, std::span<const double> size);

    SizeClasses classes_;
    std::vector<Level> levels_;
    std::vector<Index> order_;  // particle of each slot; kept, since little moves between two builds
    std::vector<Slot> slots_;
    std::vector<std::uint64_t> key_;      // of each row
    std::vector<std::size_t> row_begin_;  // first slot of each row, and the number of slots
    RowNumbering numbering_;              // of the rows of one level while it is built
    std::vector<std::uint64_t> slot_key_;
    std::vector<Index> slot_row_;
    std::vector<Index> by_key_;      // row numbers in the order of their keys
    std::vector<std::size_t> next_;  // by row number: its count, then where its next particle goes
    std::vector<Place> places_;
};

template <class Visit>
void CellRows::visit_rows_near(const Level& level, double y, double z, double reach, Visit&& visit) const {
    const std::uint64_t y_low = cell(y - reach, level.origin_y, level.inverse_width);
    const std::uint64_t y_high = cell(y + reach, level.origin_y, level.inverse_width);
    const std::uint64_t z_low = cell(z - reach, level.origin_z, level.inverse_width);
    const std::uint64_t z_high = cell(z + reach, level.origin_z, level.inverse_width);
    const std::uint64_t last = make_key(y_high, z_high);
    std::size_t r = lower_bound(level, level.row_begin, make_key(y_low, z_low));
    while (r < level.row_end && key_[r] <= last) {
        const std::uint64_t row_y = cell_y(key_[r]), row_z = cell_z(key_[r]);
        if (row_y < y_low) {
            r = lower_bound(level, r, make_key(y_low, row_z));
        } else if (row_y > y_high) {
            r = lower_bound(level, r, make_key(y_low, row_z + 1));
        } else {
            visit(row(r));
            ++r;
        }
    }
}

}  // namespace talus
