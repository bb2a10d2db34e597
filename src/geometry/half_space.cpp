#include <Eigen/Geometry>
#include <cmath>
#include <stdexcept>

#include "talus/geometry/convex_polygon.hpp"
#include "talus/geometry/shapes.hpp"

namespace talus {
namespace {

class HalfSpace final : public WallShape {
public:
    HalfSpace(const Vec3& point, const Vec3& normal) : point_(point), normal_(normal) {}

    double distance(const Vec3& x) const override { return normal_.dot(x - point_); }

    void tangents(const Vec3& x, const Vec3& /*expected*/, double reach,
                  std::vector<Tangent>& out) const override {
        if (distance(x) <= reach) out.push_back(plane_at(x));
    }

    bool crosses(const Vec3& /*from*/, const Vec3& /*to*/) const override { return false; }

    std::optional<Tangent> violated(const Vec3& /*from*/, const Vec3& to, double radius,
                                    double tolerance) const override {
        if (distance(to) >= radius - tolerance) return std::nullopt;
        return plane_at(to);
    }

    DrawnSurface draw(const Box& view) const override {
        const bool flat = view.high.z() == view.low.z();
        std::vector<Vec3> corners = flat ? line_ends(view) : quad(view);
        for (int axis = 0; axis < (flat ? 2 : 3); ++axis) {
            corners = clip_polygon(corners, [&](const Vec3& x) { return view.high[axis] - x[axis]; });
            corners = clip_polygon(corners, [&](const Vec3& x) { return x[axis] - view.low[axis]; });
        }
        return draw_polygon(corners, flat);
    }

    Box bounds() const override { return {point_, point_}; }

    bool solid() const override { return true; }

private:
    Tangent plane_at(const Vec3& x) const { return {x - distance(x) * normal_, normal_, 0}; }

    /// Half the length that covers the view from any point of it.
    static double span(const Box& view) { return (view.high - view.low).norm(); }
    Vec3 middle(const Box& view) const { return plane_at(0.5 * (view.low + view.high)).foot; }

    std::vector<Vec3> line_ends(const Box& view) const {
        const Vec3 along = span(view) * Vec3(-normal_.y(), normal_.x(), 0.0);
        return {middle(view) - along, middle(view) + along};
    }

    std::vector<Vec3> quad(const Box& view) const {
        const Vec3 u = span(view) * normal_.unitOrthogonal();
        const Vec3 v = normal_.cross(u);
        const Vec3 m = middle(view);
        return {m - u - v, m + u - v, m + u + v, m - u + v};
    }

    Vec3 point_, normal_;
};

}  // namespace

ShapePtr make_half_space(const Vec3& point, const Vec3& normal) {
    if (!point.allFinite()) throw std::invalid_argument("half-space: the point is not finite");
    const double length = normal.stableNorm();
    if (!(length > 0.0) || !std::isfinite(length)) {
        throw std::invalid_argument("half-space: the normal must be finite and not zero");
    }
    return std::make_shared<HalfSpace>(point, normal / length);
}

}  // namespace talus
