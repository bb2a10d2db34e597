#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "talus/step/system.hpp"

/// The shape of what lies there: run-out, height and angle of repose. Frozen particles are the ground: they
/// are left out. Nothing is returned when there are no particles to measure.
namespace talus {

/// A distance that grows outwards: from the plane through `point` across `axis`, signed; when it is radial,
/// from the line through `point` along `axis`.
struct Coordinate {
    bool radial = false;
    Vec3 point = Vec3::Zero();  ///< [m]
    Vec3 axis = Vec3::UnitZ();  ///< unit vector

    double at(const Vec3& x) const;
};

/// Run-out: the least distance such that the particles whose outer edge (centre + radius) is no further out
/// have together at least `fraction` of the mass.
struct Front {
    Coordinate outward;
    double fraction = 0.99;  ///< in (0, 1]; 1: the outermost edge of all
};

/// The same upwards, for the tops of the particles with their centre within `radius` of the line through
/// `point` along `up`.
struct HeapHeight {
    Vec3 point = Vec3::Zero();                                ///< where heights begin [m]
    Vec3 up = Vec3::UnitZ();                                  ///< unit vector
    double radius = std::numeric_limits<double>::infinity();  ///< [m], > 0
    double fraction = 1.0;                                    ///< in (0, 1]; 1: the highest top
};

/// Angle of repose from the free surface: the highest top in each bin of the outward coordinate, at the
/// coordinate of its own centre. A straight line is fitted by least squares to the tops between the fractions
/// `low` and `high` of the highest: below are the foot and what has rolled away, above is the rounded tip.
struct Repose {
    Coordinate outward;       ///< heights begin at its point
    Vec3 up = Vec3::UnitZ();  ///< unit vector; the axis of a radial coordinate
    double bin = 0.0;         ///< width [m]; 0: the largest diameter
    double low = 0.2, high = 0.8;
};

/// A place of the free surface: distance outwards and height [m].
struct SurfacePoint {
    double outward, height;
};

std::optional<double> front_distance(const System& system, const Front& measure);    ///< [m]
std::optional<double> heap_height(const System& system, const HeapHeight& measure);  ///< [m]

/// The highest top in each bin that has a centre in it, outwards.
std::vector<SurfacePoint> free_surface(const System& system, const Repose& measure);

/// Slope that falls outwards [degrees]; nothing when fewer than 3 places of the surface are between the two
/// heights.
std::optional<double> repose_angle(const System& system, const Repose& measure);

}  // namespace talus
