#include "talus/scene/feed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/core/random.hpp"
#include "talus/scene/free_places.hpp"

namespace talus {

namespace {

// Places and radii are drawn under different seeds, or the radius of particle k and the place of try k would
// be the same random number.
constexpr std::uint64_t kPlaceSeed = 0x666565642d706c61ULL;

// Rounding of rate * (t - from) that must not delay a particle by a step [-].
constexpr double kRounding = 1e-9;

// More than any run asks for, and a whole number in both types.
constexpr double kMost = 0x1p53;

/// The walls, and the particles that a ball of radius `radius` in `region` could touch: asking about a small
/// inlet must not cost a copy of the whole bed.
FreePlaces places_near(const Region& region, double radius, const System& system) {
    System walls_only;
    walls_only.dimension = system.dimension;
    walls_only.walls = system.walls;
    FreePlaces places(walls_only, system.time);
    const Box box = region.bounds();
    const int axes = system.dimension;
    for (std::size_t i = 0; i < system.particles.id.size(); ++i) {
        const Vec3& x = system.particles.position[i];
        const double reach = system.particles.radius[i] + radius;
        const bool near = (x.head(axes).array() >= box.low.head(axes).array() - reach).all() &&
                          (x.head(axes).array() <= box.high.head(axes).array() + reach).all();
        if (near) places.add(x, system.particles.radius[i]);
    }
    return places;
}

}  // namespace

std::int64_t Feed::due(double time) const {
    if (time < inlet_.from || time >= inlet_.until) return 0;
    const std::int64_t room =
        inlet_.count < 0 ? std::numeric_limits<std::int64_t>::max() : inlet_.count - created_;
    if (inlet_.rate == 0.0) return room;
    const double so_far = std::floor(inlet_.rate * (time - inlet_.from) + kRounding) + 1.0;
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(so_far, kMost)) - asked_, 0, room);
}

bool Feed::will_add(double time) const {
    if (time >= inlet_.until || (inlet_.count >= 0 && created_ >= inlet_.count)) return false;
    if (inlet_.rate == 0.0) return true;
    const double next = inlet_.from + (static_cast<double>(asked_) - kRounding) / inlet_.rate;
    return next < inlet_.until;
}

bool Feed::find_place(const FreePlaces& places, double radius, int dimension, Vec3& place) {
    const Box box = inlet_.region.bounds();
    for (int attempt = 0; attempt < kTries; ++attempt) {
        Random random(inlet_.seed ^ kPlaceSeed, tries_++);
        place.setZero();
        for (int axis = 0; axis < dimension; ++axis) {
            place[axis] = random.uniform(box.low[axis] + radius, box.high[axis] - radius);
        }
        if (inlet_.region.contains(place, radius, dimension) && places.is_free(place, radius)) return true;
    }
    return false;
}

std::int64_t Feed::insert(System& system, ParticleId& next_id) {
    const std::int64_t wanted = due(system.time);
    if (wanted == 0) return 0;
    if (inlet_.rate > 0.0) asked_ += wanted;

    const Group& group = system.groups[static_cast<std::size_t>(inlet_.group)];
    const double scale = group.radius_scale.at(system.time);
    FreePlaces places = places_near(inlet_.region, inlet_.radius.largest() * scale, system);
    std::int64_t added = 0;
    Vec3 place;
    for (; added < wanted; ++added) {
        const double radius = inlet_.radius.draw(inlet_.seed, static_cast<std::uint64_t>(created_));
        if (!find_place(places, radius * scale, system.dimension, place)) break;
        places.add(place, radius * scale);
        system.particles.add({next_id++, place, inlet_.velocity, radius,
                              particle_mass(inlet_.density, radius, system.dimension), inlet_.group,
                              group.frozen});
        ++created_;
    }
    if (added > 0) set_radii(system.particles, system.groups, system.dimension, system.time);
    return added;
}

}  // namespace talus
