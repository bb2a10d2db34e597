#include "talus/measure/region_means.hpp"
#include <cstdint>

#include "talus/contact/contact_point.hpp"
#include "talus/core/parallel.hpp"
#include "talus/geometry/region_cuts.hpp"

namespace talus {

namespace {

/// Sum over the mobile particles with their centre in the region, the same for any number of threads.
template <class T, class Value>
T sum_inside(const System& system, const Region& region, const T& zero, const Value& value) {
    const Particles& p = system.particles;
    return parallel_reduce(
        p.size(), zero,
        [&](std::ptrdiff_t k) -> T {
            const auto i = static_cast<Index>(k);
            const bool counts = !p.frozen(i) && region.contains(p.position[i], 0.0, system.dimension);
            return counts ? value(i) : zero;
        },
        [](const T& a, const T& b) -> T { return a + b; });
}

struct Branch {
    Vec3 from, to;
};

Branch branch_of(const Contact& contact, const Particles& particles) {
    const ContactArms arms = contact_arms(contact, particles);
    const bool first = !particles.frozen(contact.i);
    const bool second = contact.j >= 0 && !particles.frozen(contact.j);
    const Vec3& centre = particles.position[contact.i];
    if (first && second) return {centre, particles.position[contact.j]};
    if (first) return {centre, centre + arms.i * contact.normal};
    const Vec3& other = contact.j >= 0 ? particles.position[contact.j] : centre;
    return {second ? Vec3(other - arms.j * contact.normal) : other, other};
}

}  // namespace

double solid_fraction(const System& system, const Region& region) {
    const Particles& p = system.particles;
    const double solid = parallel_sum(p.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<Index>(k);
        return p.frozen(i) ? 0.0 : volume_inside(region, p.position[i], p.radius[i], system.dimension);
    });
    return solid / region.volume(system.dimension);
}

std::optional<double> mean_count(const System& system, const Region& region, const std::vector<Index>& count,
                                 bool only_positive) {
    const auto counts = [&](Index i) { return count[i] > 0 || !only_positive; };
    const auto sum =
        sum_inside(system, region, std::int64_t{0}, [&](Index i) { return std::int64_t{count[i]}; });
    const auto particles =
        sum_inside(system, region, std::int64_t{0}, [&](Index i) { return std::int64_t{counts(i) ? 1 : 0}; });
    if (particles == 0) return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(particles);
}

std::optional<RegionMotion> region_motion(const System& system, const Region& region) {
    const Particles& p = system.particles;
    const double mass = sum_inside(system, region, 0.0, [&](Index i) { return p.mass[i]; });
    if (mass == 0.0) return std::nullopt;
    const Vec3 momentum = sum_inside(system, region, Vec3(Vec3::Zero()),
                                     [&](Index i) -> Vec3 { return p.mass[i] * p.velocity[i]; });
    const Vec3 mean = momentum / mass;
    const double fluctuation = sum_inside(
        system, region, 0.0, [&](Index i) { return p.mass[i] * (p.velocity[i] - mean).squaredNorm(); });
    return RegionMotion{mean, fluctuation / (system.dimension * mass)};
}

Mat3 contact_stress(const System& system, const ContactList& contacts, const Region& region,
                    double time_step) {
    const auto moment = [&](std::ptrdiff_t k) -> Mat3 {
        const Contact& c = contacts[static_cast<std::size_t>(k)];
        if (c.impulse <= 0.0) return Mat3::Zero();
        const Branch branch = branch_of(c, system.particles);
        const double share = share_inside(region, branch.from, branch.to, system.dimension);
        const Vec3 force = (c.impulse * c.normal + c.tangential) / time_step;
        return share * force * (branch.to - branch.from).transpose();
    };
    const Mat3 sum = parallel_reduce(static_cast<std::ptrdiff_t>(contacts.size()), Mat3(Mat3::Zero()), moment,
                                     [](const Mat3& a, const Mat3& b) -> Mat3 { return a + b; });
    return (sum + sum.transpose()) / (2.0 * region.volume(system.dimension));
}

}  // namespace talus
