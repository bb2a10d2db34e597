#pragma once

#include <string>

#include "bench.hpp"

namespace talus::bench {

/// Spheres in an open box with five walls; gravity 1 along -z, m = r^3.
struct Box {
    System system;
    Vec3 size = Vec3::Zero();  ///< (0, 0) to (x, y) are the walls; z is not used
};

/// Five walls around nothing.
Box empty_box(double along_x, double along_y);

/// Spheres of radius 1 (+- 20 %) dropped into a square box and stepped until at rest. Made by talus itself,
/// the same for any number of threads.
/// @param slenderness height over width of the lattice that they fall from: 1 gives a box, more a column.
Box settled_box(int particles, double slenderness = 1.0);

/// Mirror images of a box side by side. A wall between two of them is left out: each sphere at it touches its
/// own image, which carries what the wall did. What rests stays at rest, and what is symmetric stays so to
/// rounding.
Box mirrored(const Box& tile, int along_x, int along_y);

/// Box_1k, box_8k, ... of `directory`: .csv or .csv.gz with x, y, z, radius; walls x, y = 0 and 20.6 (n /
/// 1000)^(1/3). At rest. Overlaps are moved away by position until kBoxOverlap is left.
/// @throws InputError where there is no such file.
bool has_box(const std::string& directory, int particles);
Box read_box(const std::string& directory, int particles);
constexpr double kBoxOverlap = 1e-8;  ///< over the smaller radius [-]: 1e-7 m/s at the scale of kBoxSpeed

/// Moves overlaps away by position until kBoxOverlap is left and sets the spheres at rest.
void bring_to_rest(System& system);

/// The box of a benchmark: of options.data where that has it; above options.tile mirror images of the box of
/// that many, at least `particles` in all, on a floor as square as it gets; else settled where no data are
/// given.
Box box_of(const Options& options, int particles);

}  // namespace talus::bench
