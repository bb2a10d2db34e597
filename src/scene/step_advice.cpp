#include <algorithm>
#include <cmath>

#include "talus/scene/describe_scene.hpp"

namespace talus {

namespace {

// A schedule has no derivative in closed form that is bounded on an interval for every kind: differences over
// this many parts of the run find its rate well enough for advice.
constexpr int samples = 2000;

double largest_rate(const Schedule& schedule, double end) {
    if (schedule.is_constant()) return 0.0;
    const double h = end / samples;
    double rate = 0.0;
    for (int k = 0; k < samples; ++k)
        rate = std::max(rate, std::abs(schedule.at((k + 1) * h) - schedule.at(k * h)) / h);
    return rate;
}

double gravity_of(const Scene& scene) {
    Vec3 largest;
    for (std::size_t k = 0; k < 3; ++k) {
        largest[static_cast<Index>(k)] = std::max(std::abs(scene.gravity[k].minimum(0.0, scene.end)),
                                                  std::abs(scene.gravity[k].maximum(0.0, scene.end)));
    }
    return largest.norm();
}

/// Longest way along gravity's largest component between particles and bounded walls [m].
double fall_height(const Scene& scene, const System& system) {
    Index down = 0;
    for (Index k = 1; k < 3; ++k) {
        const auto size = [&](Index axis) {
            return std::abs(scene.gravity[static_cast<std::size_t>(axis)].at(0.0));
        };
        if (size(k) > size(down)) down = k;
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto cover = [&](double from, double to) {
        if (!std::isfinite(from) || !std::isfinite(to)) return;
        low = std::min(low, from);
        high = std::max(high, to);
    };
    for (Index i = 0; i < system.particles.size(); ++i) {
        const double x = system.particles.position[static_cast<std::size_t>(i)][down];
        cover(x, x);
    }
    for (const Wall& wall : system.walls) {
        const Box box = wall.shape->bounds();
        cover(box.low[down], box.high[down]);
    }
    for (const Inlet& inlet : scene.inlets)
        cover(inlet.region.bounds().low[down], inlet.region.bounds().high[down]);
    return high > low ? high - low : 0.0;
}

double wall_speed(const Wall& wall, double end) {
    double speed = largest_rate(wall.motion.displacement, end);
    const double turning = largest_rate(wall.motion.angle, end);
    const Box box = wall.shape->bounds();
    if (turning > 0.0 && box.low.allFinite() && box.high.allFinite()) {
        const Vec3 arm =
            (box.low - wall.motion.centre).cwiseAbs().cwiseMax((box.high - wall.motion.centre).cwiseAbs());
        speed += turning * (arm - arm.cwiseProduct(wall.motion.axis.cwiseAbs2())).norm();
    }
    return speed;
}

}  // namespace

double StepAdvice::expected_speed() const {
    return std::max(fall_speed, particle_speed) + radius_rate;
}

StepAdvice advise_step(const Scene& scene, const System& system) {
    StepAdvice advice;
    advice.fall_speed = std::sqrt(2.0 * gravity_of(scene) * fall_height(scene, system));
    const Particles& particles = system.particles;
    advice.smallest_radius = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < particles.id.size(); ++i) {
        advice.particle_speed = std::max(advice.particle_speed, particles.velocity[i].norm());
        advice.smallest_radius = std::min(advice.smallest_radius, particles.radius[i]);
        const Schedule& scale = system.groups[static_cast<std::size_t>(particles.group[i])].radius_scale;
        if (!scale.is_constant())
            advice.radius_rate = std::max(advice.radius_rate, particles.reference_radius[i]);
    }
    // So far the largest radius that changes; times the fastest scale it is a bound of its rate.
    double scale_rate = 0.0;
    for (const Group& group : system.groups) {
        scale_rate = std::max(scale_rate, largest_rate(group.radius_scale, scene.end));
    }
    advice.radius_rate *= scale_rate;
    for (const Inlet& inlet : scene.inlets) {
        advice.particle_speed = std::max(advice.particle_speed, inlet.velocity.norm());
        advice.smallest_radius = std::min(advice.smallest_radius, inlet.radius.smallest());
    }
    for (const Wall& wall : system.walls)
        advice.wall_speed = std::max(advice.wall_speed, wall_speed(wall, scene.end));
    if (!std::isfinite(advice.smallest_radius)) advice.smallest_radius = 0.0;
    if (advice.smallest_radius > 0.0) {
        const double radii_per_speed = scene.step.time_step / advice.smallest_radius;
        advice.radii_per_step = advice.expected_speed() * radii_per_speed;
        advice.wall_radii_per_step = advice.wall_speed * radii_per_speed;
    }
    return advice;
}

double estimated_memory(double particles, int dimension) {
    // Bytes, rounded up: arrays of the state and of the step's workspace; a candidate pair; a contact with
    // its row, its place in the solver's layout and its copy for the warm start. Packings have about 6
    // contacts a particle in 3-D and 4 in 2-D (isostatic), half of it counted at each end, and twice as many
    // candidates.
    constexpr double per_particle = 700.0, per_candidate = 8.0, per_contact = 500.0;
    const double contacts = dimension == 2 ? 2.0 : 3.0;
    const double candidates = 2.0 * contacts;
    return particles * (per_particle + candidates * per_candidate + contacts * per_contact);
}

}  // namespace talus
