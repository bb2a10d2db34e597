#pragma once

#include <span>

#include "talus/core/types.hpp"

namespace talus {

/// One unilateral constraint between two bodies, or between a body and a wall (j < 0).
struct Row {
    Index i;
    Index j;        ///< -1: a wall, which nothing moves
    Vec3 normal;    ///< unit vector from i to j (from i to the wall)
    double radius;  ///< smaller radius of the two [m]: the length that an overlap is measured by
};

/// Bodies and constraints of one projection: minimise 1/2 |u - v|_M^2 subject to rate + G u >= 0 in every
/// row, where (G u)_c = normal . (u_j - u_i). Source: Bernicot and Lefebvre-Lepot 2010 (1.12)-(1.15), masses
/// by Remark 4.1; `rate` is D/h.
struct ProjectionProblem {
    std::span<const double> inverse_mass;  ///< (n) [1/kg]; 0: can not be moved
    std::span<const Vec3> centre;          ///< (n) [m]; only the order of the rows depends on it
    std::span<const Row> rows;             ///< (m); at least one body of a row has a positive inverse mass
};

}  // namespace talus
