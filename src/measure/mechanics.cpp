#include "talus/measure/mechanics.hpp"

#include <Eigen/Geometry>

#include "talus/core/parallel.hpp"

namespace talus {

namespace {

// Sum of value(i, mass) over the particles that are not frozen, in an order that does not depend on the
// threads.
template <class T, class Value>
T sum_over_mobile(const Particles& p, const T& zero, Value&& value) {
    return parallel_reduce(
        p.size(), zero,
        [&](std::ptrdiff_t k) -> T {
            const auto i = static_cast<std::size_t>(k);
            return p.frozen(static_cast<Index>(k)) ? zero : value(i, p.mass[i]);
        },
        [](const T& a, const T& b) -> T { return a + b; });
}

}  // namespace

Vec3 gravity_now(const System& system) {
    return {system.gravity[0].at(system.time), system.gravity[1].at(system.time),
            system.gravity[2].at(system.time)};
}

Index mobile_count(const System& system) {
    return sum_over_mobile(system.particles, Index{0}, [](std::size_t, double) { return Index{1}; });
}

double kinetic_energy(const System& system) {
    const Particles& p = system.particles;
    return sum_over_mobile(p, 0.0, [&](std::size_t i, double m) {
        const double inverse = p.inverse_inertia[i];
        const double turning = inverse > 0.0 ? p.angular_velocity[i].squaredNorm() / inverse : 0.0;
        return 0.5 * (m * p.velocity[i].squaredNorm() + turning);
    });
}

double potential_energy(const System& system) {
    const Particles& p = system.particles;
    const Vec3 g = gravity_now(system);
    return sum_over_mobile(p, 0.0, [&](std::size_t i, double m) { return -m * g.dot(p.position[i]); });
}

Vec3 linear_momentum(const System& system) {
    const Particles& p = system.particles;
    return sum_over_mobile(p, Vec3(Vec3::Zero()),
                           [&](std::size_t i, double m) -> Vec3 { return m * p.velocity[i]; });
}

Vec3 angular_momentum(const System& system, const Vec3& about) {
    const Particles& p = system.particles;
    return sum_over_mobile(p, Vec3(Vec3::Zero()), [&](std::size_t i, double m) -> Vec3 {
        const double inverse = p.inverse_inertia[i];
        const Vec3 own = inverse > 0.0 ? Vec3(p.angular_velocity[i] / inverse) : Vec3::Zero();
        return m * (p.position[i] - about).cross(p.velocity[i]) + own;
    });
}

}  // namespace talus
