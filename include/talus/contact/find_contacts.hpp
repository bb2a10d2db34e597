#pragma once

#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/broadphase/broad_phase.hpp"
#include "talus/contact/contact.hpp"
#include "talus/contact/law_table.hpp"
#include "talus/core/chunked_append.hpp"
#include "talus/geometry/wall.hpp"

namespace talus {

/// What contacts are made from: centres at the start of the step, radii at its end.
struct ContactInput {
    const Particles& particles;
    const std::vector<double>& radius_before;  ///< (n) radii at the start of the step [m]
    const std::vector<double>& reach;          ///< (n) how far each particle may move in the step [m]
    const LawTable& law;
};

/// A wall that is present, at both ends of the step.
struct PlacedWall {
    const Wall* wall;
    Index index;  ///< in the system's walls
    Pose before;  ///< at the start of the step (equal to `after` when it does not move or has just appeared)
    Pose after;   ///< at the end
    bool moving;
};

/// A particle within reach of a wall.
struct NearWall {
    Index particle;
    Index wall;  ///< index into the placed walls
};

/// Walls present at t1, with their poses at t0 and t1.
std::vector<PlacedWall> place_walls(const std::vector<Wall>& walls, double t0, double t1);

/// Turns candidates into contacts. Keeps its buffers: nothing is allocated once warm.
class ContactFinder {
public:
    /// Replaces the contacts by one for each candidate pair with gap <= reach_i + reach_j, in the order of
    /// the candidates.
    void pairs(const ContactInput& input, const std::vector<Pair>& candidates, ContactList& contacts);

    /// Appends a contact for every feature of every wall within reach of a particle, ordered by particle,
    /// wall, feature, and lists who is near what.
    ///
    /// In the wall's own frame the wall rests and the centre goes from x0 (t^n, wall at t^n) to x1 (t^n, wall
    /// at t^{n+1}) to the end of the step. Planes are taken at x1, as the scheme says, unless the wall itself
    /// has swept over the centre: then at x0, so that a thin moving wall keeps a sphere on the side it had.
    /// @param displacement (n) likely motion in the step [m], where curved walls are linearised.
    void walls(const ContactInput& input, const std::vector<PlacedWall>& placed,
               const std::vector<Vec3>& displacement, ContactList& contacts);

    /// After a solve: appends a contact (a cut) for every path that leaves the admissible side of a wall by
    /// more than tolerance * radius. A wall that curves around the particle is not convex seen from it, so
    /// its linearisation leaves an overlap of second order; each cut is a further tangent plane (Kelley
    /// 1960), until none is violated.
    /// @param displacement (n) h u [m]. @return number of cuts.
    Index cuts(const ContactInput& input, const std::vector<PlacedWall>& placed,
               const std::vector<Vec3>& displacement, double tolerance, ContactList& contacts);

    const std::vector<NearWall>& near_walls() const { return near_; }

private:
    ChunkedAppend<Contact> append_;
    std::vector<NearWall> near_;
};

}  // namespace talus
