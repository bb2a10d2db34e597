#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "chain.hpp"
#include "move.hpp"
#include "profile_path.hpp"
#include "talus/geometry/shapes.hpp"

namespace talus {
namespace {

constexpr int kSectors = 64;  ///< of a drawn surface: chords deviate from the circle by 0.12 % of the radius
/// Nearer to the axis than this fraction of the distance to the origin there is no azimuth [-]: twice the
/// rounding of the difference that the azimuth comes from.
constexpr double kAxisRounding = 4.0 * std::numeric_limits<double>::epsilon();

// All distances are those of the half-plane (rho, height): the point of a surface of revolution that is
// closest to x has the azimuth of x. A plane that touches with a normal that points away from the axis has
// the whole piece of surface behind it (the piece curves away). One with a normal towards the axis touches a
// surface that curves around x: the admissible centres are convex in azimuth, every such plane is an outer
// approximation that x itself satisfies, and cuts by planes at the azimuth where the sphere ends converge
// (Kelley 1960, "The cutting-plane method for solving convex programs").
class Revolved final : public WallShape {
public:
    Revolved(const Vec3& origin, const Vec3& axis, Chain profile)
        : origin_(origin),
          axis_(axis),
          any_radial_(axis.unitOrthogonal()),
          profile_(std::move(profile)),
          scale_(largest_coordinate(Revolved::bounds())) {}

    double distance(const Vec3& x) const override { return profile_.nearest(locate(x).at).distance; }
    void tangents(const Vec3& x, const Vec3& expected, double reach,
                  std::vector<Tangent>& out) const override;
    bool crosses(const Vec3& from, const Vec3& to) const override;
    std::optional<Tangent> violated(const Vec3& from, const Vec3& to, double radius,
                                    double tolerance) const override;
    DrawnSurface draw(const Box& view) const override;
    Box bounds() const override;

private:
    /// A place in the half-plane, and the direction from the axis to it.
    struct Place {
        Vec2 at;      ///< (rho, height)
        Vec3 offset;  ///< rho times the unit vector across the axis [m]
    };
    struct Crossing {
        double t = 2.0;  ///< beyond 1: none
        Index segment = -1;
        bool through_face = true;  ///< false: along the surface, over a rim
        bool from_left = true;
    };

    Place locate(const Vec3& x) const {
        const Vec3 d = x - origin_;
        const double height = d.dot(axis_);
        Vec3 offset = d - height * axis_;
        offset -= offset.dot(axis_) * axis_;  // again: near the axis the first difference is mostly rounding
        if (offset.norm() <= kAxisRounding * d.norm()) offset.setZero();
        return {Vec2(offset.norm(), height), offset};
    }

    /// Unit vector from the axis to a place; a fixed one for a place on the axis.
    Vec3 radial(const Vec3& offset) const {
        const double rho = offset.norm();
        return rho > 0.0 ? Vec3(offset / rho) : any_radial_;
    }

    /// The plane through `point` of the profile, turned to the azimuth of `radial`.
    Tangent plane(const Vec2& point, const Vec2& normal, const Vec3& radial, Index feature) const {
        return {origin_ + point.x() * radial + point.y() * axis_, normal.x() * radial + normal.y() * axis_,
                feature};
    }

    ProfilePath path(const Place& a, const Place& b) const {
        return {a.offset, b.offset - a.offset, a.at.y(), b.at.y() - a.at.y()};
    }

    bool out_of_reach(const ProfilePath& path, double margin) const;
    Crossing first_crossing(const ProfilePath& path, double rounding) const;
    void pass_over_rim(const ProfilePath& path, Index vertex, double rounding, Crossing& first) const;
    Tangent seen_from(const Place& from, const Vec3& other_radial, Index segment) const;
    Tangent cut_at_end(const Move& move, const Place& a, const Place& b, const ChainTouch& end) const;
    Tangent cut_at_crossing(const Move& move, const Place& a, const Place& b, const Crossing& hit) const;
    double allowed(const Move& move, const Place& a) const {
        return std::min(move.radius, profile_.nearest(a.at).distance);
    }
    Chain cut_to_view(const Box& view) const;

    Vec3 origin_, axis_;
    Vec3 any_radial_;  ///< the azimuth given to points on the axis
    Chain profile_;
    double scale_;  ///< largest coordinate [m]
};

void Revolved::tangents(const Vec3& x, const Vec3& expected, double reach, std::vector<Tangent>& out) const {
    const Place place = locate(x);
    if ((place.at.array() < profile_.low().array() - reach).any() ||
        (place.at.array() > profile_.high().array() + reach).any()) {
        return;
    }
    const Vec3 here = radial(place.offset);
    profile_.locally_closest(place.at, reach, [&](const ChainTouch& touch) {
        const bool around = touch.normal.x() < 0.0;
        const Vec3 ahead = around ? locate(expected).offset : place.offset;
        out.push_back(
            plane(touch.point, touch.normal, ahead.isZero(0.0) ? here : radial(ahead), touch.feature));
    });
}

bool Revolved::out_of_reach(const ProfilePath& path, double margin) const {
    const double low = std::min(path.height(0.0), path.height(1.0));
    const double high = std::max(path.height(0.0), path.height(1.0));
    return low > profile_.high().y() + margin || high < profile_.low().y() - margin ||
           std::max(path.rho(0.0), path.rho(1.0)) < profile_.low().x() - margin ||
           path.least_rho() > profile_.high().x() + margin;
}

Revolved::Crossing Revolved::first_crossing(const ProfilePath& path, double rounding) const {
    Crossing first;
    const Index count = static_cast<Index>(profile_.segments().size());
    for (Index k = 0; k < count; ++k) {
        const ChainSegment& piece = profile_.segments()[k];
        for (const auto& passage : path.passages(piece.base, piece.normal)) {
            const double s = piece.coordinate(path.at(passage.t));
            const bool inside = piece.begin - rounding <= s && s <= piece.end + rounding;
            if (inside && passage.t < first.t) first = {passage.t, k, true, passage.from_left};
        }
    }
    if (!profile_.closed() && !profile_.vertices().empty()) {
        pass_over_rim(path, 0, rounding, first);
        pass_over_rim(path, count, rounding, first);
    }
    return first;
}

/// A path that lies in the surface (within a disc, along a cylinder) has no side; it meets the rim instead.
void Revolved::pass_over_rim(const ProfilePath& path, Index vertex, double rounding, Crossing& first) const {
    const Vec2& rim = profile_.vertices()[vertex];
    const Index segment = std::min(vertex, static_cast<Index>(profile_.segments().size()) - 1);
    if (profile_.touch(segment, path.at(0.0)).distance <= rounding) return;
    const bool level = std::abs(path.height_step()) <= rounding;
    for (const auto& passage : path.passages(rim, level ? Vec2::UnitX() : Vec2::UnitY())) {
        const bool meets = (path.at(passage.t) - rim).norm() <= rounding;
        if (meets && passage.t < first.t) first = {passage.t, segment, false, true};
    }
}

bool Revolved::crosses(const Vec3& from, const Vec3& to) const {
    const double rounding = rounding_of(from, to, scale_);
    const ProfilePath straight = path(locate(from), locate(to));
    return !out_of_reach(straight, rounding) && first_crossing(straight, rounding).segment >= 0;
}

std::optional<Tangent> Revolved::violated(const Vec3& from, const Vec3& to, double radius,
                                          double tolerance) const {
    const Place a = locate(from);
    const Place b = locate(to);
    const ProfilePath straight = path(a, b);
    if (out_of_reach(straight, radius)) return std::nullopt;
    const Move move{from, to, radius, tolerance, rounding_of(from, to, scale_)};
    const ChainTouch end = profile_.nearest(b.at);
    if (end.distance <= (to - from).norm() + move.rounding) {  // else the path is too short to get there
        const Crossing hit = first_crossing(straight, move.rounding);
        if (hit.segment >= 0) return cut_at_crossing(move, a, b, hit);
    }
    if (end.distance >= radius - tolerance) return std::nullopt;
    return cut_at_end(move, a, b, end);
}

/// The plane through the point of the segment that is closest to `from`: satisfied there. Seen from outside
/// it separates the whole piece; seen from inside it is turned to where the sphere went.
Tangent Revolved::seen_from(const Place& from, const Vec3& other_radial, Index segment) const {
    const ChainTouch touch = profile_.touch(segment, from.at);
    const bool around = touch.normal.x() < 0.0;
    return plane(touch.point, touch.normal, around ? other_radial : radial(from.offset), touch.feature);
}

Tangent Revolved::cut_at_end(const Move& move, const Place& a, const Place& b, const ChainTouch& end) const {
    const Vec3 there = radial(b.offset);
    const Tangent best = plane(end.point, end.normal, there, end.feature);
    return move.is_cut_by(best, allowed(move, a)) ? best : seen_from(a, there, end.segment);
}

Tangent Revolved::cut_at_crossing(const Move& move, const Place& a, const Place& b,
                                  const Crossing& hit) const {
    const Vec3 offset_hit = a.offset + hit.t * (b.offset - a.offset);
    const Vec3 radial_hit = radial(offset_hit);
    if (!hit.through_face) return seen_from(a, radial_hit, hit.segment);
    const ChainSegment& piece = profile_.segments()[hit.segment];
    const Vec2 point(offset_hit.norm(), a.at.y() + hit.t * (b.at.y() - a.at.y()));
    const Vec2 normal = hit.from_left ? piece.normal : Vec2(-piece.normal);
    const double allow = allowed(move, a);
    if (normal.x() < 0.0) {  // deepest where the sphere ends
        const Tangent face = plane(point, normal, radial(b.offset), 2 * hit.segment);
        if (move.is_cut_by(face, allow)) return face;
    }
    for (const Vec3& direction : {radial_hit, radial(a.offset)}) {
        const Tangent face = plane(point, normal, direction, 2 * hit.segment);
        if (move.is_cut_by(face, allow)) return face;
    }
    return seen_from(a, radial_hit, hit.segment);
}

Chain Revolved::cut_to_view(const Box& view) const {
    if (!profile_.vertices().empty()) return profile_;
    const double rho = profile_.segments().front().base.x();
    Vec2 range = Vec2::Zero();
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 x((corner & 1) ? view.high.x() : view.low.x(), (corner & 2) ? view.high.y() : view.low.y(),
                     (corner & 4) ? view.high.z() : view.low.z());
        const double height = axis_.dot(x - origin_);
        if (corner == 0) range = Vec2::Constant(height);
        range = Vec2(std::min(range[0], height), std::max(range[1], height));
    }
    if (!(range[0] < range[1])) return profile_;
    return Chain({Vec2(rho, range[0]), Vec2(rho, range[1])}, false, "view");
}

DrawnSurface Revolved::draw(const Box& view) const {
    const Chain shown = cut_to_view(view);
    std::vector<Vec2> corners = shown.vertices();
    const bool ring = corners.empty();  // a cylinder seen end on in a view without thickness
    if (ring) corners = {Vec2(shown.segments().front().base.x(), 0.0)};
    const Index rings = static_cast<Index>(corners.size());
    const Vec3 u = any_radial_;
    const Vec3 v = axis_.cross(u);
    DrawnSurface drawn;
    for (int sector = 0; sector < kSectors; ++sector) {
        const double azimuth = 2.0 * std::numbers::pi * sector / kSectors;
        const Vec3 direction = std::cos(azimuth) * u + std::sin(azimuth) * v;
        for (const Vec2& c : corners) drawn.points.push_back(origin_ + c.x() * direction + c.y() * axis_);
    }
    for (Index sector = 0; sector < kSectors; ++sector) {
        const Index here = sector * rings;
        const Index next = (sector + 1) % kSectors * rings;
        if (ring) drawn.lines.push_back({here, next});
        for (Index k = 0; !ring && k < static_cast<Index>(shown.segments().size()); ++k) {
            const Index l = (k + 1) % rings;
            if (corners[k].x() > 0.0) drawn.triangles.push_back({here + k, next + k, here + l});
            if (corners[l].x() > 0.0) drawn.triangles.push_back({next + k, next + l, here + l});
        }
    }
    return drawn;
}

Box Revolved::bounds() const {
    std::vector<Vec2> corners = profile_.vertices();
    if (corners.empty()) corners = {profile_.segments().front().base};
    const Vec3 across = (1.0 - axis_.array().square()).max(0.0).sqrt();  // of a circle of radius 1
    Box box{origin_ + corners.front().y() * axis_, origin_ + corners.front().y() * axis_};
    for (const Vec2& c : corners) {
        const Vec3 centre = origin_ + c.y() * axis_;
        box.low = box.low.cwiseMin(centre - c.x() * across);
        box.high = box.high.cwiseMax(centre + c.x() * across);
    }
    return box;
}

bool is_endless(const std::vector<ProfilePoint>& profile) {
    return profile.size() == 2 && std::isinf(profile[0].height) && std::isinf(profile[1].height) &&
           profile[0].height != profile[1].height && profile[0].rho == profile[1].rho &&
           profile[0].rho > 0.0 && std::isfinite(profile[0].rho);
}

Chain chain_of(const std::vector<ProfilePoint>& profile) {
    if (is_endless(profile)) return Chain::line(Vec2(profile[0].rho, 0.0), Vec2::UnitY());
    std::vector<Vec2> points;
    bool on_axis = true;
    for (const ProfilePoint& p : profile) {
        if (std::isinf(p.height)) {
            throw std::invalid_argument(
                "surface of revolution: heights are infinite only at both ends of a one-segment profile of "
                "constant radius > 0 (an unbounded cylinder)");
        }
        if (!(p.rho >= 0.0)) {
            throw std::invalid_argument("surface of revolution: every radius of the profile must be >= 0");
        }
        on_axis = on_axis && p.rho == 0.0;
        points.emplace_back(p.rho, p.height);
    }
    if (on_axis && !points.empty()) {
        throw std::invalid_argument("surface of revolution: the profile lies on the axis");
    }
    return Chain(std::move(points), false, "surface of revolution");
}

}  // namespace

ShapePtr make_revolved(const Vec3& origin, const Vec3& axis, const std::vector<ProfilePoint>& profile) {
    if (!origin.allFinite()) throw std::invalid_argument("surface of revolution: the origin is not finite");
    const double length = axis.stableNorm();
    if (!(length > 0.0) || !std::isfinite(length)) {
        throw std::invalid_argument("surface of revolution: the axis must be finite and not zero");
    }
    return std::make_shared<Revolved>(origin, axis / length, chain_of(profile));
}

}  // namespace talus
