#pragma once

#include <string>
#include <vector>

#include "talus/io/frame.hpp"
#include "wall_drawing.hpp"

/// The whole text of the VTK files of one frame: XML poly data, zlib-compressed, appended raw. Made in
/// memory, because VTK 9.1 reports success for a file that a full disc cut short.
namespace talus {

/// Points with one vertex each. Point arrays, the same in every file:
/// id (Int64), radius, diameter [m], mass [kg], velocity (3) [m/s], force (3): sum of the contact forces [N],
/// coordination (Int32): contacts that carry an impulse, pressure: mean normal stress of the particle,
/// (1 / (dimension V)) sum of radius times normal force, V its volume [Pa] (in 2-D its area, [N/m]), zero
/// without contact, group (Int32); with rotation also orientation (4): unit quaternion w x y z, and
/// angular_velocity (3) [rad/s]. Field data: TimeValue [s], dimension.
std::string particles_text(const Frame& frame);

/// Lines between the centres that touch, or from a centre to the wall.
/// Cell arrays: gap at the time of the state [m], force [N], id_first, id_second (Int64; -1 - wall for a
/// wall); with rotation also force_tangential (3): on the second body [N], and sliding (Int8); with rolling
/// friction also rolling_moment (3): on the second body [N m].
std::string contacts_text(const Frame& frame);

/// Triangles and lines of the walls. Cell arrays: wall (Int32, index), bounded (Int32, 0 where the wall goes
/// on beyond what is drawn).
std::string walls_text(const Frame& frame, const std::vector<PlacedSurface>& walls);

/// Points with one vertex each and polylines. Field data: TimeValue [s].
std::string motion_text(double time, const std::vector<Vec3>& points,
                        const std::vector<std::vector<Vec3>>& lines);

}  // namespace talus
