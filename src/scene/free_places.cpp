#include "talus/scene/free_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace talus {

namespace {

constexpr std::size_t kFirstBuckets = 64;

// Cells beyond this number of cell sizes share their buckets: only distances are compared there.
constexpr double kFarthestCell = 4e18;

std::int64_t cell_number(double x, double cell_size) {
    return static_cast<std::int64_t>(std::clamp(std::floor(x / cell_size), -kFarthestCell, kFarthestCell));
}

/// The next cell of a block, the last index first; after the last one index 0 is beyond the block.
void advance(std::array<std::int64_t, 3>& cell, const std::array<std::int64_t, 3>& low,
             const std::array<std::int64_t, 3>& high) {
    if (++cell[2] <= high[2]) return;
    cell[2] = low[2];
    if (++cell[1] <= high[1]) return;
    cell[1] = low[1];
    ++cell[0];
}

}  // namespace

FreePlaces::FreePlaces(const System& system, double time) {
    for (const Wall& wall : system.walls) {
        if (wall.present(time)) walls_.push_back({wall.shape, wall.motion.pose(time)});
    }
    const Particles& particles = system.particles;
    for (std::size_t i = 0; i < particles.position.size(); ++i)
        add(particles.position[i], particles.radius[i]);
}

double FreePlaces::slack(const Vec3& x, double radius) {
    // Differences of coordinates carry the rounding of the coordinates, about four roundings deep.
    constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
    return kTouching * radius + kRounding * x.cwiseAbs().maxCoeff();
}

bool FreePlaces::is_free(const Vec3& x, double radius) const {
    return is_free_of_balls(x, radius) && is_free_of_walls(x, radius);
}

bool FreePlaces::is_free_of_walls(const Vec3& x, double radius) const {
    const double needed = radius - slack(x, radius);
    return std::all_of(walls_.begin(), walls_.end(), [&](const PlacedWall& wall) {
        return wall.shape->distance(wall.pose.to_local(x)) >= needed;
    });
}

bool FreePlaces::is_free_of_balls(const Vec3& x, double radius) const {
    return std::all_of(levels_.begin(), levels_.end(),
                       [&](const Level& level) { return level_is_free(level, x, radius); });
}

void FreePlaces::add(const Vec3& x, double radius) {
    const auto ball = static_cast<std::int32_t>(centre_.size());
    centre_.push_back(x);
    radius_.push_back(radius);
    next_.push_back(-1);
    Level& level = level_of(radius);
    const Cell cell = cell_of(level, x);
    for (std::size_t k = 0; k < 3; ++k) {
        level.low[k] = level.balls.empty() ? cell[k] : std::min(level.low[k], cell[k]);
        level.high[k] = level.balls.empty() ? cell[k] : std::max(level.high[k], cell[k]);
    }
    level.largest = std::max(level.largest, radius);
    level.balls.push_back(ball);
    if (level.balls.size() > level.head.size()) {
        rehash(level);
    } else {
        insert(level, ball);
    }
}

FreePlaces::Level& FreePlaces::level_of(double radius) {
    int exponent = 0;
    std::frexp(radius, &exponent);
    const auto found = std::find_if(levels_.begin(), levels_.end(),
                                    [&](const Level& level) { return level.exponent == exponent; });
    if (found != levels_.end()) return *found;
    Level level;
    level.exponent = exponent;
    level.cell_size = std::ldexp(1.0, exponent + 1);
    level.head.assign(kFirstBuckets, -1);
    return levels_.emplace_back(std::move(level));
}

void FreePlaces::rehash(Level& level) {
    level.head.assign(2 * level.head.size(), -1);
    for (const std::int32_t ball : level.balls) insert(level, ball);
}

void FreePlaces::insert(Level& level, std::int32_t ball) {
    const auto b = static_cast<std::size_t>(ball);
    std::int32_t& head = level.head[bucket_of(level, cell_of(level, centre_[b]))];
    next_[b] = head;
    head = ball;
}

FreePlaces::Cell FreePlaces::cell_of(const Level& level, const Vec3& x) {
    return {cell_number(x[0], level.cell_size), cell_number(x[1], level.cell_size),
            cell_number(x[2], level.cell_size)};
}

std::size_t FreePlaces::bucket_of(const Level& level, const Cell& cell) {
    // Odd multipliers near 2^64 times irrational numbers spread neighbouring cells over the buckets.
    std::uint64_t hash = static_cast<std::uint64_t>(cell[0]) * 0x9E3779B97F4A7C15ULL ^
                         static_cast<std::uint64_t>(cell[1]) * 0xC2B2AE3D27D4EB4FULL ^
                         static_cast<std::uint64_t>(cell[2]) * 0x165667B19E3779F9ULL;
    hash ^= hash >> 32;
    return static_cast<std::size_t>(hash) & (level.head.size() - 1);
}

bool FreePlaces::overlaps(std::int32_t ball, const Vec3& x, double radius) const {
    const auto b = static_cast<std::size_t>(ball);
    const double allowed = slack(x, std::min(radius, radius_[b]));
    const double least = radius + radius_[b] - allowed;
    return (centre_[b] - x).squaredNorm() < least * least;
}

bool FreePlaces::bucket_is_free(const Level& level, const Cell& cell, const Vec3& x, double radius) const {
    // Balls of other cells in the same bucket are compared too: that costs a distance and changes nothing.
    for (std::int32_t b = level.head[bucket_of(level, cell)]; b >= 0;
         b = next_[static_cast<std::size_t>(b)]) {
        if (overlaps(b, x, radius)) return false;
    }
    return true;
}

bool FreePlaces::level_is_free(const Level& level, const Vec3& x, double radius) const {
    const double reach = radius + level.largest;
    Cell low = cell_of(level, x - Vec3::Constant(reach));
    Cell high = cell_of(level, x + Vec3::Constant(reach));
    double cells = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = std::max(low[k], level.low[k]);
        high[k] = std::min(high[k], level.high[k]);
        if (low[k] > high[k]) return true;
        cells *= static_cast<double>(high[k] - low[k]) + 1.0;
    }
    // A large ball among few small ones: looking at each of them is cheaper than at each cell.
    if (cells > static_cast<double>(level.balls.size())) {
        return std::none_of(level.balls.begin(), level.balls.end(),
                            [&](std::int32_t b) { return overlaps(b, x, radius); });
    }
    Cell cell = low;
    while (cell[0] <= high[0]) {
        if (!bucket_is_free(level, cell, x, radius)) return false;
        advance(cell, low, high);
    }
    return true;
}

}  // namespace talus
