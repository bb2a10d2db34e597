#include "talus/broadphase/broad_phase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "kinds.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

void require_valid_input(std::span<const Vec3> centre, std::span<const double> size) {
    if (centre.size() != size.size())
        throw std::invalid_argument(
            fmt::format("broad phase: {} centres but {} sizes", centre.size(), size.size()));
    if (centre.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
        throw std::invalid_argument("broad phase: more than 2^31 - 1 particles");
    const auto count = static_cast<std::ptrdiff_t>(centre.size());
    const std::ptrdiff_t first_bad = parallel_reduce(
        count, count,
        [&](std::ptrdiff_t k) {
            const auto i = static_cast<std::size_t>(k);
            const bool good = size[i] >= 0.0 && std::isfinite(size[i]) && std::isfinite(centre[i][0]) &&
                              std::isfinite(centre[i][1]) && std::isfinite(centre[i][2]);
            return good ? count : k;
        },
        [](std::ptrdiff_t a, std::ptrdiff_t b) { return std::min(a, b); });
    if (first_bad == count) return;
    const auto i = static_cast<std::size_t>(first_bad);
    throw std::invalid_argument(fmt::format(
        "broad phase: particle index {} has centre ({}, {}, {}) m and size {} m; a centre must be finite, a "
        "size finite and not negative",
        i, centre[i][0], centre[i][1], centre[i][2], size[i]));
}

std::unique_ptr<BroadPhase> make_broad_phase(BroadPhaseKind kind) {
    switch (kind) {
        case BroadPhaseKind::cell_grid:
            return make_cell_grid();
        case BroadPhaseKind::kd_tree:
            return make_kd_tree();
        case BroadPhaseKind::r_tree:
            return make_r_tree();
        case BroadPhaseKind::brute_force:
            return make_brute_force();
    }
    throw std::invalid_argument("unknown kind of broad phase");
}

}  // namespace talus
