#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
    /// (m) 1 for rows that are expected to carry no impulse, or empty. They lie apart, where the sweeps of
    /// monotone_pgs and of friction pass over them until they are violated. An expectation only: solutions do
    /// not depend on it.
    std::span<const std::uint8_t> idle = {};
};

/// Expects no impulse of rows that have none in the first guess and open faster than most rows close: by
/// three times the rms of what is missing, min(rate + G v, 0), over all rows. (In a packing of 31,000 rows
/// with gaps of up to a tenth of a radius these are 24 %, of which 18 rows took part in the answer.)
/// @param rate (m), @param free_velocity (n) [m/s], as they are solved for. @param impulse (m) first guess.
/// @param idle (m) out.
void expect_idle_rows(std::span<const Row> rows, std::span<const double> rate,
                      std::span<const Vec3> free_velocity, std::span<const double> impulse,
                      std::vector<std::uint8_t>& idle);

}  // namespace talus
