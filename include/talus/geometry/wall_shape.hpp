#pragma once

#include <array>
#include <optional>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// A plane that touches a wall: a sphere of radius r centred at x stays on the free side while
/// normal . (x - foot) >= r.
struct Tangent {
    Vec3 foot;                 ///< point of the wall [m]
    Vec3 normal;               ///< unit vector from the wall to the free side
    std::int32_t feature = 0;  ///< face, edge, vertex or rim of the wall, the same from step to step
};

/// Points, lines and triangles to draw.
struct DrawnSurface {
    std::vector<Vec3> points;
    std::vector<std::array<Index, 3>> triangles;
    std::vector<std::array<Index, 2>> lines;
};

/// Axis-parallel box.
struct Box {
    Vec3 low, high;
};

/// The geometry of a wall in its own frame, at rest. A wall is either solid (a half-space: the side behind it
/// is forbidden) or a surface without thickness that a sphere never crosses, whichever side it is on;
/// surfaces end where they end, and a sphere may pass beyond their edge and touch the rim.
class WallShape {
public:
    virtual ~WallShape() = default;

    /// Distance from x to the wall [m]; negative only inside a solid.
    virtual double distance(const Vec3& x) const = 0;

    /// Appends a tangent plane for every feature that is locally closest to x and within `reach` of it.
    /// Where the wall curves around x (the inside of a cylinder) the plane is turned to the azimuth of
    /// `expected`, where the centre is likely to be after the step, on whichever side that lies: any such
    /// plane is a valid constraint that x satisfies, and this one is the one that binds. Elsewhere `expected`
    /// does not count. Seams between coplanar or concave faces give nothing of their own: the faces do.
    virtual void tangents(const Vec3& x, const Vec3& expected, double reach,
                          std::vector<Tangent>& out) const = 0;

    /// True if the straight path of a centre passes through the surface (a solid is never crossed: false).
    virtual bool crosses(const Vec3& from, const Vec3& to) const = 0;

    /// The plane that a sphere of radius `radius` moving straight from `from` to `to` violates: where it
    /// first crosses the surface, or else where it ends closer than radius - tolerance. Nothing when the path
    /// is free. `to` is at less than radius - tolerance from the plane. At `from` the plane is satisfied up
    /// to the distance that `from` itself has to the wall (to rounding), so that standing still is always
    /// allowed. A flat piece of wall is cut at most once; a curved one until the overlap is within the
    /// tolerance, which therefore must be positive.
    virtual std::optional<Tangent> violated(const Vec3& from, const Vec3& to, double radius,
                                            double tolerance) const = 0;

    /// What to draw; an unbounded wall is cut to `view`.
    virtual DrawnSurface draw(const Box& view) const = 0;

    /// Bounding box of the bounded part; for an unbounded wall only the points that define it.
    virtual Box bounds() const = 0;

    /// True for a half-space; then the distance is affine.
    virtual bool solid() const { return false; }

    /// True for walls that live in the plane z = 0 (segments, polylines).
    virtual bool planar() const { return false; }
};

}  // namespace talus
