#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

#include "projection/problems.hpp"
#include "talus/core/parallel.hpp"
#include "talus/projection/row_layout.hpp"

using namespace talus;
using namespace talus::test;

namespace {

RowLayout layout_of(const Problem& problem) {
    RowLayout layout;
    RowLayoutBuilder builder;
    builder.build(problem.view(), layout);
    return layout;
}

/// Every row once, and no body in two blocks of one colour.
void check_layout(const Problem& problem, const RowLayout& layout) {
    std::vector<Index> rows = layout.row;
    std::sort(rows.begin(), rows.end());
    REQUIRE(rows.size() == problem.rows.size());
    for (std::size_t c = 0; c < rows.size(); ++c) CHECK(rows[c] == static_cast<Index>(c));
    Index shared = 0;
    for (std::size_t colour = 0; colour + 1 < layout.colour_begin.size(); ++colour) {
        std::vector<Index> holder(layout.body.size(), -1);
        for (Index b = layout.colour_begin[colour]; b < layout.colour_begin[colour + 1]; ++b) {
            const auto visit = [&](Index body) {
                if (holder[body] >= 0 && holder[body] != b) ++shared;
                holder[body] = b;
            };
            for (Index c = layout.blocks[b].begin; c < layout.blocks[b].end; ++c) {
                visit(layout.ends[c].i);
                if (layout.ends[c].j >= 0) visit(layout.ends[c].j);
            }
        }
    }
    CHECK(shared == 0);
    for (const RowLayout::Block& block : layout.blocks) {
        CHECK((block.four_end - block.begin) % 4 == 0);
        CHECK(block.four_end <= block.single);
        for (Index c = block.begin; c < block.four_end; c += 4) {
            std::set<Index> bodies;
            for (Index k = c; k < c + 4; ++k) bodies.insert({layout.ends[k].i, layout.ends[k].j});
            CHECK(bodies.size() == 8);
        }
        CHECK((block.single_four_end - block.single) % 4 == 0);
        CHECK(block.single_four_end <= block.end);
        for (Index c = block.single; c < block.single_four_end; c += 4) {
            std::set<Index> bodies;
            for (Index k = c; k < c + 4; ++k) bodies.insert(layout.ends[k].i);
            CHECK(bodies.size() == 4);
        }
    }
}

/// Calls visit(body) for both ends of every row of a block.
template <class Visit>
void for_bodies(const RowLayout& layout, const RowLayout::Block& block, Visit&& visit) {
    for (Index c = block.begin; c < block.end; ++c) {
        visit(layout.ends[c].i);
        if (layout.ends[c].j >= 0) visit(layout.ends[c].j);
    }
}

/// (blocks) the part that sweeps each; every block is in one part, and in that of its colour.
std::vector<int> part_of_blocks(const RowLayout& layout) {
    std::vector<int> part_of(layout.blocks.size(), -1);
    for (std::size_t colour = 0; colour < layout.colour_count(); ++colour) {
        for (int p = 0; p < layout.part_count; ++p) {
            const RowLayout::Part& part = layout.parts[colour * layout.part_count + p];
            for (Index turn = part.begin; turn < part.end; ++turn) {
                const Index b = layout.turns[turn];
                CHECK(part_of[b] == -1);
                CHECK(b >= layout.colour_begin[colour]);
                CHECK(b < layout.colour_begin[colour + 1]);
                part_of[b] = p;
            }
        }
    }
    CHECK(std::count(part_of.begin(), part_of.end(), -1) == 0);
    return part_of;
}

}  // namespace

TEST_CASE("every thread gets a part of every colour, and what touches another part's bodies comes first") {
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        const RowLayout layout = layout_of(packing(3000, 5));
        set_thread_count(1);
        CHECK(layout.part_count == threads);
        const std::vector<int> part_of = part_of_blocks(layout);
        std::vector<std::set<int>> parts_of_body(layout.body.size());
        for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
            for_bodies(layout, layout.blocks[b], [&](Index k) { parts_of_body[k].insert(part_of[b]); });
        }
        Index own = 0, misplaced = 0;
        std::vector<Index> rows(threads, 0);
        for (const RowLayout::Part& part : layout.parts) {
            for (Index turn = part.begin; turn < part.end; ++turn) {
                const RowLayout::Block& block = layout.blocks[layout.turns[turn]];
                bool shared = false;
                for_bodies(layout, block, [&](Index k) { shared = shared || parts_of_body[k].size() > 1; });
                misplaced += shared != (turn < part.own);
                own += turn >= part.own;
                rows[part_of[layout.turns[turn]]] += block.end - block.begin;
            }
        }
        CHECK(misplaced == 0);
        if (threads == 1) CHECK(own == std::ssize(layout.blocks));
        const Index fair = layout.row_count() / threads;
        for (const Index r : rows) CHECK(std::abs(r - fair) <= layout.row_count() / 10);
    }
}

TEST_CASE("after every colour all threads have had as many rows, to within the largest block") {
    for (const int threads : {2, 3, 4}) {
        set_thread_count(threads);
        const RowLayout layout = layout_of(packing(8000, 5));
        set_thread_count(1);
        Index largest = 0;
        for (const RowLayout::Block& block : layout.blocks)
            largest = std::max(largest, block.end - block.begin);
        std::vector<Index> rows(threads, 0);
        for (std::size_t colour = 0; colour < layout.colour_count(); ++colour) {
            for (int p = 0; p < threads; ++p) {
                const RowLayout::Part& part = layout.parts[colour * threads + p];
                for (Index turn = part.begin; turn < part.end; ++turn) {
                    const RowLayout::Block& block = layout.blocks[layout.turns[turn]];
                    rows[p] += block.end - block.begin;
                }
            }
            const Index fair = layout.blocks[layout.colour_begin[colour + 1] - 1].end / threads;
            for (const Index r : rows) CHECK(std::abs(r - fair) <= largest);
        }
    }
}

TEST_CASE("every body is opened once, by the first block that touches it") {
    const RowLayout layout = layout_of(packing(3000, 6));
    std::vector<Index> first(layout.body.size(), -1), opened(layout.body.size(), -1);
    for (Index b = 0; b < std::ssize(layout.blocks); ++b) {
        for_bodies(layout, layout.blocks[b], [&](Index k) { first[k] = first[k] < 0 ? b : first[k]; });
        for (Index n = layout.opened.begin[b]; n < layout.opened.begin[b + 1]; ++n) {
            CHECK(opened[layout.opened.body[n]] == -1);
            opened[layout.opened.body[n]] = b;
        }
    }
    CHECK(opened == first);
}

TEST_CASE("where there are many, cubes are twice as wide, and those of one colour still share no body") {
    // Clusters far apart, so that few bodies fill many cubes.
    constexpr int kCopies = 24;
    const Problem dense = packing(1000, 7);
    const RowLayout narrow = layout_of(dense);
    const Vec3 far(200.0, 0.0, 0.0);
    Problem wide = dense;
    const auto bodies = static_cast<Index>(dense.centre.size());
    for (int copy = 1; copy < kCopies; ++copy) {
        for (Index k = 0; k < bodies; ++k) {
            wide.centre.push_back(dense.centre[k] + copy * far);
            wide.inverse_mass.push_back(dense.inverse_mass[k]);
        }
        for (Row row : dense.rows) {
            row.i += copy * bodies;
            if (row.j >= 0) row.j += copy * bodies;
            wide.rows.push_back(row);
        }
    }
    const RowLayout layout = layout_of(wide);
    check_layout(wide, layout);
    CHECK(layout.blocks.size() > 128);
    CHECK(layout.blocks.size() < kCopies * narrow.blocks.size() * 3 / 4);
}

TEST_CASE("blocks of one colour share no body and hold every row once") {
    for (const std::uint64_t seed : {1U, 2U}) {
        const Problem problem = packing(3000, seed);
        const RowLayout layout = layout_of(problem);
        check_layout(problem, layout);
        CHECK(layout.blocks.size() >= 32);
        CHECK(layout.colour_begin.size() == 9);  // eight colours
    }
}

TEST_CASE("most rows of a packing are in groups of four without a common body") {
    const RowLayout layout = layout_of(packing(3000, 3));
    Index grouped = 0, pairs = 0;
    for (const RowLayout::Block& block : layout.blocks) {
        grouped += block.four_end - block.begin;
        pairs += block.single - block.begin;
    }
    CHECK(grouped > 0.9 * pairs);
}

TEST_CASE("rows that are expected idle come in groups of their own") {
    Problem problem = packing(3000, 3);
    for (std::size_t c = 0; c < problem.rows.size(); ++c) problem.idle.push_back(c % 3 == 0);
    const RowLayout layout = layout_of(problem);
    check_layout(problem, layout);
    Index grouped = 0, idle = 0, strangers = 0;
    for (const RowLayout::Block& block : layout.blocks) {
        CHECK((block.idle - block.begin) % 4 == 0);
        grouped += block.four_end - block.idle;
        for (Index c = block.begin; c < block.single; ++c) idle += problem.idle[layout.row[c]];
        for (Index c = block.idle; c < block.four_end; ++c) strangers += problem.idle[layout.row[c]] == 0;
    }
    CHECK(strangers == 0);
    CHECK(grouped > 0.8 * idle);
}

TEST_CASE("most rows of walls are in groups of four too") {
    Problem problem;
    for (Index k = 0; k < 400; ++k) {
        problem.add_body({1.0 * (k % 20), 1.0 * (k / 20), 0.0}, 1.0, Vec3::Zero());
        problem.add_wall(k, {0, 0, -1}, 0.0);
        if (k % 20 > 0) problem.add_pair(k - 1, k, 0.0);
    }
    const RowLayout layout = layout_of(problem);
    check_layout(problem, layout);
    Index grouped = 0;
    for (const RowLayout::Block& block : layout.blocks) grouped += block.single_four_end - block.single;
    CHECK(grouped > 360);
}

TEST_CASE("a flat scene has four colours") {
    Problem problem;
    for (Index k = 0; k < 900; ++k) {
        problem.add_body({1.0 * (k % 30), 1.0 * (k / 30), 0.0}, 1.0, Vec3::Zero());
        if (k % 30 > 0) problem.add_pair(k - 1, k, 0.0);
        if (k >= 30) problem.add_pair(k - 30, k, 0.0);
    }
    const RowLayout layout = layout_of(problem);
    check_layout(problem, layout);
    CHECK(layout.colour_begin.size() == 5);
}

TEST_CASE("a giant's rows get a colour of their own and leave the cubes small") {
    Problem problem = packing(3000, 3);
    const std::size_t blocks = layout_of(problem).blocks.size();
    const Index giant = problem.add_body({6, 6, -100}, 1e6, Vec3::Zero());
    for (Index k = 0; k < 200; ++k) problem.add_pair(giant, k, 0.1);
    const RowLayout layout = layout_of(problem);
    check_layout(problem, layout);
    CHECK(layout.blocks.size() == blocks + 1);
    CHECK(layout.colour_begin.size() == 10);
}

TEST_CASE("bodies at any finite distance are held by cubes like the others") {
    for (const double away : {1e7, 1e100, std::numeric_limits<double>::max()}) {
        Problem problem = packing(1000, 4);
        const Index a = problem.add_body({away, -away, away}, 1.0, Vec3::Zero());
        const Index b = problem.add_body({-away, away, 0}, 1.0, Vec3::Zero());
        problem.rows.push_back({a, b, {1, 0, 0}, 0.5});
        problem.rate.push_back(1.0);
        problem.add_wall(a, {0, 0, 1}, 1.0);
        const RowLayout layout = layout_of(problem);
        check_layout(problem, layout);
        CHECK(layout.blocks.size() >= 8);
    }
}

TEST_CASE("bodies that can not move are left out of a sweep") {
    Problem problem;
    const double fixed = std::numeric_limits<double>::infinity();
    problem.add_body({0, 0, 0}, fixed, Vec3::Zero());
    problem.add_body({1, 0, 0}, 1.0, Vec3::Zero());
    problem.add_body({2, 0, 0}, fixed, Vec3::Zero());
    problem.add_pair(0, 1, 0.0);
    problem.add_pair(1, 2, 0.0);
    const RowLayout layout = layout_of(problem);
    CHECK(layout.body == std::vector<Index>{1});
    CHECK(layout.blocks.front().single == layout.blocks.front().begin);
}

TEST_CASE("rows that make no sense are refused") {
    Problem problem;
    problem.add_body({0, 0, 0}, std::numeric_limits<double>::infinity(), Vec3::Zero());
    problem.add_body({1, 0, 0}, 1.0, Vec3::Zero());
    for (const Row& row : {Row{1, 2, {1, 0, 0}, 1.0}, Row{-1, 1, {1, 0, 0}, 1.0}, Row{1, 1, {1, 0, 0}, 1.0},
                           Row{0, -1, {1, 0, 0}, 1.0}, Row{0, 1, {1, 0, 0}, 0.0}}) {
        problem.rows = {row};
        CHECK_THROWS_AS(layout_of(problem), std::invalid_argument);
    }
}

TEST_CASE("input that is not finite, sizes that differ and options out of range are refused") {
    Problem problem;
    problem.add_body({0, 0, 0}, 1.0, {std::numeric_limits<double>::quiet_NaN(), 0, 0});
    problem.add_wall(0, {-1, 0, 0}, 0.0);
    CHECK_THROWS_AS(solve(problem, {}), std::invalid_argument);
    problem.velocity[0] = {1, 0, 0};
    problem.rate.push_back(0.0);
    CHECK_THROWS_AS(solve(problem, {}), std::invalid_argument);
    SolverOptions options;
    options.relaxation = 2.0;
    CHECK_THROWS_AS(make_solver(options), std::invalid_argument);
    options = {};
    options.tolerance = 0.0;
    CHECK_THROWS_AS(make_solver(options), std::invalid_argument);
    const Problem large = packing(300, 1);
    CHECK_THROWS_WITH_AS(solve(large, options_of(SolverKind::exact, 1e-9)),
                         doctest::Contains("choose another solver"), std::invalid_argument);
}
