#include "talus/step/relaxed_lift.hpp"

#include <algorithm>

#include "talus/core/parallel.hpp"

namespace talus {

namespace {

// How far the fastest wall would carry a point that it touched.
double carried(const std::vector<PlacedWall>& walls, const Vec3& point) {
    double furthest = 0.0;
    for (const PlacedWall& wall : walls) {
        if (!wall.moving) continue;
        const Vec3 before = wall.before.to_world(wall.after.to_local(point));
        furthest = std::max(furthest, (point - before).norm());
    }
    return furthest;
}

}  // namespace

void relaxed_lifts(const System& system, const LawTable& law, const std::vector<PlacedWall>& walls,
                   const std::vector<Vec3>& velocity, const std::vector<Vec3>& spin, double time_step,
                   std::vector<double>& lift) {
    lift.clear();
    if (system.law.kind != FrictionLaw::coulomb_relaxed || !law.any_friction()) return;
    const double friction = law.largest_friction();
    const Particles& particles = system.particles;
    lift.resize(velocity.size());
    parallel_for(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        const double slip = velocity[i].norm() + particles.radius[i] * spin[i].norm();
        lift[i] = friction * (time_step * slip + carried(walls, particles.position[i]));
    });
}

}  // namespace talus
