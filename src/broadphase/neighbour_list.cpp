#include "talus/broadphase/neighbour_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "talus/core/parallel.hpp"

namespace talus {

NeighbourList::NeighbourList(BroadPhaseKind kind, double skin)
    : broad_phase_(make_broad_phase(kind)), skin_(skin) {
    if (!(skin >= 0.0) || !std::isfinite(skin))
        throw std::invalid_argument(
            fmt::format("the skin of a neighbour list is {} radii; expected 0 or more", skin));
}

bool NeighbourList::update(const Particles& particles, const std::vector<double>& reach) {
    if (reach.size() != particles.position.size())
        throw std::invalid_argument(
            fmt::format("{} reaches for {} particles", reach.size(), particles.position.size()));
    if (valid_for(particles, reach) && !oversized(particles, reach)) return false;
    build(particles, reach);
    return true;
}

void NeighbourList::invalidate() {
    built_ = false;
}

bool NeighbourList::valid_for(const Particles& particles, const std::vector<double>& reach) const {
    if (!built_ || size_.size() != particles.position.size()) return false;
    const auto within_built_size = [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        // Not finite is not within: the rebuild then says so.
        const double displacement = (particles.position[i] - built_position_[i]).norm();
        return displacement + (particles.radius[i] + reach[i]) <= size_[i];
    };
    return parallel_reduce(
        particles.size(), std::uint8_t{1},
        [&](std::ptrdiff_t k) { return static_cast<std::uint8_t>(within_built_size(k)); },
        [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a & b); });
}

// One fast step makes a list with large reaches; once all is slow again, its many candidates are not worth
// keeping.
bool NeighbourList::oversized(const Particles& particles, const std::vector<double>& reach) const {
    constexpr double kWorthRebuilding =
        1.5;  // built size over the size of a new list, summed over the particles
    const double surplus = parallel_sum(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        const double fresh = (1.0 + skin_) * particles.radius[i] + reach[i];
        return size_[i] - kWorthRebuilding * fresh;
    });
    return surplus > 0.0;
}

void NeighbourList::build(const Particles& particles, const std::vector<double>& reach) {
    built_ = false;  // in case the search throws
    built_position_ = particles.position;
    size_.resize(reach.size());
    parallel_for(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        size_[i] = (particles.radius[i] + reach[i]) + skin_ * particles.radius[i];
    });
    broad_phase_->find(built_position_, size_, pairs_);
    const bool any_frozen = std::find(particles.inverse_mass.begin(), particles.inverse_mass.end(), 0.0) !=
                            particles.inverse_mass.end();
    if (any_frozen)
        std::erase_if(pairs_, [&](const Pair& p) { return particles.frozen(p.i) && particles.frozen(p.j); });
    built_ = true;
}

}  // namespace talus
