#include "impact_energy.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

void add(EnergyBalance& to, double weight, const Vec3& before, const Vec3& plain, const Vec3& full) {
    to.before += weight * before.squaredNorm();
    to.plain += weight * plain.squaredNorm();
    to.mixed += weight * plain.dot(full);
    to.full += weight * full.squaredNorm();
}

double work_of_walls(const ProjectionInput& in, const Contact& contact, const Impulses& p, std::size_t k) {
    double work = -p.normal[k] * (contact.gap - contact.gap_before) / in.time_step;
    if (!p.tangential.empty() && !in.surface_velocity.empty())
        work -= p.tangential[k].dot(in.surface_velocity[k]);
    if (!p.moment.empty() && !in.wall_spin.empty()) work -= p.moment[k].dot(in.wall_spin[k]);
    return work;
}

}  // namespace

bool EnergyBalance::gains() const {
    constexpr double kRounding = 1e-12;
    return full - before - 2.0 * full_work > kRounding * full;
}

// a theta^2 + 2 b theta + c <= 0
double EnergyBalance::affordable_part() const {
    if (!gains()) return 1.0;
    const double a = plain - 2.0 * mixed + full;
    const double b = mixed - plain - (full_work - plain_work);
    const double c = plain - before - 2.0 * plain_work;
    const double discriminant = std::max(0.0, b * b - a * c);
    return a > 0.0 ? std::clamp((std::sqrt(discriminant) - b) / a, 0.0, 1.0) : 0.0;
}

std::vector<EnergyBalance> energy_balances(const ProjectionInput& in, const ContactList& contacts,
                                           const Clusters& clusters, const ImpactAnswer& plain,
                                           const ImpactAnswer& full) {
    std::vector<EnergyBalance> balance(static_cast<std::size_t>(clusters.count()));
    const Particles& particles = in.particles;
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.frozen(i)) continue;
        EnergyBalance& to = balance[clusters.of(i)];
        add(to, particles.mass[i], in.velocity_before[i], plain.motion.velocity[i], full.motion.velocity[i]);
        const double inverse = particles.inverse_inertia[i];
        if (!in.has_friction() || inverse == 0.0) continue;
        add(to, 1.0 / inverse, particles.angular_velocity[i], plain.motion.spin[i], full.motion.spin[i]);
    }
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        EnergyBalance& to = balance[clusters.of(particles, contacts[k])];
        to.plain_work += work_of_walls(in, contacts[k], plain.impulses, k);
        to.full_work += work_of_walls(in, contacts[k], full.impulses, k);
    }
    return balance;
}

}  // namespace talus
