#include "talus/bodies/particles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "talus/bodies/first_by_id.hpp"
#include "talus/bodies/memory_order.hpp"
#include "talus/core/error.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

namespace {

bool positive_and_finite(double number) {
    return number > 0.0 && std::isfinite(number);
}

/// A mass below about 1e-308 kg has no finite inverse. @param inertia a mass [kg] or moment of inertia [kg
/// m^2].
bool usable(double inertia) {
    return positive_and_finite(inertia) && std::isfinite(1.0 / inertia);
}

/// k in J = k m r^2, or 0 for a group that does not turn.
double inertia_factor(const Group& group, int dimension) {
    if (group.frozen || !group.rotates) return 0.0;
    if (group.inertia == Inertia::hollow) return dimension == 2 ? 1.0 : 2.0 / 3.0;
    return dimension == 2 ? 0.5 : 0.4;
}

/// Calls action(array) for each of the arrays.
template <class Action>
void for_each_array(Particles& p, Action&& action) {
    action(p.id);
    action(p.position);
    action(p.velocity);
    action(p.orientation);
    action(p.angular_velocity);
    action(p.radius);
    action(p.reference_radius);
    action(p.mass);
    action(p.inverse_mass);
    action(p.reference_mass);
    action(p.inverse_inertia);
    action(p.group);
}

/// What a group makes of its particles at one time.
struct GroupScale {
    double radius;   ///< factor of the reference radius [-]
    double mass;     ///< factor of the reference mass [-]
    double inertia;  ///< k in J = k m r^2 [-], 0 when it does not turn
};

std::vector<GroupScale> scales_at(const std::vector<Group>& groups, int dimension, double t) {
    std::vector<GroupScale> scales;
    scales.reserve(groups.size());
    for (const Group& group : groups) {
        const double scale = group.radius_scale.at(t);
        // Products, not std::pow: a scale of exactly 1 must leave the bits of the mass alone.
        const double power = dimension == 2 ? scale * scale : scale * scale * scale;
        scales.push_back({scale, group.constant_density ? power : 1.0, inertia_factor(group, dimension)});
    }
    return scales;
}

void require_groups(const Particles& particles, const std::vector<Group>& groups) {
    const auto known = [&](std::int32_t g) { return g >= 0 && static_cast<std::size_t>(g) < groups.size(); };
    if (!std::all_of(particles.group.begin(), particles.group.end(), known))
        throw std::invalid_argument("a particle's group index is not one of the groups");
}

[[noreturn]] void refuse(const Particles& particles, const std::vector<Group>& groups, std::size_t i,
                         double t, const GroupScale& scale) {
    const std::string& name = groups[static_cast<std::size_t>(particles.group[i])].name;
    throw StateError(fmt::format(
        "group '{}': particle {} would have radius {} m and mass {} kg at t = {} s (radius scale {}); "
        "both, and the moment of inertia, must be positive and finite: change the group's radius schedule or "
        "the end time",
        name, particles.id[i], particles.reference_radius[i] * scale.radius,
        particles.reference_mass[i] * scale.mass, t, scale.radius));
}

/// Radius, mass and moment of inertia of a particle.
struct Body {
    double radius, mass, inertia;

    Body(const Particles& particles, std::size_t i, const GroupScale& scale)
        : radius(particles.reference_radius[i] * scale.radius),
          mass(particles.reference_mass[i] * scale.mass),
          inertia(scale.inertia * mass * radius * radius) {}
};

bool can_be(const Body& body, const GroupScale& scale) {
    return positive_and_finite(body.radius) && usable(body.mass) &&
           (scale.inertia == 0.0 || usable(body.inertia));
}

void set_inertia(Particles& particles, std::size_t i, double inertia) {
    const double before = particles.inverse_inertia[i];
    const double now = inertia > 0.0 && !particles.frozen(static_cast<Index>(i)) ? 1.0 / inertia : 0.0;
    if (now == 0.0) {
        particles.angular_velocity[i].setZero();
    } else if (before != now && before > 0.0) {
        particles.angular_velocity[i] *= now / before;
    }
    particles.inverse_inertia[i] = now;
}

}  // namespace

bool is_unit(const Quaternion& q) {
    constexpr double kUnit = 1e-6;  // of the squared length: some roundings of single precision
    return std::abs(q.squaredNorm() - 1.0) <= kUnit;
}

void Particles::add(const Particle& particle) {
    if (particle.id < next_id())
        throw std::invalid_argument(
            fmt::format("particle id {} is not greater than the last id {}", particle.id, next_id() - 1));
    if (!positive_and_finite(particle.radius))
        throw std::invalid_argument(
            fmt::format("particle {}: radius {} m is not positive and finite", particle.id, particle.radius));
    if (!usable(particle.mass))
        throw std::invalid_argument(
            fmt::format("particle {}: mass {} kg is not positive and finite", particle.id, particle.mass));
    if (!particle.position.allFinite() || !particle.velocity.allFinite() ||
        !particle.angular_velocity.allFinite())
        throw std::invalid_argument(
            fmt::format("particle {}: position or velocity is not finite", particle.id));
    if (!is_unit(particle.orientation))
        throw std::invalid_argument(
            fmt::format("particle {}: the orientation is no unit quaternion", particle.id));
    id.push_back(particle.id);
    position.push_back(particle.position);
    velocity.push_back(particle.frozen ? Vec3::Zero() : particle.velocity);
    orientation.push_back(particle.orientation);
    angular_velocity.push_back(particle.frozen ? Vec3::Zero() : particle.angular_velocity);
    radius.push_back(particle.radius);
    reference_radius.push_back(particle.radius);
    mass.push_back(particle.mass);
    inverse_mass.push_back(particle.frozen ? 0.0 : 1.0 / particle.mass);
    reference_mass.push_back(particle.mass);
    inverse_inertia.push_back(0.0);
    group.push_back(particle.group);
}

void Particles::remove(const std::vector<std::uint8_t>& remove) {
    if (remove.size() != id.size())
        throw std::invalid_argument(
            fmt::format("{} marks for the removal from {} particles", remove.size(), id.size()));
    for_each_array(*this, [&](auto& values) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (remove[i] == 0) values[kept++] = values[i];
        }
        values.resize(kept);
    });
}

void Particles::arrange(const std::vector<Index>& order) {
    if (order.size() != id.size())
        throw std::invalid_argument(fmt::format("an order of {} particles for {}", order.size(), id.size()));
    arranged_id = next_id() - 1;
    for_each_array(*this, [&](auto& values) { talus::arrange(order, values); });
}

void Particles::reserve(std::size_t count) {
    for_each_array(*this, [&](auto& values) { values.reserve(count); });
}

void set_radii(Particles& particles, const std::vector<Group>& groups, int dimension, double t) {
    if (dimension != 2 && dimension != 3) throw std::invalid_argument("the dimension is 2 or 3");
    require_groups(particles, groups);
    const std::vector<GroupScale> scales = scales_at(groups, dimension, t);
    const auto scale_of = [&](std::size_t i) { return scales[static_cast<std::size_t>(particles.group[i])]; };
    // All are checked before the first is changed, so that a refused time leaves the state as it was.
    const std::ptrdiff_t bad = first_by_id(particles, [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        const GroupScale scale = scale_of(i);
        return !can_be(Body(particles, i, scale), scale);
    });
    if (bad >= 0) {
        const auto i = static_cast<std::size_t>(bad);
        refuse(particles, groups, i, t, scale_of(i));
    }
    parallel_for(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        const Body body(particles, i, scale_of(i));
        particles.radius[i] = body.radius;
        particles.mass[i] = body.mass;
        if (!particles.frozen(static_cast<Index>(k))) particles.inverse_mass[i] = 1.0 / body.mass;
        set_inertia(particles, i, body.inertia);
    });
}

}  // namespace talus
