#include "talus/step/orientation.hpp"

#include <cmath>

#include "talus/core/parallel.hpp"

namespace talus {

namespace {

Quaternion turn_of(const Vec3& axis, double angle) {
    const Vec3 vector = std::sin(0.5 * angle) * axis;
    return {std::cos(0.5 * angle), vector.x(), vector.y(), vector.z()};
}

}  // namespace

void turn(Particles& particles, double time_step) {
    parallel_for(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        const double rate = particles.angular_velocity[i].norm();
        if (rate == 0.0) return;
        const Vec3 axis = particles.angular_velocity[i] / rate;
        particles.orientation[i] = (turn_of(axis, rate * time_step) * particles.orientation[i]).normalized();
    });
}

}  // namespace talus
