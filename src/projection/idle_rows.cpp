#include <algorithm>
#include <cmath>

#include "talus/core/parallel.hpp"
#include "talus/projection/problem.hpp"

namespace talus {

namespace {
constexpr double kIdleOpening = 3.0;  ///< over the rms of what is missing
}

void expect_idle_rows(std::span<const Row> rows, std::span<const double> rate,
                      std::span<const Vec3> free_velocity, std::span<const double> impulse,
                      std::vector<std::uint8_t>& idle) {
    const auto opening = [&](std::ptrdiff_t c) {
        const Row& r = rows[c];
        const double at_j = r.j < 0 ? 0.0 : r.normal.dot(free_velocity[r.j]);
        return rate[c] + (at_j - r.normal.dot(free_velocity[r.i]));
    };
    const double squares = parallel_sum(std::ssize(rows), [&](std::ptrdiff_t c) {
        const double lack = std::min(0.0, opening(c));
        return lack * lack;
    });
    const double rms = rows.empty() ? 0.0 : std::sqrt(squares / static_cast<double>(rows.size()));
    idle.resize(rows.size());
    parallel_for(std::ssize(rows), [&](std::ptrdiff_t c) {
        idle[c] = impulse[c] == 0.0 && opening(c) > kIdleOpening * rms ? 1 : 0;
    });
}

}  // namespace talus
