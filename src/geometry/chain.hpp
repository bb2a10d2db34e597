#pragma once

#include <algorithm>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

using Vec2 = Eigen::Vector2d;

/// Straight piece {base + s along : begin <= s <= end} of a plane; endless when begin and end are infinite.
struct ChainSegment {
    Vec2 base;
    Vec2 along;   ///< unit vector
    Vec2 normal;  ///< unit vector, `along` turned by a quarter to the left
    double begin, end;

    double coordinate(const Vec2& y) const { return along.dot(y - base); }
    double height(const Vec2& y) const { return normal.dot(y - base); }
    Vec2 at(double s) const { return base + s * along; }
};

/// The point of a segment that is closest to some y.
struct ChainTouch {
    Index segment;
    Index feature;  ///< 2 k: inside of segment k; 2 v + 1: vertex v
    Vec2 point;
    Vec2 normal;      ///< unit vector from point to y
    double distance;  ///< |y - point|, >= 0

    bool on_face() const { return feature % 2 == 0; }
};

/// Segments of a plane joined end to end: a polyline, or the profile of a surface of revolution.
class Chain {
public:
    /// @param points at least two, neighbours distinct; a last point equal to the first closes the chain too.
    /// @param what names the wall in messages.   @throws std::invalid_argument
    Chain(std::vector<Vec2> points, bool closed, const char* what);
    /// One endless straight line.
    static Chain line(const Vec2& base, const Vec2& along);

    const std::vector<ChainSegment>& segments() const { return segments_; }
    const std::vector<Vec2>& vertices() const { return vertices_; }
    bool closed() const { return closed_; }
    const Vec2& low() const { return low_; }
    const Vec2& high() const { return high_; }

    /// Closest point of one segment.
    ChainTouch touch(Index segment, const Vec2& y) const;
    /// Closest point of all.
    ChainTouch nearest(const Vec2& y) const;

    /// Calls report(ChainTouch) for every local minimum of the distance to y that is at most `reach`: a
    /// vertex is one only if both its segments have it as their closest point.
    template <class Report>
    void locally_closest(const Vec2& y, double reach, Report&& report) const {
        for (Index k = 0; k < static_cast<Index>(segments_.size()); ++k) {
            const ChainTouch found = touch(k, y);
            if (found.distance <= reach && (found.on_face() || is_local_minimum(found, y))) report(found);
        }
    }

private:
    Chain() = default;
    bool is_local_minimum(const ChainTouch& at_vertex, const Vec2& y) const;

    std::vector<ChainSegment> segments_;
    std::vector<Vec2> vertices_;
    bool closed_ = false;
    Vec2 low_, high_;
};

}  // namespace talus
