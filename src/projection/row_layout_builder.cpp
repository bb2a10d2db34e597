#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "talus/core/median.hpp"
#include "talus/core/space_filling_curve.hpp"
#include "talus/projection/row_layout.hpp"

namespace talus {

namespace {

/// A row longer than this many median rows is not held by a cube: one giant must not make all cubes large.
constexpr double kFarRow = 4.0;
constexpr double kNoPair = -1.0;  ///< in place of the length of a row with one body that can move
/// Bodies are sorted along the curve through cells of the longest row's length; a cube is 4 x 4 x 4 of them
/// or, where that leaves kManyCubes, 8 x 8 x 8. Two would keep cubes of one colour apart, with room for
/// rounding. Larger ones load fewer bodies twice and leave more rows to choose groups of four from, but feed
/// fewer threads.
constexpr int kCubeBits = 2;
constexpr int kLargeCubeBits = 3;
constexpr int kManyCubes = 128;
/// Bodies of a cube take their turns this part of the cube apart (golden section: no two turns come near each
/// other soon), or rows that follow each other would share bodies and wait for each other.
constexpr double kStride = 0.381966;
constexpr std::size_t kGroupWindow = 64;  ///< rows among which partners for a group of four are looked for
constexpr std::size_t kSample = 1024;     ///< rows or bodies whose median is taken

bool moves(const ProjectionProblem& problem, Index body) {
    return body >= 0 && problem.inverse_mass[body] > 0.0;
}

/// Of two rows of one kind. Rows with one body that can move may share the other: a wall, or a body at rest.
bool share_body(const ProjectionProblem& problem, const Row& a, const Row& b) {
    const auto is_one_of = [&](Index body) { return moves(problem, body) && (body == b.i || body == b.j); };
    return is_one_of(a.i) || is_one_of(a.j);
}

std::uint64_t cube_of(std::uint64_t key, int cube_bits) {
    return key >> (3 * cube_bits);
}

int colour_of(std::uint64_t key, int cube_bits) {
    return static_cast<int>(cube_of(key, cube_bits) & 7U);
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
    list_bodies(layout);
}

void RowLayoutBuilder::check_rows(const ProjectionProblem& problem) const {
    const auto bodies = static_cast<Index>(problem.inverse_mass.size());
    if (problem.centre.size() != problem.inverse_mass.size()) {
        throw std::invalid_argument("projection: as many centres as inverse masses are needed");
    }
    const auto named = [&](const Row& r) {
        return r.i >= 0 && r.i < bodies && r.j >= -1 && r.j < bodies && r.i != r.j;
    };
    const auto good = [&](const Row& r) {
        return named(r) && (moves(problem, r.i) || moves(problem, r.j)) && r.radius > 0.0;
    };
    if (!problem.idle.empty() && problem.idle.size() != problem.rows.size()) {
        throw std::invalid_argument(
            "projection: it must be said of all rows or of none whether they are idle");
    }
    const auto rows = std::ssize(problem.rows);
    const std::ptrdiff_t bad = parallel_reduce(
        rows, rows, [&](std::ptrdiff_t c) { return good(problem.rows[c]) ? rows : c; },
        [](std::ptrdiff_t a, std::ptrdiff_t b) { return std::min(a, b); });
    if (bad == rows) return;
    const Row& r = problem.rows[bad];
    if (!named(r)) {
        throw std::invalid_argument(
            fmt::format("projection: row {} joins bodies {} and {}, of {}", bad, r.i, r.j, bodies));
    }
    if (!(r.radius > 0.0)) {
        throw std::invalid_argument(
            fmt::format("projection: row {} has radius {}, positive is needed", bad, r.radius));
    }
    throw std::invalid_argument(
        fmt::format("projection: row {} joins {} and {}, which can not move", bad, r.i, r.j));
}

/// Longest row between two bodies that can move, those above kFarRow medians left out.
double RowLayoutBuilder::ordinary_length(const ProjectionProblem& problem) {
    length_.resize(problem.rows.size());
    parallel_for(std::ssize(length_), [&](std::ptrdiff_t c) {
        const Row& r = problem.rows[c];
        const bool pair = moves(problem, r.i) && moves(problem, r.j);
        length_[c] = pair ? (problem.centre[r.j] - problem.centre[r.i]).norm() : kNoPair;
    });
    sample_lengths(std::max<std::size_t>(1, length_.size() / kSample));
    if (sample_.size() < kSample / 16) sample_lengths(1);  // few pairs among many single rows
    if (sample_.empty()) return 0.0;
    const double far = kFarRow * median(sample_);
    return parallel_max(std::ssize(length_), 0.0,
                        [&](std::ptrdiff_t c) { return length_[c] <= far ? length_[c] : 0.0; });
}

/// Of every stride-th row.
void RowLayoutBuilder::sample_lengths(std::size_t stride) {
    sample_.clear();
    for (std::size_t c = 0; c < length_.size(); c += stride) {
        if (length_[c] != kNoPair) sample_.push_back(length_[c]);
    }
}

/// Median place of some of the bodies: what flies far away does not move it.
Vec3 RowLayoutBuilder::middle_of(const ProjectionProblem& problem, const std::vector<Index>& bodies) {
    const std::size_t stride = std::max<std::size_t>(1, bodies.size() / kSample);
    const std::size_t count = (bodies.size() + stride - 1) / stride;
    return median_point(
        count, [&](std::size_t k) -> const Vec3& { return problem.centre[bodies[k * stride]]; }, sample_);
}

/// Packs the bodies that can move and have a row, along the curve, and finds the cubes they fill.
void RowLayoutBuilder::number_bodies(const ProjectionProblem& problem, RowLayout& layout) {
    packed_.assign(problem.inverse_mass.size(), -1);
    const auto mark = [&](Index body) {
        if (moves(problem, body)) std::atomic_ref(packed_[body]).store(0, std::memory_order_relaxed);
    };
    parallel_for(std::ssize(problem.rows), [&](std::ptrdiff_t c) {
        mark(problem.rows[c].i);
        mark(problem.rows[c].j);
    });
    append_.run(
        std::ssize(packed_),
        [&](std::ptrdiff_t k, std::vector<Index>& out) {
            if (packed_[k] == 0) out.push_back(static_cast<Index>(k));
        },
        layout.body, 0);
    const Index count = layout.body_count();
    key_.assign(layout.body.size(), 0);
    if (longest_ > 0.0) {
        // Cells far from the origin are one: that only makes cubes larger, colours stay as far apart.
        const Vec3 origin = middle_of(problem, layout.body);
        parallel_for(count, [&](std::ptrdiff_t k) {
            key_[k] = curve_key(problem.centre[layout.body[k]], origin, longest_);
        });
        radix_sort_(key_, layout.body);
    }
    layout.mass.resize(layout.body.size());
    parallel_for(count, [&](std::ptrdiff_t k) {
        packed_[layout.body[k]] = static_cast<Index>(k);
        layout.mass[k] = 1.0 / problem.inverse_mass[layout.body[k]];
    });
    find_cubes(kLargeCubeBits);
    if (std::ssize(cube_begin_) <= kManyCubes) find_cubes(kCubeBits);
}

void RowLayoutBuilder::find_cubes(int cube_bits) {
    cube_bits_ = cube_bits;
    append_.run(
        std::ssize(key_),
        [&](std::ptrdiff_t k, std::vector<Index>& out) {
            const bool first = k == 0 || cube_of(key_[k], cube_bits) != cube_of(key_[k - 1], cube_bits);
            if (first) out.push_back(static_cast<Index>(k));
        },
        cube_begin_, 0);
    cube_begin_.push_back(static_cast<Index>(key_.size()));
}

void RowLayoutBuilder::classify_rows(const ProjectionProblem& problem) {
    owner_.resize(problem.rows.size());
    kind_.resize(problem.rows.size());
    parallel_for(std::ssize(problem.rows), [&](std::ptrdiff_t c) {
        const Row& r = problem.rows[c];
        owner_[c] = packed_[moves(problem, r.i) ? r.i : r.j];
        kind_[c] = length_[c] == kNoPair ? Kind::single : length_[c] <= longest_ ? Kind::pair : Kind::far;
    });
    sort_by_owner();
    for (Bucket* bucket : {&pairs_, &singles_, &far_}) sort_by_partner(problem, *bucket);
    none_.begin.assign(pairs_.begin.size(), 0);
}

/// A counting sort. Every thread reads all rows and takes those of its own bodies.
void RowLayoutBuilder::sort_by_owner() {
    Bucket* const of_kind[] = {&pairs_, &singles_, &far_};
    const std::size_t bodies = key_.size();
    const int parts = std::ssize(owner_) < small_loop() ? 1 : thread_count();
    const auto for_every_row = [&](auto&& visit) {
        const auto part = [&](std::ptrdiff_t p) {
            const auto first = share_begin(std::ssize(key_), static_cast<int>(p), parts);
            const auto last = share_begin(std::ssize(key_), static_cast<int>(p) + 1, parts);
            for (std::size_t c = 0; c < owner_.size(); ++c) {
                if (first <= owner_[c] && owner_[c] < last) visit(*of_kind[static_cast<int>(kind_[c])], c);
            }
        };
        parallel_for(parts, part, 2);
    };
    for (Bucket* bucket : of_kind) bucket->begin.assign(bodies + 1, 0);
    for_every_row([&](Bucket& bucket, std::size_t c) { ++bucket.begin[owner_[c] + 1]; });
    for (Bucket* bucket : of_kind) {
        std::partial_sum(bucket->begin.begin(), bucket->begin.end(), bucket->begin.begin());
        bucket->row.resize(static_cast<std::size_t>(bucket->begin[bodies]));
        bucket->next = bucket->begin;
    }
    for_every_row(
        [&](Bucket& bucket, std::size_t c) { bucket.row[bucket.next[owner_[c]]++] = static_cast<Index>(c); });
}

/// So that the caller's order of rows hardly matters.
void RowLayoutBuilder::sort_by_partner(const ProjectionProblem& problem, Bucket& bucket) {
    const auto partner = [&](Index c) { return problem.rows[c].j < 0 ? -1 : packed_[problem.rows[c].j]; };
    parallel_for(std::ssize(key_), [&](std::ptrdiff_t k) {
        std::sort(bucket.row.begin() + bucket.begin[k], bucket.row.begin() + bucket.begin[k + 1],
                  [&](Index a, Index b) { return std::pair(partner(a), a) < std::pair(partner(b), b); });
    });
}

/// Places the blocks one after the other, by colour, then orders the rows within each.
void RowLayoutBuilder::order_rows(const ProjectionProblem& problem, RowLayout& layout) {
    plans_.clear();
    layout.blocks.clear();
    layout.colour_begin.assign(1, 0);
    for (int colour = 0; colour < 8; ++colour) {
        for (std::size_t cube = 0; cube + 1 < cube_begin_.size(); ++cube) {
            const Index first = cube_begin_[cube];
            if (colour_of(key_[first], cube_bits_) != colour) continue;
            add_block({first, cube_begin_[cube + 1], &pairs_, &singles_}, layout);
        }
        close_colour(layout);
    }
    add_block({0, static_cast<Index>(key_.size()), &far_, &none_}, layout);
    close_colour(layout);
    layout.row.resize(problem.rows.size());
    parallel_for(
        std::ssize(plans_),
        [&](std::ptrdiff_t b) { order_block(problem, plans_[b], layout.blocks[b], layout.row); },
        std::ssize(problem.rows) < small_loop() ? std::ssize(plans_) + 1 : 2);
}

void RowLayoutBuilder::add_block(const Plan& plan, RowLayout& layout) {
    const auto count = [&](const Bucket& bucket) {
        return bucket.begin[plan.last_body] - bucket.begin[plan.first_body];
    };
    RowLayout::Block block{};
    block.begin = layout.blocks.empty() ? 0 : layout.blocks.back().end;
    block.single = block.begin + count(*plan.pairs);
    block.end = block.single + count(*plan.singles);
    if (block.end == block.begin) return;
    layout.blocks.push_back(block);
    plans_.push_back(plan);
}

void RowLayoutBuilder::close_colour(RowLayout& layout) {
    const auto blocks = static_cast<Index>(layout.blocks.size());
    if (blocks > layout.colour_begin.back()) layout.colour_begin.push_back(blocks);
}

void RowLayoutBuilder::order_block(const ProjectionProblem& problem, const Plan& plan,
                                   RowLayout::Block& block, std::span<Index> row) {
    thread_local BlockScratch scratch;  // kept, so that ordering allocates nothing once warm
    auto& [in_turns, waiting, spare, fours, idle_fours, left] = scratch;
    const auto place = [&](const std::vector<Index>& rows, Index at) {
        std::copy(rows.begin(), rows.end(), row.begin() + at);
        return at + static_cast<Index>(rows.size());
    };
    take_turns(*plan.pairs, plan, scratch);
    group_pairs(problem, scratch);
    block.idle = place(fours, block.begin);
    block.four_end = place(idle_fours, block.idle);
    place(left, block.four_end);

    take_turns(*plan.singles, plan, scratch);
    fours.clear();
    left.clear();
    group_by_four(problem, in_turns, fours, left);
    block.single_four_end = place(fours, block.single);
    place(left, block.single_four_end);
}

/// Those expected idle apart; what finds no group of its own kind may find one of both kinds.
void RowLayoutBuilder::group_pairs(const ProjectionProblem& problem, BlockScratch& scratch) {
    auto& [in_turns, waiting, spare, fours, idle_fours, left] = scratch;
    const auto is_idle = [&](Index c) { return !problem.idle.empty() && problem.idle[c] != 0; };
    fours.clear();
    idle_fours.clear();
    spare.clear();
    waiting.clear();
    std::copy_if(in_turns.begin(), in_turns.end(), std::back_inserter(waiting), std::not_fn(is_idle));
    group_by_four(problem, waiting, fours, spare);
    waiting.clear();
    std::copy_if(in_turns.begin(), in_turns.end(), std::back_inserter(waiting), is_idle);
    group_by_four(problem, waiting, idle_fours, spare);
    left.clear();
    group_by_four(problem, spare, fours, left);
}

/// Own-rank order: the first row of every body, then the second of every body that has one, and so on; the
/// bodies in an order that jumps about the cube.
void RowLayoutBuilder::take_turns(const Bucket& bucket, const Plan& plan, BlockScratch& scratch) {
    auto& [row, waiting, active, fours, idle_fours, left] = scratch;
    row.clear();
    waiting.clear();
    for (Index k = plan.first_body; k < plan.last_body; ++k) {
        if (bucket.begin[k + 1] > bucket.begin[k]) waiting.push_back(k);
    }
    const std::size_t count = waiting.size();
    auto stride = std::max<std::size_t>(1, static_cast<std::size_t>(kStride * static_cast<double>(count)));
    while (std::gcd(stride, count) > 1) ++stride;
    active.clear();
    for (std::size_t k = 0; k < count; ++k) active.push_back(waiting[k * stride % count]);
    for (Index rank = 0; !active.empty(); ++rank) {
        std::size_t kept = 0;
        for (const Index k : active) {
            row.push_back(bucket.row[bucket.begin[k] + rank]);
            if (bucket.begin[k] + rank + 1 < bucket.begin[k + 1]) active[kept++] = k;
        }
        active.resize(kept);
    }
}

/// Puts rows into groups of four that share no body: a row and the next three that go with it. Rows that find
/// none are left.
void RowLayoutBuilder::group_by_four(const ProjectionProblem& problem, std::vector<Index>& waiting,
                                     std::vector<Index>& fours, std::vector<Index>& left) {
    const auto is_apart = [&](std::size_t k, std::span<const std::size_t> chosen) {
        return std::none_of(chosen.begin(), chosen.end(), [&](std::size_t other) {
            return share_body(problem, problem.rows[waiting[other]], problem.rows[waiting[k]]);
        });
    };
    for (std::size_t first = 0; first < waiting.size(); ++first) {
        if (waiting[first] < 0) continue;
        std::array<std::size_t, 4> chosen = {first};
        std::size_t count = 1;
        const std::size_t last = std::min(waiting.size(), first + kGroupWindow);
        for (std::size_t k = first + 1; k < last && count < chosen.size(); ++k) {
            if (waiting[k] < 0) continue;
            if (is_apart(k, {chosen.data(), count})) chosen[count++] = k;
        }
        std::vector<Index>& to = count == chosen.size() ? fours : left;
        if (count < chosen.size()) count = 1;
        for (std::size_t k = 0; k < count; ++k) to.push_back(std::exchange(waiting[chosen[k]], -1));
    }
}

void RowLayoutBuilder::fill_rows(const ProjectionProblem& problem, RowLayout& layout) const {
    layout.direction.resize(layout.row.size());
    layout.ends.resize(layout.row.size() + kAhead);
    std::fill(layout.ends.end() - kAhead, layout.ends.end(), RowLayout::Ends{0, -1});
    layout.scale.resize(layout.row.size());
    parallel_for(std::ssize(layout.row), [&](std::ptrdiff_t c) {
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
    });
}

}  // namespace talus
