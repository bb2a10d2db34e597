#pragma once

#include "talus/geometry/region.hpp"

/// How much of a ball or of a line a region holds.
namespace talus {

/// 4/3 pi r^3 (3-D), or pi r^2 (2-D) [m^3 or m^2].
double ball_volume(double radius, int dimension);

/// The part of a ball (2-D: disc) that lies inside a valid region [m^3 or m^2]. Closed forms for a disc in a
/// box and for a ball that the faces of a box cut along one axis only; otherwise exact sections across one
/// axis, integrated along it from one kink to the next by 30 Gauss-Legendre points: to 1e-10 of the ball,
/// mostly 1e-13. Source of the sections: circular segments, and the lens of two circles.
double volume_inside(const Region& region, const Vec3& centre, double radius, int dimension);

/// The share of the straight line between two points that lies inside a valid region [-], in closed form. A
/// box holds its low faces and not its high ones, so that a line along a common face of two boxes is in one.
double share_inside(const Region& region, const Vec3& from, const Vec3& to, int dimension);

}  // namespace talus
