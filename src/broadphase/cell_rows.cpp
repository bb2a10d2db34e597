#include "cell_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "pair_collector.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

namespace {

constexpr double kLastCell = 0x1p30;

/// Cells are this much wider than the widest reach: more than the rounding of a cell number (2^-21 at the
/// last cell), so that partners always lie in neighbouring rows.
constexpr double kWidthMargin = 1.0 + 0x1p-20;

/// Insertion sort, which is fastest on short or nearly sorted rows; given up when it moves too much.
template <class Item, class Before>
void sort_nearly_sorted(Item* first, Item* last, Before before) {
    constexpr std::ptrdiff_t moves_per_item = 8;
    std::ptrdiff_t budget = moves_per_item * (last - first);
    for (Item* next = first + 1; next < last; ++next) {
        const Item item = *next;
        Item* hole = next;
        for (; hole > first && before(item, hole[-1]); --hole) *hole = hole[-1];
        *hole = item;
        budget -= next - hole;
        if (budget < 0) return std::sort(first, last, before);
    }
}

double median_of_sample(std::span<const Index> particles, std::span<const Vec3> centre, int axis) {
    constexpr std::size_t kSample = 101;
    std::array<double, kSample> sample;
    const std::size_t count = std::min(kSample, particles.size());
    for (std::size_t k = 0; k < count; ++k) {
        const Index i = particles[k * particles.size() / count];
        sample[k] = centre[static_cast<std::size_t>(i)][axis];
    }
    std::nth_element(sample.begin(), sample.begin() + count / 2, sample.begin() + count);
    return sample[count / 2];
}

}  // namespace

std::uint64_t CellRows::cell(double coordinate, double origin, double inverse_width) {
    // Monotone at every stage; the first clamp keeps infinity times an inverse width of 0 away.
    constexpr double most = std::numeric_limits<double>::max();
    const double distance = std::clamp(coordinate - origin, -most, most);
    const double number = std::clamp(std::floor(distance * inverse_width), -kLastCell, kLastCell);
    return static_cast<std::uint64_t>(number + (kLastCell + 1.0));
}

std::size_t CellRows::lower_bound(const Level& level, std::size_t from, std::uint64_t key) const {
    const auto first = key_.begin() + from, last = key_.begin() + level.row_end;
    return static_cast<std::size_t>(std::lower_bound(first, last, key) - key_.begin());
}

CellRows::Row CellRows::row_from_x(Row row, double x) const {
    const auto first = std::lower_bound(slots_.begin() + row.begin, slots_.begin() + row.end, x,
                                        [](const Slot& slot, double value) { return slot.x < value; });
    return {static_cast<std::size_t>(first - slots_.begin()), row.end};
}

void CellRows::build(std::span<const Vec3> centre, std::span<const double> size) {
    const std::size_t count = centre.size();
    if (order_.size() != count) {
        order_.resize(count);
        std::iota(order_.begin(), order_.end(), 0);
    }
    classes_.assign(size, order_);
    slots_.resize(count);
    slot_key_.resize(count);
    slot_row_.resize(count);
    places_.resize(count);
    key_.clear();
    row_begin_.clear();
    levels_.clear();
    for (std::size_t c = 0; c < classes_.count(); ++c) {
        const double largest = classes_.largest(c);
        Level level{.largest = largest,
                    .inverse_width = std::isinf(largest) ? 0.0 : 1.0 / (2.0 * largest * kWidthMargin),
                    .origin_y = 0.0,
                    .origin_z = 0.0,
                    .slot_begin = classes_.begin(c),
                    .slot_end = classes_.end(c),
                    .row_begin = 0,
                    .row_end = 0};
        place_origin(level, centre);
        number_rows(level, centre);
        lay_out_rows(level, centre);
        levels_.push_back(level);
    }
    row_begin_.push_back(count);
    const std::size_t rows = key_.size();
    parallel_chunks(
        static_cast<std::ptrdiff_t>(rows),
        [&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (std::ptrdiff_t r = begin; r < end; ++r)
                fill_row(row(static_cast<std::size_t>(r)), centre, size);
        },
        PairCollector::segment_size(rows));
}

void CellRows::place_origin(Level& level, std::span<const Vec3> centre) const {
    const auto particles = std::span(order_).subspan(level.slot_begin, level.slot_end - level.slot_begin);
    level.origin_y = median_of_sample(particles, centre, 1);
    level.origin_z = median_of_sample(particles, centre, 2);
}

/// Sets slot_row_ to the number of each particle's row, and next_ to the particles in each.
void CellRows::number_rows(const Level& level, std::span<const Vec3> centre) {
    parallel_for(static_cast<std::ptrdiff_t>(level.slot_end - level.slot_begin), [&](std::ptrdiff_t k) {
        const std::size_t slot = level.slot_begin + static_cast<std::size_t>(k);
        const Vec3& c = centre[static_cast<std::size_t>(order_[slot])];
        slot_key_[slot] = make_key(cell(c[1], level.origin_y, level.inverse_width),
                                   cell(c[2], level.origin_z, level.inverse_width));
    });
    numbering_.clear();
    next_.clear();
    std::uint64_t last_key = 0;
    Index last_row = 0;
    for (std::size_t slot = level.slot_begin; slot < level.slot_end; ++slot) {
        if (slot_key_[slot] != last_key) {
            last_key = slot_key_[slot];
            last_row = numbering_.number(last_key);
            if (next_.size() < numbering_.keys().size()) next_.push_back(0);
        }
        slot_row_[slot] = last_row;
        ++next_[static_cast<std::size_t>(last_row)];
    }
}

/// Appends the rows in the order of their keys and moves the particles to them.
void CellRows::lay_out_rows(Level& level, std::span<const Vec3> centre) {
    const std::vector<std::uint64_t>& keys = numbering_.keys();
    by_key_.resize(keys.size());
    std::iota(by_key_.begin(), by_key_.end(), 0);
    std::sort(by_key_.begin(), by_key_.end(), [&](Index a, Index b) {
        return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    level.row_begin = key_.size();
    std::size_t slot = level.slot_begin;
    for (const Index number : by_key_) {
        const auto n = static_cast<std::size_t>(number);
        key_.push_back(keys[n]);
        row_begin_.push_back(slot);
        const std::size_t particles = next_[n];
        next_[n] = slot;
        slot += particles;
    }
    level.row_end = key_.size();
    for (std::size_t k = level.slot_begin; k < level.slot_end; ++k) {
        const Index particle = order_[k];
        places_[next_[static_cast<std::size_t>(slot_row_[k])]++] = {
            centre[static_cast<std::size_t>(particle)][0], particle};
    }
}

void CellRows::fill_row(Row row, std::span<const Vec3> centre, std::span<const double> size) {
    sort_nearly_sorted(places_.data() + row.begin, places_.data() + row.end,
                       [](const Place& a, const Place& b) { return a.x < b.x; });
    for (std::size_t k = row.begin; k < row.end; ++k) {
        const auto i = static_cast<std::size_t>(places_[k].particle);
        slots_[k] = {centre[i][0], centre[i][1], centre[i][2], size[i]};
        order_[k] = places_[k].particle;
    }
}

}  // namespace talus
