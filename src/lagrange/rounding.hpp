#pragma once

#include <limits>

namespace talus::lagrange {

/// Coordinates are known to this part of their size: no iteration can settle closer.
constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

}  // namespace talus::lagrange
