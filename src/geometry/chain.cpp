#include "chain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace talus {
namespace {

ChainSegment segment_between(const Vec2& a, const Vec2& b) {
    const Vec2 along = (b - a).normalized();
    return {a, along, Vec2(-along.y(), along.x()), 0.0, (b - a).norm()};
}

void check_points(const std::vector<Vec2>& points, bool closed, const char* what) {
    const std::size_t needed = closed ? 3 : 2;
    if (points.size() < needed) {
        throw std::invalid_argument(
            fmt::format("{} needs at least {} points, got {}", what, needed, points.size()));
    }
    for (std::size_t k = 0; k < points.size(); ++k) {
        if (!points[k].allFinite()) {
            throw std::invalid_argument(fmt::format("{}: point {} is not finite", what, k));
        }
        const std::size_t next = k + 1 < points.size() ? k + 1 : 0;
        const double length = (points[next] - points[k]).norm();
        if ((next != 0 || closed) && !(length > 0.0 && std::isfinite(length))) {
            throw std::invalid_argument(fmt::format(
                "{}: points {} and {} must be different places a finite length apart", what, k, next));
        }
    }
}

}  // namespace

Chain::Chain(std::vector<Vec2> points, bool closed, const char* what) {
    closed_ = closed;
    if (!closed && points.size() > 3 && points.front() == points.back()) {
        points.pop_back();
        closed_ = true;
    }
    check_points(points, closed_, what);
    vertices_ = std::move(points);
    const std::size_t n = vertices_.size();
    for (std::size_t k = 0; k + 1 < n; ++k)
        segments_.push_back(segment_between(vertices_[k], vertices_[k + 1]));
    if (closed_) segments_.push_back(segment_between(vertices_.back(), vertices_.front()));
    low_ = high_ = vertices_.front();
    for (const Vec2& v : vertices_) {
        low_ = low_.cwiseMin(v);
        high_ = high_.cwiseMax(v);
    }
}

Chain Chain::line(const Vec2& base, const Vec2& along) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Chain chain;
    chain.segments_.push_back({base, along, Vec2(-along.y(), along.x()), -infinity, infinity});
    chain.low_ = chain.high_ = base;
    for (int k = 0; k < 2; ++k) {
        if (along[k] == 0.0) continue;
        chain.low_[k] = -infinity;
        chain.high_[k] = infinity;
    }
    return chain;
}

ChainTouch Chain::touch(Index segment, const Vec2& y) const {
    const ChainSegment& piece = segments_[segment];
    const double s = piece.coordinate(y);
    if (piece.begin < s && s < piece.end) {
        const double height = piece.height(y);
        const Vec2 normal = height >= 0.0 ? piece.normal : Vec2(-piece.normal);
        return {segment, 2 * segment, piece.at(s), normal, std::abs(height)};
    }
    const Index next = segment + 1 < static_cast<Index>(vertices_.size()) ? segment + 1 : 0;
    const Index vertex = s <= piece.begin ? segment : next;
    const Vec2 offset = y - vertices_[vertex];
    const double distance = offset.norm();
    const Vec2 normal = distance > 0.0 ? Vec2(offset / distance) : piece.normal;
    return {segment, 2 * vertex + 1, vertices_[vertex], normal, distance};
}

ChainTouch Chain::nearest(const Vec2& y) const {
    ChainTouch best = touch(0, y);
    for (Index k = 1; k < static_cast<Index>(segments_.size()); ++k) {
        const ChainTouch other = touch(k, y);
        if (other.distance < best.distance) best = other;
    }
    return best;
}

/// Asked of both segments of a vertex, but only the one that ends there answers yes: each vertex once.
bool Chain::is_local_minimum(const ChainTouch& at_vertex, const Vec2& y) const {
    const Index count = static_cast<Index>(segments_.size());
    const bool starts_here = at_vertex.feature == 2 * at_vertex.segment + 1;
    if (starts_here) return !closed_ && at_vertex.segment == 0;
    const bool last = at_vertex.segment + 1 == count;
    if (last && !closed_) return true;
    return touch(last ? 0 : at_vertex.segment + 1, y).feature == at_vertex.feature;
}

}  // namespace talus
