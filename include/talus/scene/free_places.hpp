#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "talus/step/system.hpp"

namespace talus {

/// Tells whether a ball would touch nothing that is there already. Balls are kept in hashed cell grids, one
/// for each doubling of the radius, so that a question costs a few cells for any mixture of sizes and memory
/// is O(number of balls), wherever they are.
///
/// Questions may be asked from several threads at once; `add` may not run at the same time.
class FreePlaces {
public:
    /// Overlap that counts as touching: this fraction of the smaller radius, plus the rounding of coordinates
    /// (two balls of a lattice whose spacing is exactly a diameter are free of each other).
    static constexpr double kTouching = 1e-12;

    /// @param system its particles as they are now (centres and radii are copied) and its walls (shapes are
    /// shared). @param time at which walls are present and placed [s].
    FreePlaces(const System& system, double time);
    /// Only balls that are added, no walls.
    FreePlaces() = default;

    /// A ball of radius `radius` > 0 around x overlaps no present wall and no ball known so far [m].
    bool is_free(const Vec3& x, double radius) const;
    bool is_free_of_walls(const Vec3& x, double radius) const;
    bool is_free_of_balls(const Vec3& x, double radius) const;

    /// From now on a ball is there. @param x finite [m]. @param radius > 0 and finite [m].
    void add(const Vec3& x, double radius);

    std::size_t ball_count() const { return centre_.size(); }

    /// The largest overlap that counts as touching for a ball of this place and radius [m].
    static double slack(const Vec3& x, double radius);

private:
    using Cell = std::array<std::int64_t, 3>;
    struct Level {
        int exponent = 0;                // holds radii in [2^exponent / 2, 2^exponent)
        double cell_size = 0.0;          // 2^(exponent + 1): more than the largest diameter [m]
        double largest = 0.0;            // radius held [m]
        Cell low{}, high{};              // cells in use, bounding box
        std::vector<std::int32_t> head;  // first ball of each bucket, -1: none; size a power of two
        std::vector<std::int32_t> balls;
    };
    struct PlacedWall {
        std::shared_ptr<const WallShape> shape;
        Pose pose;
    };

    Level& level_of(double radius);
    void insert(Level& level, std::int32_t ball);
    void rehash(Level& level);
    bool overlaps(std::int32_t ball, const Vec3& x, double radius) const;
    bool bucket_is_free(const Level& level, const Cell& cell, const Vec3& x, double radius) const;
    bool level_is_free(const Level& level, const Vec3& x, double radius) const;
    static Cell cell_of(const Level& level, const Vec3& x);
    static std::size_t bucket_of(const Level& level, const Cell& cell);

    std::vector<PlacedWall> walls_;
    std::vector<Vec3> centre_;
    std::vector<double> radius_;
    std::vector<std::int32_t> next_;  // next ball of the same bucket
    std::vector<Level> levels_;
};

}  // namespace talus
