#include "talus/step/free_velocity.hpp"

#include "talus/core/parallel.hpp"

namespace talus {

void free_velocity(const Particles& particles, const std::array<Schedule, 3>& gravity, double t0, double t1,
                   std::vector<Vec3>& velocity) {
    const Vec3 mean(gravity[0].mean(t0, t1), gravity[1].mean(t0, t1), gravity[2].mean(t0, t1));
    const Vec3 gained = (t1 - t0) * mean;
    velocity.resize(static_cast<std::size_t>(particles.size()));
    parallel_for(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        velocity[i] = particles.frozen(static_cast<Index>(k)) ? Vec3(Vec3::Zero())
                                                              : Vec3(particles.velocity[i] + gained);
    });
}

}  // namespace talus
