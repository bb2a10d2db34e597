#pragma once

/// Areas in a plane.
namespace talus {

/// Area that a disc about the origin has in common with the rectangle [left, right] x [low, high].
double disc_in_rectangle(double radius, double left, double right, double low, double high);

/// Area of the lens that is common to two discs whose centres are `distance` apart.
double disc_in_disc(double radius, double other_radius, double distance);

}  // namespace talus
