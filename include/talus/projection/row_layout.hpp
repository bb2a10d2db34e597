#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "talus/core/chunked_append.hpp"
#include "talus/core/parallel.hpp"
#include "talus/core/radix_sort.hpp"
#include "talus/core/types.hpp"
#include "talus/projection/problem.hpp"

namespace talus {

/// A velocity with the inverse mass beside it, or a scaled normal with the right-hand side beside it: what a
/// sweep reads together lies together.
using Packed = Eigen::Vector4d;

/// Threads that sweep wait for each other in every colour, so a row counts for less than an item of other
/// loops: two threads lost to one at 3,400 rows and won at 27,500.
constexpr std::ptrdiff_t kRowsPerItem = 3;
/// Rows whose data are asked for this many rows before they are needed: enough for memory to answer.
constexpr Index kAhead = 64;

/// The rows of a projection in the order and scaling in which every solver works on them.
///
/// Scaling: with s = 1/sqrt(1/m_i + 1/m_j) the impulse is p = s y and the slope of row c reads
/// g = s (rate + G u), so that the matrix of the dual has a unit diagonal whatever the masses; y and g are
/// both in sqrt(kg) m/s. With u = v + w the slope is g = s G w + b, b = s (rate + G v).
///
/// Order: by colour, cube, own-rank, body. A cube holds the rows of the bodies in it; cubes of one colour
/// share no body, so they may be swept at the same time without any change of a bit. Own-rank takes the k-th
/// row of every body in turn, so that rows that follow each other seldom wait for each other; from this order
/// groups of four rows without a common body are drawn, which vector units relax at once. Rows much longer
/// than the rest form one last cube with a colour of its own.
///
/// Only bodies that can move and have a row are kept; they are numbered along a space-filling curve.
struct RowLayout {
    /// Rows of one cube: [begin, single) between two bodies that can move, [single, end) with one of them.
    /// [begin, four_end) and [single, single_four_end) come in groups of four that share no body, those from
    /// `idle` on of rows that are expected to carry no impulse.
    struct Block {
        Index begin;
        Index idle;
        Index four_end;
        Index single;
        Index single_four_end;
        Index end;
    };
    /// What one thread sweeps of one colour: a piece of the curve. Blocks turns[begin, own) touch bodies that
    /// other parts touch too, the blocks turns[own, end) do not.
    struct Part {
        Index begin;
        Index own;
        Index end;
    };
    /// Bodies listed by block: those of block b are body[begin[b], begin[b + 1]), in ascending order.
    struct BodyLists {
        std::vector<Index> begin;  ///< (blocks + 1)
        std::vector<Index> body;   ///< (k) packed numbers

        std::span<const Index> of(Index block) const {
            return std::span(body).subspan(begin[block], begin[block + 1] - begin[block]);
        }
    };
    struct Ends {
        Index i;  ///< packed number of the first body (the only one of a single row)
        Index j;  ///< packed number of the second body, -1 for a single row
    };

    std::vector<Block> blocks;
    std::vector<Index> colour_begin;  ///< (colours + 1) first block of each colour
    std::vector<Part> parts;        ///< (colours, part count) blocks of one colour in one piece of the curve
    std::vector<Index> turns;       ///< (blocks) block numbers, by colour, part and whether shared
    int part_count = 1;             ///< one a thread; it never changes a result
    BodyLists opened;               ///< by the first block of a sweep that touches them
    std::vector<Packed> direction;  ///< (m) pair: s normal; single: s times d(G u)/du_i; fourth: b
    std::vector<Ends> ends;         ///< (m), and kAhead more of no meaning for loops that look ahead
    std::vector<double> scale;      ///< (m) s [sqrt(kg)]
    std::vector<double> reach;      ///< (m) h / (s radius): -g times this is the predicted overlap [-]
    std::vector<Index> row;         ///< (m) the caller's number of a row
    std::vector<Index> body;        ///< (k) the caller's number of a packed body
    std::vector<double> mass;       ///< (k) [kg]

    std::size_t colour_count() const { return colour_begin.size() - 1; }
    Index row_count() const { return static_cast<Index>(row.size()); }
    Index body_count() const { return static_cast<Index>(body.size()); }

    /// Calls visit(block number, block) for every block; blocks that share a body in their order, others
    /// perhaps at the same time. For loops that write bodies.
    template <class Visit>
    void sweep_blocks(Visit&& visit) const;
    /// Calls visit(block number, block) for every block, all perhaps at the same time. For loops that write
    /// rows only.
    template <class Visit>
    void read_blocks(Visit&& visit) const;
    /// Calls visit(chunk number, begin, end) for fixed chunks of the packed bodies.
    template <class Visit>
    void body_chunks(Visit&& visit) const;
    Index body_chunk_count() const { return (body_count() + kBodyChunk - 1) / kBodyChunk; }

    /// Sets b and reach. @param rate (m) [m/s], @param free_velocity (n) [m/s], caller's order;
    /// @param time_step h [s].
    void load(const ProjectionProblem& problem, std::span<const double> rate,
              std::span<const Vec3> free_velocity, double time_step);
    /// w = M^-1 G' S y. @param y (m) [sqrt(kg) m/s], @param w (k), out: velocity changes with inverse masses.
    void scatter(std::span<const double> y, std::span<Packed> w) const;
    /// rate = S G w, without b. @param w (k), @param rate (m) out [sqrt(kg) m/s].
    void gather(std::span<const Packed> w, std::span<double> rate) const;

    static constexpr Index kBodyChunk = 512;  ///< bodies of one partial sum

private:
    template <class Visit>
    void visit_blocks(Index first_turn, Index last_turn, Visit&& visit) const;
    bool is_small() const { return row_count() < kRowsPerItem * small_loop(); }
    std::ptrdiff_t serial_below() const {
        return is_small() ? std::numeric_limits<std::ptrdiff_t>::max() : 2;
    }
};

/// Builds layouts; keeps its work arrays, so that building again allocates nothing once they are large
/// enough.
class RowLayoutBuilder {
public:
    /// Sorts and scales the rows of `problem`; b is left for RowLayout::load.
    /// @throws std::invalid_argument if a row names no such body, one body twice, or nothing that can move.
    void build(const ProjectionProblem& problem, RowLayout& layout);

private:
    /// Rows by the body that owns them.
    struct Bucket {
        std::vector<Index> begin;  ///< (k + 1)
        std::vector<Index> row;
        std::vector<Index> next;  ///< (k + 1) where the next row of a body goes
    };
    /// Where the rows of a block come from.
    struct Plan {
        Index first_body, last_body;
        const Bucket* pairs;
        const Bucket* singles;
    };
    struct BlockScratch {
        std::vector<Index> row, waiting, spare;      ///< in turns; and work arrays
        std::vector<Index> fours, idle_fours, left;  ///< in groups of four; without one
    };
    enum class Kind : std::uint8_t { pair, single, far };

    void check_rows(const ProjectionProblem& problem) const;
    double ordinary_length(const ProjectionProblem& problem);
    void sample_lengths(std::size_t stride);
    Vec3 middle_of(const ProjectionProblem& problem, const std::vector<Index>& bodies);
    void number_bodies(const ProjectionProblem& problem, RowLayout& layout);
    void find_cubes(int cube_bits);
    void classify_rows(const ProjectionProblem& problem);
    void sort_by_owner();
    void sort_by_partner(const ProjectionProblem& problem, Bucket& bucket);
    void order_rows(const ProjectionProblem& problem, RowLayout& layout);
    void add_block(const Plan& plan, RowLayout& layout);
    static void close_colour(RowLayout& layout);
    static void order_block(const ProjectionProblem& problem, const Plan& plan, RowLayout::Block& block,
                            std::span<Index> row);
    static void take_turns(const Bucket& bucket, const Plan& plan, BlockScratch& scratch);
    static void group_by_four(const ProjectionProblem& problem, std::vector<Index>& waiting,
                              std::vector<Index>& fours, std::vector<Index>& left);
    static void group_pairs(const ProjectionProblem& problem, BlockScratch& scratch);
    void list_bodies(RowLayout& layout);
    void share_out(RowLayout& layout);
    void share_colour(const RowLayout& layout, Index first_block, Index last_block);
    void add_turns(Index first_block, Index last_block, RowLayout& layout);
    void mark_shared_blocks(const RowLayout& layout);
    void fill_rows(const ProjectionProblem& problem, RowLayout& layout) const;

    double longest_ = 0.0;        ///< longest row that a cube can hold [m]
    std::vector<double> length_;  ///< (m) of pair rows [m]
    std::vector<double> sample_;
    std::vector<std::uint64_t> key_;  ///< (k) place of a packed body on the curve
    std::vector<Index> packed_;       ///< (n) packed number, -1
    std::vector<Index> owner_;        ///< (m) packed number of the owner
    std::vector<Kind> kind_;          ///< (m)
    Bucket pairs_, singles_, far_, none_;
    int cube_bits_ = 0;               ///< a cube is 2^bits cells wide
    std::vector<Index> cube_begin_;   ///< (cubes + 1) into packed bodies
    std::vector<Plan> plans_;         ///< (blocks)
    std::vector<Index> first_block_;  ///< (k) of a sweep to touch a body
    std::vector<int> part_;           ///< (blocks)
    std::vector<std::int64_t> rows_of_part_;
    std::vector<int> part_of_body_;     ///< (k)
    std::vector<std::uint8_t> shared_;  ///< (blocks)
    ChunkedAppend<Index> append_;
    RadixSort radix_sort_;
};

template <class Visit>
void RowLayout::visit_blocks(Index first_turn, Index last_turn, Visit&& visit) const {
    for (Index turn = first_turn; turn < last_turn; ++turn) visit(turns[turn], blocks[turns[turn]]);
}

template <class Visit>
void RowLayout::sweep_blocks(Visit&& visit) const {
    const auto colours = static_cast<int>(colour_count());
    const auto share = [&](const Member& member) {
        const int first = static_cast<int>(share_begin(part_count, member.number, member.count));
        const int last = static_cast<int>(share_begin(part_count, member.number + 1, member.count));
        for (int colour = 0; colour < colours; ++colour) {
            const Part* part =
                &parts[static_cast<std::size_t>(colour) * static_cast<std::size_t>(part_count)];
            member.wait_for_others(colour);
            for (int p = first; p < last; ++p) visit_blocks(part[p].begin, part[p].own, visit);
            member.reach(colour + 1);
            for (int p = first; p < last; ++p) visit_blocks(part[p].own, part[p].end, visit);
        }
    };
    if (is_small()) {
        share(Member{});
    } else {
        on_team(share, colours);
    }
}

template <class Visit>
void RowLayout::read_blocks(Visit&& visit) const {
    const auto visit_part = [&](std::ptrdiff_t p) {
        for (std::size_t colour = 0; colour < colour_count(); ++colour) {
            const Part& part = parts[colour * static_cast<std::size_t>(part_count) + p];
            visit_blocks(part.begin, part.end, visit);
        }
    };
    parallel_for(part_count, visit_part, serial_below());
}

template <class Visit>
void RowLayout::body_chunks(Visit&& visit) const {
    parallel_chunks(
        body_count(),
        [&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) { visit(chunk, begin, end); },
        kBodyChunk, serial_below());
}

}  // namespace talus
