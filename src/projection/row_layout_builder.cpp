#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "radix_sort.hpp"
#include "talus/projection/row_layout.hpp"

namespace talus {

namespace {

/// A row longer than this many median rows is not held by a cube: one giant must not make all cubes large.
constexpr double kFarRow = 4.0;
/// Side of a cube over the longest row. Two would keep cubes of one colour apart, with room for rounding.
/// Larger ones load fewer bodies twice and leave more rows to choose groups of four from, but feed fewer
/// threads.
constexpr double kCubeSide = 4.0;
/// Bodies of a cube take their turns this part of the cube apart (golden section: no two turns come near each
/// other soon), or rows that follow each other would share bodies and wait for each other.
constexpr double kStride = 0.381966;
/// Bodies are sorted within a cube along the curve through 4 x 4 x 4 cells.
constexpr int kCellBits = 2;
constexpr std::size_t kGroupWindow = 64;  ///< rows among which partners for a group of four are looked for
constexpr int kCoordinateBits = 21;  ///< three coordinates fit a 64-bit key; cells further out share the last
constexpr double kLastCell = (1 << (kCoordinateBits - 1)) - 1;
constexpr std::size_t kOriginSample = 1024;  ///< bodies whose median is the origin of the cubes

bool moves(const ProjectionProblem& problem, Index body) {
    return body >= 0 && problem.inverse_mass[body] > 0.0;
}

/// Of two rows between bodies that can move.
bool share_body(const Row& a, const Row& b) {
    return a.i == b.i || a.i == b.j || a.j == b.i || a.j == b.j;
}

/// Puts two zero bits between the bits of a coordinate.
std::uint64_t spread_bits(std::uint64_t x) {
    x = (x | x << 32) & 0x1f00000000ffffULL;
    x = (x | x << 16) & 0x1f0000ff0000ffULL;
    x = (x | x << 8) & 0x100f00f00f00f00fULL;
    x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
    x = (x | x << 2) & 0x1249249249249249ULL;
    return x;
}

/// Morton key of the cell of a point. Any finite point is allowed: cells beyond the last are one cell with
/// it, which only makes that cell larger, so cubes of one colour stay as far apart as before.
std::uint64_t curve_key(const Vec3& point, const Vec3& origin, double cell) {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double x = std::floor((point[axis] - origin[axis]) / cell);
        const double clamped = x > -kLastCell ? std::min(x, kLastCell) : -kLastCell;
        key |= spread_bits(static_cast<std::uint64_t>(clamped + kLastCell + 1.0)) << axis;
    }
    return key;
}

std::uint64_t cube_of(std::uint64_t key) {
    return key >> (3 * kCellBits);
}

int colour_of(std::uint64_t key) {
    return static_cast<int>(cube_of(key) & 7U);
}

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

void RowLayoutBuilder::build(const ProjectionProblem& problem, RowLayout& layout) {
    check_rows(problem);
    longest_ = ordinary_length(problem);
    number_bodies(problem, layout);
    classify_rows(problem);
    order_rows(problem, layout);
    fill_rows(problem, layout);
    share_out(layout);
}

void RowLayoutBuilder::check_rows(const ProjectionProblem& problem) const {
    const auto bodies = static_cast<Index>(problem.inverse_mass.size());
    if (problem.centre.size() != problem.inverse_mass.size()) {
        throw std::invalid_argument("projection: as many centres as inverse masses are needed");
    }
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        const Row& r = problem.rows[c];
        if (r.i < 0 || r.i >= bodies || r.j < -1 || r.j >= bodies || r.i == r.j) {
            throw std::invalid_argument(
                fmt::format("projection: row {} joins bodies {} and {}, of {}", c, r.i, r.j, bodies));
        }
        if (!moves(problem, r.i) && !moves(problem, r.j)) {
            throw std::invalid_argument(
                fmt::format("projection: row {} joins {} and {}, which can not move", c, r.i, r.j));
        }
        if (!(r.radius > 0.0)) {
            throw std::invalid_argument(
                fmt::format("projection: row {} has radius {}, positive is needed", c, r.radius));
        }
    }
}

/// Longest row between two bodies that can move, those above kFarRow medians left out.
double RowLayoutBuilder::ordinary_length(const ProjectionProblem& problem) {
    length_.assign(problem.rows.size(), 0.0);
    sample_.clear();
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        const Row& r = problem.rows[c];
        if (!moves(problem, r.i) || !moves(problem, r.j)) continue;
        length_[c] = (problem.centre[r.j] - problem.centre[r.i]).norm();
        sample_.push_back(length_[c]);
    }
    if (sample_.empty()) return 0.0;
    const double far = kFarRow * median(sample_);
    double longest = 0.0;
    for (const double length : sample_) longest = length <= far ? std::max(longest, length) : longest;
    return longest;
}

/// Median place of some of the bodies: what flies far away does not move it.
Vec3 RowLayoutBuilder::middle_of(const ProjectionProblem& problem, const std::vector<Index>& bodies) {
    Vec3 middle;
    const std::size_t stride = std::max<std::size_t>(1, bodies.size() / kOriginSample);
    for (int axis = 0; axis < 3; ++axis) {
        sample_.clear();
        for (std::size_t k = 0; k < bodies.size(); k += stride) {
            sample_.push_back(problem.centre[bodies[k]][axis]);
        }
        middle[axis] = median(sample_);
    }
    return middle;
}

/// Packs the bodies that can move and have a row, along the curve, and finds the cubes they fill.
void RowLayoutBuilder::number_bodies(const ProjectionProblem& problem, RowLayout& layout) {
    packed_.assign(problem.inverse_mass.size(), -1);
    for (const Row& r : problem.rows) {
        if (moves(problem, r.i)) packed_[r.i] = 0;
        if (moves(problem, r.j)) packed_[r.j] = 0;
    }
    layout.body.clear();
    for (std::size_t k = 0; k < packed_.size(); ++k) {
        if (packed_[k] == 0) layout.body.push_back(static_cast<Index>(k));
    }
    const Index count = layout.body_count();
    key_.assign(layout.body.size(), 0);
    if (longest_ > 0.0) {
        const Vec3 origin = middle_of(problem, layout.body);
        const double cell = kCubeSide * longest_ / (1 << kCellBits);
        for (Index k = 0; k < count; ++k) key_[k] = curve_key(problem.centre[layout.body[k]], origin, cell);
        radix_sort(key_, layout.body, spare_key_, spare_body_);
    }
    layout.mass.resize(layout.body.size());
    cube_begin_.clear();
    for (Index k = 0; k < count; ++k) {
        packed_[layout.body[k]] = k;
        layout.mass[k] = 1.0 / problem.inverse_mass[layout.body[k]];
        if (k == 0 || cube_of(key_[k]) != cube_of(key_[k - 1])) cube_begin_.push_back(k);
    }
    cube_begin_.push_back(count);
}

void RowLayoutBuilder::classify_rows(const ProjectionProblem& problem) {
    owner_.resize(problem.rows.size());
    kind_.resize(problem.rows.size());
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        const Row& r = problem.rows[c];
        const bool both = moves(problem, r.i) && moves(problem, r.j);
        owner_[c] = packed_[moves(problem, r.i) ? r.i : r.j];
        kind_[c] = !both ? Kind::single : length_[c] <= longest_ ? Kind::pair : Kind::far;
    }
    fill_bucket(problem, Kind::pair, pairs_);
    fill_bucket(problem, Kind::single, singles_);
    fill_bucket(problem, Kind::far, far_);
    none_.begin.assign(pairs_.begin.size(), 0);
}

/// Counting sort by owner; within an owner by partner, so that the caller's order of rows hardly matters.
void RowLayoutBuilder::fill_bucket(const ProjectionProblem& problem, Kind kind, Bucket& bucket) {
    const std::size_t bodies = key_.size();
    bucket.begin.assign(bodies + 1, 0);
    for (std::size_t c = 0; c < owner_.size(); ++c) {
        if (kind_[c] == kind) ++bucket.begin[owner_[c] + 1];
    }
    for (std::size_t k = 0; k < bodies; ++k) bucket.begin[k + 1] += bucket.begin[k];
    bucket.row.resize(static_cast<std::size_t>(bucket.begin[bodies]));
    rank_.assign(bucket.begin.begin(), bucket.begin.end() - 1);
    for (std::size_t c = 0; c < owner_.size(); ++c) {
        if (kind_[c] == kind) bucket.row[rank_[owner_[c]]++] = static_cast<Index>(c);
    }
    const auto partner = [&](Index c) { return problem.rows[c].j < 0 ? -1 : packed_[problem.rows[c].j]; };
    for (std::size_t k = 0; k < bodies; ++k) {
        std::sort(bucket.row.begin() + bucket.begin[k], bucket.row.begin() + bucket.begin[k + 1],
                  [&](Index a, Index b) { return std::pair(partner(a), a) < std::pair(partner(b), b); });
    }
}

void RowLayoutBuilder::order_rows(const ProjectionProblem& problem, RowLayout& layout) {
    layout.row.clear();
    layout.blocks.clear();
    layout.colour_begin.assign(1, 0);
    for (int colour = 0; colour < 8; ++colour) {
        for (std::size_t cube = 0; cube + 1 < cube_begin_.size(); ++cube) {
            const Index first = cube_begin_[cube];
            if (colour_of(key_[first]) != colour) continue;
            add_block(problem, first, cube_begin_[cube + 1], pairs_, singles_, layout);
        }
        const auto blocks = static_cast<Index>(layout.blocks.size());
        if (blocks > layout.colour_begin.back()) layout.colour_begin.push_back(blocks);
    }
    if (far_.row.empty()) return;
    add_block(problem, 0, static_cast<Index>(key_.size()), far_, none_, layout);
    layout.colour_begin.push_back(static_cast<Index>(layout.blocks.size()));
}

void RowLayoutBuilder::add_block(const ProjectionProblem& problem, Index first_body, Index last_body,
                                 const Bucket& pairs, const Bucket& singles, RowLayout& layout) {
    RowLayout::Block block{};
    block.begin = layout.row_count();
    take_turns(pairs, first_body, last_body, layout.row);
    block.four_end = group_by_four(problem, block.begin, layout.row);
    block.single = layout.row_count();
    take_turns(singles, first_body, last_body, layout.row);
    block.end = layout.row_count();
    if (block.end > block.begin) layout.blocks.push_back(block);
}

/// Cuts the curve, and with it every colour, into one part a thread, with about as many rows each.
void RowLayoutBuilder::share_out(RowLayout& layout) {
    const int parts = thread_count();
    layout.part_count = parts;
    const auto owner = [&](Index block) { return owner_[layout.row[layout.blocks[block].begin]]; };
    rows_before_.assign(key_.size() + 1, 0);
    const auto blocks = static_cast<Index>(layout.blocks.size());
    for (Index b = 0; b < blocks; ++b) {
        rows_before_[owner(b) + 1] += layout.blocks[b].end - layout.blocks[b].begin;
    }
    std::partial_sum(rows_before_.begin(), rows_before_.end(), rows_before_.begin());
    part_.clear();
    for (Index b = 0; b < blocks; ++b) {
        const std::int64_t before = rows_before_[owner(b)];
        part_.push_back(static_cast<int>(before * parts / layout.row_count()));
    }
    mark_shared_blocks(layout);
    layout.parts.clear();
    layout.turns.clear();
    for (std::size_t colour = 0; colour < layout.colour_count(); ++colour) {
        Index block = layout.colour_begin[colour];
        for (int part = 0; part < parts; ++part) {
            const Index first = block;
            while (block < layout.colour_begin[colour + 1] && part_[block] == part) ++block;
            add_turns(first, block, layout);
        }
    }
}

/// A part's blocks of one colour: those that other parts wait for come first.
void RowLayoutBuilder::add_turns(Index first_block, Index last_block, RowLayout& layout) {
    RowLayout::Part part{};
    part.begin = static_cast<Index>(layout.turns.size());
    for (Index b = first_block; b < last_block; ++b) {
        if (shared_[b] != 0) layout.turns.push_back(b);
    }
    part.own = static_cast<Index>(layout.turns.size());
    for (Index b = first_block; b < last_block; ++b) {
        if (shared_[b] == 0) layout.turns.push_back(b);
    }
    part.end = static_cast<Index>(layout.turns.size());
    layout.parts.push_back(part);
}

/// Finds the blocks with a body that a block of another part has too.
void RowLayoutBuilder::mark_shared_blocks(const RowLayout& layout) {
    constexpr int kNone = -1;
    constexpr int kSeveral = -2;
    shared_.assign(layout.blocks.size(), 0);
    if (layout.part_count == 1) return;
    part_of_body_.assign(layout.body.size(), kNone);
    const auto mark = [&](Index body, int part) {
        int& before = part_of_body_[body];
        before = before == kNone || before == part ? part : kSeveral;
    };
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
        for (Index c = layout.blocks[b].begin; c < layout.blocks[b].end; ++c) {
            mark(layout.ends[c].i, part_[b]);
            if (layout.ends[c].j >= 0) mark(layout.ends[c].j, part_[b]);
        }
    }
    for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
        for (Index c = layout.blocks[b].begin; c < layout.blocks[b].end; ++c) {
            const auto [i, j] = layout.ends[c];
            if (part_of_body_[i] == kSeveral || (j >= 0 && part_of_body_[j] == kSeveral)) shared_[b] = 1;
        }
    }
}

/// Own-rank order: the first row of every body, then the second of every body that has one, and so on; the
/// bodies in an order that jumps about the cube.
void RowLayoutBuilder::take_turns(const Bucket& bucket, Index first_body, Index last_body,
                                  std::vector<Index>& row) {
    waiting_.clear();
    for (Index k = first_body; k < last_body; ++k) {
        if (bucket.begin[k + 1] > bucket.begin[k]) waiting_.push_back(k);
    }
    const std::size_t count = waiting_.size();
    auto stride = std::max<std::size_t>(1, static_cast<std::size_t>(kStride * static_cast<double>(count)));
    while (std::gcd(stride, count) > 1) ++stride;
    active_.clear();
    for (std::size_t k = 0; k < count; ++k) active_.push_back(waiting_[k * stride % count]);
    for (Index rank = 0; !active_.empty(); ++rank) {
        std::size_t kept = 0;
        for (const Index k : active_) {
            row.push_back(bucket.row[bucket.begin[k] + rank]);
            if (bucket.begin[k] + rank + 1 < bucket.begin[k + 1]) active_[kept++] = k;
        }
        active_.resize(kept);
    }
}

/// Puts the rows from `begin` on into groups of four that share no body: a row and the next three that go
/// with it. Rows that find none follow in order. Returns where these begin.
Index RowLayoutBuilder::group_by_four(const ProjectionProblem& problem, Index begin,
                                      std::vector<Index>& row) {
    const auto is_apart = [&](std::size_t k, std::span<const std::size_t> chosen) {
        return std::none_of(chosen.begin(), chosen.end(), [&](std::size_t other) {
            return share_body(problem.rows[waiting_[other]], problem.rows[waiting_[k]]);
        });
    };
    waiting_.assign(row.begin() + begin, row.end());
    row.resize(static_cast<std::size_t>(begin));
    left_.clear();
    for (std::size_t first = 0; first < waiting_.size(); ++first) {
        if (waiting_[first] < 0) continue;
        std::array<std::size_t, 4> chosen = {first};
        std::size_t count = 1;
        const std::size_t last = std::min(waiting_.size(), first + kGroupWindow);
        for (std::size_t k = first + 1; k < last && count < chosen.size(); ++k) {
            if (waiting_[k] < 0) continue;
            if (is_apart(k, {chosen.data(), count})) chosen[count++] = k;
        }
        std::vector<Index>& to = count == chosen.size() ? row : left_;
        if (count < chosen.size()) count = 1;
        for (std::size_t k = 0; k < count; ++k) to.push_back(std::exchange(waiting_[chosen[k]], -1));
    }
    const auto four_end = static_cast<Index>(row.size());
    row.insert(row.end(), left_.begin(), left_.end());
    return four_end;
}

void RowLayoutBuilder::fill_rows(const ProjectionProblem& problem, RowLayout& layout) const {
    layout.direction.resize(layout.row.size());
    layout.ends.resize(layout.row.size());
    layout.scale.resize(layout.row.size());
    for (std::size_t c = 0; c < layout.row.size(); ++c) {
        const Row& r = problem.rows[layout.row[c]];
        const bool i_moves = moves(problem, r.i);
        const bool j_moves = moves(problem, r.j);
        const double inverse =
            (i_moves ? problem.inverse_mass[r.i] : 0.0) + (j_moves ? problem.inverse_mass[r.j] : 0.0);
        const double s = 1.0 / std::sqrt(inverse);
        const double sign = j_moves ? 1.0 : -1.0;
        layout.scale[c] = s;
        layout.direction[c] << sign * s * r.normal, 0.0;
        layout.ends[c] = {packed_[i_moves ? r.i : r.j], i_moves && j_moves ? packed_[r.j] : -1};
    }
}

}  // namespace talus
