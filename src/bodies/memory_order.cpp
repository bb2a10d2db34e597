#include "talus/bodies/memory_order.hpp"

#include <algorithm>
#include <numeric>

#include "talus/bodies/particles.hpp"
#include "talus/core/median.hpp"
#include "talus/core/space_filling_curve.hpp"

namespace talus {

std::vector<Index> curve_order(const Particles& particles) {
    if (particles.id.empty()) return {};
    const std::vector<double>& radius = particles.radius;
    const double cell = 2.0 * *std::min_element(radius.begin(), radius.end());
    std::vector<double> work;
    const auto centre = [&](std::size_t i) -> const Vec3& { return particles.position[i]; };
    return curve_order(particles.position, median_point(particles.position.size(), centre, work), cell);
}

std::vector<Index> id_order(const std::vector<ParticleId>& id) {
    std::vector<Index> order(id.size());
    std::iota(order.begin(), order.end(), Index{0});
    if (std::is_sorted(id.begin(), id.end())) return order;
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return id[a] < id[b]; });
    return order;
}

std::vector<Index> places_of(const std::vector<Index>& order) {
    std::vector<Index> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Index>(k);
    return place;
}

}  // namespace talus
