#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "talus/broadphase/broad_phase.hpp"
#include "talus/geometry/wall.hpp"

namespace talus::test {

/// Worst overlap of spheres with each other and with the walls that are there, over the smaller radius; < 0
/// when there is none. From centres and radii alone.
inline double worst_overlap(std::span<const Vec3> centre, std::span<const double> radius,
                            const std::vector<Wall>& walls, double time) {
    double worst = -1.0;
    std::vector<Pair> pairs;
    make_broad_phase(BroadPhaseKind::kd_tree)->find(centre, radius, pairs);
    for (const auto& [i, j] : pairs) {
        const double gap = (centre[i] - centre[j]).norm() - radius[i] - radius[j];
        worst = std::max(worst, -gap / std::min(radius[i], radius[j]));
    }
    for (const Wall& wall : walls) {
        if (!wall.present(time)) continue;
        const auto pose = wall.motion.pose(time);
        for (std::size_t i = 0; i < radius.size(); ++i) {
            worst = std::max(worst, 1.0 - wall.shape->distance(pose.to_local(centre[i])) / radius[i]);
        }
    }
    return worst;
}

}  // namespace talus::test
