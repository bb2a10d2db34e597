#include <algorithm>
#include <stdexcept>

#include "chain.hpp"
#include "move.hpp"
#include "talus/geometry/shapes.hpp"

namespace talus {
namespace {

Vec3 in_plane(const Vec2& y) {
    return {y.x(), y.y(), 0.0};
}

/// One segment of the chain as a flat piece.
class SegmentPiece {
public:
    SegmentPiece(const Chain& chain, Index segment)
        : chain_(chain), segment_(segment), data_(chain.segments()[segment]) {}

    Vec3 base() const { return in_plane(data_.base); }
    Vec3 normal() const { return in_plane(data_.normal); }
    std::int32_t face() const { return 2 * segment_; }
    double distance(const Vec3& x) const { return chain_.touch(segment_, x.head<2>()).distance; }

    Tangent plane_at(const Vec3& x) const {
        const ChainTouch touch = chain_.touch(segment_, x.head<2>());
        return {in_plane(touch.point), in_plane(touch.normal), touch.feature};
    }

    std::optional<double> enter_in_plane(const Vec3& from, const Vec3& to) const {
        const double s0 = data_.coordinate(from.head<2>());
        const double s1 = data_.coordinate(to.head<2>());
        double enter = 0.0, leave = 1.0;
        clip(s0 - data_.begin, s1 - data_.begin, enter, leave);
        clip(data_.end - s0, data_.end - s1, enter, leave);
        if (enter > leave) return std::nullopt;
        return enter;
    }

private:
    const Chain& chain_;
    Index segment_;
    const ChainSegment& data_;
};

class Polyline final : public WallShape {
public:
    explicit Polyline(Chain chain)
        : chain_(std::move(chain)), scale_(largest_coordinate(Polyline::bounds())) {}

    double distance(const Vec3& x) const override { return chain_.nearest(x.head<2>()).distance; }

    void tangents(const Vec3& x, const Vec3& /*expected*/, double reach,
                  std::vector<Tangent>& out) const override {
        if (path_misses(bounds(), x, x, reach)) return;
        chain_.locally_closest(x.head<2>(), reach, [&](const ChainTouch& touch) {
            out.push_back({in_plane(touch.point), in_plane(touch.normal), touch.feature});
        });
    }

    bool crosses(const Vec3& from, const Vec3& to) const override {
        const double rounding = rounding_of(from, to, scale_);
        return !path_misses(bounds(), from, to, rounding) && first_crossing(from, to, rounding) >= 0;
    }

    std::optional<Tangent> violated(const Vec3& from, const Vec3& to, double radius,
                                    double tolerance) const override {
        if (path_misses(bounds(), from, to, radius)) return std::nullopt;
        const Move move{from, to, radius, tolerance, rounding_of(from, to, scale_)};
        Index segment = first_crossing(from, to, move.rounding);
        const bool crossed = segment >= 0;
        if (!crossed) {
            const ChainTouch end = chain_.nearest(to.head<2>());
            if (end.distance >= radius - tolerance) return std::nullopt;
            segment = end.segment;
        }
        const double allowed = std::min(radius, distance(from));
        return cut_at_piece(SegmentPiece(chain_, segment), move, crossed, allowed);
    }

    DrawnSurface draw(const Box& /*view*/) const override {
        DrawnSurface drawn;
        for (const Vec2& v : chain_.vertices()) drawn.points.push_back(in_plane(v));
        const Index vertices = static_cast<Index>(drawn.points.size());
        for (Index k = 0; k < static_cast<Index>(chain_.segments().size()); ++k) {
            drawn.lines.push_back({k, (k + 1) % vertices});
        }
        return drawn;
    }

    Box bounds() const override { return {in_plane(chain_.low()), in_plane(chain_.high())}; }

    bool planar() const override { return true; }

private:
    /// Segment that the path meets first; -1 when it meets none.
    Index first_crossing(const Vec3& from, const Vec3& to, double rounding) const {
        Index first = -1;
        double earliest = 2.0;
        for (Index k = 0; k < static_cast<Index>(chain_.segments().size()); ++k) {
            const std::optional<double> t = crossing(SegmentPiece(chain_, k), from, to, rounding);
            if (!t || *t >= earliest) continue;
            earliest = *t;
            first = k;
        }
        return first;
    }

    Chain chain_;
    double scale_;  ///< largest coordinate [m]
};

}  // namespace

ShapePtr make_polyline(const std::vector<Vec3>& points, bool closed) {
    std::vector<Vec2> flat;
    for (const Vec3& p : points) {
        if (p.z() != 0.0) throw std::invalid_argument("polyline: every point must have z = 0");
        flat.emplace_back(p.head<2>());
    }
    return std::make_shared<Polyline>(Chain(std::move(flat), closed, "polyline"));
}

}  // namespace talus
