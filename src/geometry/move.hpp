#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "talus/core/types.hpp"
#include "talus/geometry/wall_shape.hpp"

namespace talus {

/// Lengths smaller than this fraction of the coordinates they come from are rounding [-]: some thousand times
/// the unit roundoff, since heights over planes and points on paths are sums of a few products. A path that
/// passes a border this closely counts as crossing, so that no path slips through a seam.
constexpr double kRounding = 1e-12;

/// A sphere that moves straight from one place to another.
struct Move {
    Vec3 from, to;     ///< of its centre [m]
    double radius;     ///< [m]
    double tolerance;  ///< overlap that is not worth a cut [m]
    double rounding;   ///< [m]

    /// True if the plane lets the sphere stay where it is, up to `allowed`, and forbids where it went.
    /// @param allowed min(radius, distance of `from` to the wall) [m]
    bool is_cut_by(const Tangent& plane, double allowed) const {
        return plane.normal.dot(from - plane.foot) >= allowed - rounding &&
               plane.normal.dot(to - plane.foot) < radius - tolerance;
    }
};

/// @param scale largest coordinate of the wall [m]
inline double rounding_of(const Vec3& from, const Vec3& to, double scale) {
    return kRounding * (scale + from.cwiseAbs().maxCoeff() + to.cwiseAbs().maxCoeff());
}

inline double largest_coordinate(const Box& box) {
    return std::max(box.low.cwiseAbs().maxCoeff(), box.high.cwiseAbs().maxCoeff());
}

/// True if the box around the path, `margin` larger on every side, misses `box`.
inline bool path_misses(const Box& box, const Vec3& from, const Vec3& to, double margin) {
    return (from.cwiseMin(to).array() > box.high.array() + margin).any() ||
           (from.cwiseMax(to).array() < box.low.array() - margin).any();
}

/// Part of the parameters [enter, leave] of a path on which a height that runs linearly from `h0` to `h1` is
/// >= 0; empty when enter > leave.
inline void clip(double h0, double h1, double& enter, double& leave) {
    if (h0 < 0.0 && h1 < 0.0) leave = enter - 1.0;
    if (h0 < 0.0 && h1 >= 0.0) enter = std::max(enter, h0 / (h0 - h1));
    if (h0 >= 0.0 && h1 < 0.0) leave = std::min(leave, h0 / (h0 - h1));
}

// A flat piece (segment, triangle) offers: a point `base()` and the `normal()` of its plane;
// `plane_at(x) -> Tangent`, the plane through its point closest to x across the line of shortest distance,
// which separates x from the whole convex piece; `distance(x)`; and `enter_in_plane(from, to)`, the parameter
// at which a path within its plane meets it.

/// Parameter in (0, 1] at which the path meets the piece; nothing when it does not, or starts on its plane
/// and leaves it.
template <class Piece>
std::optional<double> crossing(const Piece& piece, const Vec3& from, const Vec3& to, double rounding) {
    const double h0 = piece.normal().dot(from - piece.base());
    const double h1 = piece.normal().dot(to - piece.base());
    if (std::abs(h0) <= rounding && std::abs(h1) <= rounding) {
        if (piece.distance(from) <= rounding) return std::nullopt;
        return piece.enter_in_plane(from, to);
    }
    if (h0 == 0.0 || (h0 > 0.0) == (h1 > 0.0 || (h1 == 0.0 && h0 < 0.0))) return std::nullopt;
    const double t = h0 / (h0 - h1);
    if (piece.distance(from + t * (to - from)) > rounding) return std::nullopt;
    return t;
}

/// The plane that ends the violation of one flat piece. It separates `from` from the whole piece, so a piece
/// is cut once. Best is the plane that touches next to where the sphere ends or passes; where that would
/// forbid to stand still, the one seen from `from`.
template <class Piece>
Tangent cut_at_piece(const Piece& piece, const Move& move, bool crossed, double allowed) {
    if (!crossed) {
        const Tangent plane = piece.plane_at(move.to);
        if (move.is_cut_by(plane, allowed)) return plane;
        return piece.plane_at(move.from);
    }
    Tangent plane = piece.plane_at(move.from);
    const double height = piece.normal().dot(move.from - piece.base());
    const Tangent face{piece.base(), height >= 0.0 ? piece.normal() : Vec3(-piece.normal()), piece.face()};
    return move.is_cut_by(face, allowed) ? face : plane;
}

}  // namespace talus
