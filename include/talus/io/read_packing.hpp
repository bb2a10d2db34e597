#pragma once

#include <optional>
#include <string>
#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// Particles of a file, without any check of their physics. Missing columns are empty vectors.
struct Packing {
    std::vector<Vec3> position;
    std::vector<Vec3> velocity;
    std::vector<double> radius;
    std::vector<double> mass;
    std::vector<std::int32_t> group;
    std::vector<Quaternion> orientation;  ///< unit
    std::vector<Vec3> angular_velocity;   ///< [rad/s]
    std::vector<std::string> ignored;     ///< columns or arrays whose names talus does not know
};

/// Reads .csv (header line with x, y[, z], radius or diameter and optionally vx, vy, vz, mass, group, wx,
/// wy, wz; decimal points whatever the locale) or .vtp (a talus frame, or any point data with
/// "radius" or "diameter"). Where both stand in the file they must agree. What frames of talus hold beside
/// these (id, force, coordination, pressure) is left aside.
/// @throws InputError naming file, line and column: missing column, text that is no number, NaN or infinity,
/// radius or mass <= 0, radius and diameter that disagree, group names, orientations that are no unit
/// quaternions, unreadable file.
Packing read_packing(const std::string& path);

/// Triangles of an STL file (ASCII or binary, by VTK's reader). @throws InputError.
struct TriangleSoup {
    std::vector<Vec3> points;
    std::vector<std::array<Index, 3>> triangles;
};
TriangleSoup read_stl(const std::string& path);

}  // namespace talus
