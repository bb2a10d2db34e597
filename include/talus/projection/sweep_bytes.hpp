#pragma once

#include <cstddef>

namespace talus {

/// Bytes that one iteration of the default solver (monotone_pgs) has to move when no cache holds anything of
/// it, each array once: a row reads its normal and b (32), its bodies' numbers (8) and y (8), and reads and
/// writes y_old (16); of a body the sweep reads and writes the velocity (64), the extrapolation reads two,
/// writes one (96) and reads the mass (8).
constexpr double sweep_bytes(std::size_t rows, std::size_t bodies) {
    return 64.0 * static_cast<double>(rows) + 168.0 * static_cast<double>(bodies);
}

}  // namespace talus
