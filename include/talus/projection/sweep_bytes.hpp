#pragma once

#include <cstddef>

namespace talus {

/// Bytes that one iteration of the default solver (monotone_pgs) has to move when no cache holds anything of
/// it, each array once: a row reads its normal and b (32), its bodies' numbers (8) and y (8), and reads and
/// writes y_old (16); a body reads w (32), its mass (8) and its place in the list of opened bodies (4), and
/// reads and writes w_old (64).
constexpr double sweep_bytes(std::size_t rows, std::size_t bodies) {
    return 64.0 * static_cast<double>(rows) + 108.0 * static_cast<double>(bodies);
}

}  // namespace talus
