#pragma once

#include <cstdint>
#include <string>

#include "talus/scene/scene.hpp"

namespace talus {

/// An inlet at work. Particle k of the inlet always has the k-th radius of its distribution: one that finds
/// no place stays the next, so that small particles are not favoured. What is due and finds no place lapses;
/// it is not caught up in a burst when there is room again.
class Feed {
public:
    /// Random places tried for one particle before the region counts as full.
    static constexpr int kTries = 200;

    explicit Feed(const Inlet& inlet) : inlet_(inlet) {}

    /// Adds what is due at system.time, with radii of that time, in places that touch neither wall nor
    /// particle; the first particle of a rate is due at inlet.from.
    /// @param next_id id of the next particle; counted up. @return number of particles added.
    std::int64_t insert(System& system, ParticleId& next_id);

    /// False when nothing will ever be due at `time` or later.
    bool will_add(double time) const;

    const std::string& name() const { return inlet_.name; }
    std::int64_t created() const { return created_; }
    /// Particles that were due so far; with rate 0 ("until full") those created.
    std::int64_t asked() const { return inlet_.rate > 0.0 ? asked_ : created_; }

private:
    std::int64_t due(double time) const;
    bool find_place(const class FreePlaces& places, double radius, int dimension, Vec3& place);

    Inlet inlet_;
    std::int64_t created_ = 0;
    std::int64_t asked_ = 0;
    std::uint64_t tries_ = 0;
};

}  // namespace talus
