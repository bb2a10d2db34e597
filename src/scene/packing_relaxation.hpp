#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "talus/broadphase/broad_phase.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// Takes overlaps out of a system by cyclic projections: pair after pair and wall after wall is moved apart,
/// by the smallest mass-weighted displacement, until it just touches (Bregman 1965; as nonlinear
/// Gauss-Seidel: Mueller et al. 2007, "Position based dynamics"). Unlike one projection onto all linearised
/// constraints it does not lose the room that a constraint's curvature leaves, so it gets through dense
/// packings; it comes close to zero overlap, never to it. Serial: the result depends on the state alone.
class PackingRelaxation {
public:
    /// @param system moved in place; must outlive this object, with the same particles and walls.
    explicit PackingRelaxation(System& system);

    /// Sweeps until no overlap is more than `overlap` of the smaller radius. @return false after so many
    /// sweeps.
    bool relax(double overlap, int sweeps);
    /// Random inelastic motion: each free ball moves by up to `length` radii; the overlaps are for relax.
    void shake(double length, std::uint64_t seed);
    void radii_changed() { listed_ = false; }

private:
    struct NearWall {
        Index ball, wall;
    };

    void find_neighbours();
    bool list_is_valid() const;
    /// One projection of every pair and wall. @return worst overlap met, over the smaller radius.
    double sweep();
    double separate(const Pair& pair);
    double push_off(const NearWall& near);

    System& system_;
    std::unique_ptr<BroadPhase> broad_phase_;
    std::vector<Pose> pose_;
    std::vector<Pair> pairs_;
    std::vector<NearWall> near_walls_;
    std::vector<Vec3> listed_at_;
    std::vector<double> size_;
    std::vector<Tangent> tangents_;
    bool listed_ = false;
};

}  // namespace talus
