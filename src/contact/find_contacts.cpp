#include "talus/contact/find_contacts.hpp"

#include <algorithm>
#include <tuple>

namespace talus {

namespace {

// Centres in the same place have no direction: any will do that does not depend on rounding and lies in
// the plane of a plane scene.
Vec3 direction(const Vec3& from_i_to_j, double distance) {
    return distance > 0.0 ? Vec3(from_i_to_j / distance) : Vec3(Vec3::UnitX());
}

void append_pair(const ContactInput& in, const Pair& pair, std::vector<Contact>& out) {
    const Particles& p = in.particles;
    const std::size_t i = pair.i, j = pair.j;
    const Vec3 line = p.position[j] - p.position[i];
    const double distance = line.norm();
    const double gap = distance - (p.radius[i] + p.radius[j]);
    if (gap > in.reach[i] + in.reach[j]) return;
    const double gap_before = distance - (in.radius_before[i] + in.radius_before[j]);
    out.push_back({.i = pair.i,
                   .j = pair.j,
                   .wall = -1,
                   .feature = 0,
                   .law = in.law.number_of_groups(p.group[i], p.group[j]),
                   .normal = direction(line, distance),
                   .gap = gap,
                   .gap_before = gap_before});
}

// One particle and one wall, in the wall's frame.
struct LocalPath {
    Vec3 before;  // centre at t^n, wall at t^n
    Vec3 after;   // centre at t^n, wall at t^{n+1}
};

LocalPath local_path(const PlacedWall& placed, const Vec3& centre) {
    const Vec3 after = placed.after.to_local(centre);
    return {placed.moving ? placed.before.to_local(centre) : after, after};
}

// How far the wall's own motion in the step brings its plane towards a resting particle. Under translation
// the plane's own shift; a turning wall is asked for its distance, because a plane carried round with a drum
// moves although the drum's surface does not.
double approach_of_wall(const PlacedWall& placed, const LocalPath& path, const Tangent& plane) {
    if (!placed.moving) return 0.0;
    if (placed.wall->motion.angle.is_constant()) return plane.normal.dot(path.before - path.after);
    return placed.wall->shape->distance(path.before) - placed.wall->shape->distance(path.after);
}

Contact wall_contact(const ContactInput& in, const PlacedWall& placed, Index i, const LocalPath& path,
                     const Tangent& plane) {
    const double radius = in.particles.radius[i];
    const double gap = plane.normal.dot(path.after - plane.foot) - radius;
    const double gap_before = gap + (radius - in.radius_before[i]) + approach_of_wall(placed, path, plane);
    return {.i = i,
            .j = -1,
            .wall = placed.index,
            .feature = plane.feature,
            .law = in.law.number_of_group_wall(in.particles.group[i], placed.index),
            .normal = -placed.after.direction_to_world(plane.normal),
            .gap = gap,
            .gap_before = gap_before};
}

void tangents_of(const ContactInput& in, const PlacedWall& placed, Index i, const LocalPath& path,
                 const Vec3& displacement, std::vector<Tangent>& planes) {
    const WallShape& shape = *placed.wall->shape;
    const double reach = in.particles.radius[i] + in.reach[i];
    planes.clear();
    if (placed.moving && shape.crosses(path.before, path.after)) {
        shape.tangents(path.before, path.before, reach + (path.after - path.before).norm(), planes);
        return;
    }
    const Vec3 expected = path.after + placed.after.rotation.transpose() * displacement;
    shape.tangents(path.after, expected, reach, planes);
}

bool before_in_order(const Contact& a, const Contact& b) {
    return std::tie(a.i, a.wall, a.feature) < std::tie(b.i, b.wall, b.feature);
}

}  // namespace

std::vector<PlacedWall> place_walls(const std::vector<Wall>& walls, double t0, double t1) {
    std::vector<PlacedWall> placed;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (!walls[w].present(t1)) continue;
        const bool moving = walls[w].motion.moves() && walls[w].present(t0);
        const Pose after = walls[w].motion.pose(t1);
        placed.push_back(
            {&walls[w], static_cast<Index>(w), moving ? walls[w].motion.pose(t0) : after, after, moving});
    }
    return placed;
}

void ContactFinder::pairs(const ContactInput& input, const std::vector<Pair>& candidates,
                          ContactList& contacts) {
    append_.run(
        static_cast<std::ptrdiff_t>(candidates.size()),
        [&](std::ptrdiff_t k, std::vector<Contact>& out) {
            append_pair(input, candidates[static_cast<std::size_t>(k)], out);
        },
        contacts, 0);
}

void ContactFinder::walls(const ContactInput& input, const std::vector<PlacedWall>& placed,
                          const std::vector<Vec3>& displacement, ContactList& contacts) {
    const Particles& particles = input.particles;
    const auto body = [&](std::ptrdiff_t k, std::vector<Contact>& out) {
        thread_local std::vector<Tangent> planes;
        const auto i = static_cast<Index>(k);
        if (particles.frozen(i)) return;
        const std::size_t first = out.size();
        for (const PlacedWall& wall : placed) {
            const LocalPath path = local_path(wall, particles.position[i]);
            tangents_of(input, wall, i, path, displacement[i], planes);
            for (const Tangent& plane : planes) out.push_back(wall_contact(input, wall, i, path, plane));
        }
        std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), before_in_order);
    };
    const std::size_t first = contacts.size();
    append_.run(particles.size(), body, contacts, first);

    near_.clear();
    std::vector<Index> slot(placed.empty() ? 0 : placed.back().index + 1);
    for (std::size_t w = 0; w < placed.size(); ++w) slot[placed[w].index] = static_cast<Index>(w);
    for (std::size_t c = first; c < contacts.size(); ++c) {
        const NearWall near{contacts[c].i, slot[contacts[c].wall]};
        const bool known =
            !near_.empty() && near_.back().particle == near.particle && near_.back().wall == near.wall;
        if (!known) near_.push_back(near);
    }
}

Index ContactFinder::cuts(const ContactInput& input, const std::vector<PlacedWall>& placed,
                          const std::vector<Vec3>& displacement, double tolerance, ContactList& contacts) {
    const std::size_t before = contacts.size();
    const auto body = [&](std::ptrdiff_t k, std::vector<Contact>& out) {
        const NearWall& near = near_[static_cast<std::size_t>(k)];
        const PlacedWall& wall = placed[near.wall];
        const std::size_t i = near.particle;
        const LocalPath path = local_path(wall, input.particles.position[i]);
        const Vec3 end = wall.after.to_local(input.particles.position[i] + displacement[i]);
        const double radius = input.particles.radius[i];
        const auto plane = wall.wall->shape->violated(path.before, end, radius, tolerance * radius);
        if (plane) out.push_back(wall_contact(input, wall, near.particle, path, *plane));
    };
    append_.run(static_cast<std::ptrdiff_t>(near_.size()), body, contacts, before);
    return static_cast<Index>(contacts.size() - before);
}

}  // namespace talus
