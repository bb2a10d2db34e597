#include "packing_relaxation.hpp"

#include <algorithm>
#include <cmath>

#include "talus/core/random.hpp"

namespace talus {

namespace {

// Pairs and walls are listed when closer than this share of the radii [-]; the list holds while no ball has
// moved further than that.
constexpr double kSkin = 0.25;

}  // namespace

PackingRelaxation::PackingRelaxation(System& system)
    : system_(system), broad_phase_(make_broad_phase(BroadPhaseKind::cell_grid)) {
    for (const Wall& wall : system.walls) pose_.push_back(wall.motion.pose(system.time));
}

void PackingRelaxation::find_neighbours() {
    const Particles& particles = system_.particles;
    const std::size_t n = particles.position.size();
    size_.resize(n);
    for (std::size_t i = 0; i < n; ++i) size_[i] = (1.0 + kSkin) * particles.radius[i];
    broad_phase_->find(particles.position, size_, pairs_);
    std::erase_if(pairs_,
                  [&](const Pair& pair) { return particles.frozen(pair.i) && particles.frozen(pair.j); });
    near_walls_.clear();
    for (std::size_t w = 0; w < system_.walls.size(); ++w) {
        const Wall& wall = system_.walls[w];
        if (!wall.present(system_.time)) continue;
        for (Index i = 0; i < particles.size(); ++i) {
            if (particles.frozen(i)) continue;
            const double distance = wall.shape->distance(pose_[w].to_local(particles.position[i]));
            if (distance < size_[i]) near_walls_.push_back({i, static_cast<Index>(w)});
        }
    }
    listed_at_ = particles.position;
    listed_ = true;
}

bool PackingRelaxation::list_is_valid() const {
    if (!listed_) return false;
    const Particles& particles = system_.particles;
    for (std::size_t i = 0; i < listed_at_.size(); ++i) {
        const double room = kSkin * particles.radius[i];
        if ((particles.position[i] - listed_at_[i]).squaredNorm() > room * room) return false;
    }
    return true;
}

bool PackingRelaxation::relax(double overlap, int sweeps) {
    for (int k = 0; k < sweeps; ++k) {
        if (!list_is_valid()) find_neighbours();
        if (sweep() <= overlap) return true;
    }
    return false;
}

double PackingRelaxation::sweep() {
    double worst = 0.0;
    for (const Pair& pair : pairs_) worst = std::max(worst, separate(pair));
    for (const NearWall& near : near_walls_) worst = std::max(worst, push_off(near));
    return worst;
}

double PackingRelaxation::separate(const Pair& pair) {
    Particles& p = system_.particles;
    const Vec3 between = p.position[pair.j] - p.position[pair.i];
    const double reach = p.radius[pair.i] + p.radius[pair.j];
    const double distance2 = between.squaredNorm();
    // Centres in the same place have no direction to part in; shaking gives them one.
    if (distance2 >= reach * reach || distance2 == 0.0) return distance2 == 0.0 ? 1.0 : 0.0;
    const double distance = std::sqrt(distance2);
    const double wi = p.inverse_mass[pair.i];
    const double wj = p.inverse_mass[pair.j];
    const Vec3 move = (reach - distance) / (distance * (wi + wj)) * between;
    p.position[pair.i] -= wi * move;
    p.position[pair.j] += wj * move;
    return (reach - distance) / std::min(p.radius[pair.i], p.radius[pair.j]);
}

double PackingRelaxation::push_off(const NearWall& near) {
    const Pose& pose = pose_[near.wall];
    Vec3& x = system_.particles.position[near.ball];
    const double radius = system_.particles.radius[near.ball];
    tangents_.clear();
    const Vec3 local = pose.to_local(x);
    system_.walls[near.wall].shape->tangents(local, local, radius, tangents_);
    double worst = 0.0;
    for (const Tangent& tangent : tangents_) {
        const Vec3 normal = pose.direction_to_world(tangent.normal);
        const double overlap = radius - normal.dot(x - pose.to_world(tangent.foot));
        if (overlap <= 0.0) continue;
        x += overlap * normal;
        worst = std::max(worst, overlap / radius);
    }
    return worst;
}

void PackingRelaxation::shake(double length, std::uint64_t seed) {
    Particles& p = system_.particles;
    for (std::size_t i = 0; i < p.position.size(); ++i) {
        if (p.inverse_mass[i] == 0.0) continue;
        Random random(seed, i);
        Vec3 move(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
        if (system_.dimension == 2) move[2] = 0.0;
        p.position[i] += length * p.radius[i] / std::max(1.0, move.norm()) * move;
    }
}

}  // namespace talus
