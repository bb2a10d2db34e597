#include "talus/step/reach.hpp"

#include "talus/core/parallel.hpp"

namespace talus {

void initial_reach(const Particles& particles, const std::vector<Vec3>& velocity, double time_step,
                   double margin, std::vector<double>& reach) {
    reach.resize(static_cast<std::size_t>(particles.size()));
    parallel_for(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        reach[i] = particles.frozen(static_cast<Index>(k))
                       ? 0.0
                       : time_step * velocity[i].norm() + margin * particles.radius[i];
    });
}

}  // namespace talus
