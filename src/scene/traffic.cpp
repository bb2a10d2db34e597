#include "talus/scene/traffic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/bodies/memory_order.hpp"

namespace talus {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool inside(const Box& box, const Vec3& x) {
    return (x.array() >= box.low.array()).all() && (x.array() <= box.high.array()).all();
}

void include(Box& box, const Vec3& low, const Vec3& high) {
    for (int axis = 0; axis < 3; ++axis) {
        if (std::isfinite(low[axis])) box.low[axis] = std::min(box.low[axis], low[axis]);
        if (std::isfinite(high[axis])) box.high[axis] = std::max(box.high[axis], high[axis]);
    }
}

/// Everything in the scene with a place, enlarged `factor` times its diagonal on every side.
Box surroundings(const Scene& scene, const System& system, double factor) {
    Box box{Vec3::Constant(kInfinity), Vec3::Constant(-kInfinity)};
    for (std::size_t i = 0; i < system.particles.id.size(); ++i) {
        const Vec3 radius = Vec3::Constant(system.particles.radius[i]);
        include(box, system.particles.position[i] - radius, system.particles.position[i] + radius);
    }
    for (const Wall& wall : system.walls) {
        const Box bounds = wall.shape->bounds();
        include(box, bounds.low, bounds.high);
    }
    for (const Inlet& inlet : scene.inlets) {
        const Box bounds = inlet.region.bounds();
        include(box, bounds.low, bounds.high);
    }
    for (const Outlet& outlet : scene.outlets) include(box, outlet.low, outlet.high);
    if (!(box.low.array() <= box.high.array()).all()) return {-box.low, -box.high};  // nothing has a place
    const Vec3 margin = Vec3::Constant(factor * (box.high - box.low).norm());
    return {box.low - margin, box.high + margin};
}

template <class T>
void drop_flagged(const std::vector<std::uint8_t>& flags, std::vector<T>& values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!flags[i]) values[kept++] = values[i];
    }
    values.resize(kept);
}

}  // namespace

Traffic::Traffic(const Scene& scene, const System& system)
    : counters_(scene.counters),
      outlets_(scene.outlets),
      domain_(scene.domain),
      far_(surroundings(scene, system, kFar)),
      policy_(scene.escape_policy),
      side_(scene.counters.size()),
      counted_(scene.counters.size(), 0),
      removed_by_outlet_(scene.outlets.size(), 0),
      mass_counted_(scene.counters.size(), 0.0),
      mass_removed_(scene.outlets.size(), 0.0) {
    particles_added(system);
}

void Traffic::particles_added(const System& system) {
    const std::size_t known = has_escaped_.size();
    const std::size_t count = system.particles.id.size();
    has_escaped_.resize(count, 0);
    for (std::size_t c = 0; c < counters_.size(); ++c) {
        side_[c].resize(count, Side::behind);
        for (std::size_t i = known; i < count; ++i) {
            const double ahead = (system.particles.position[i] - counters_[c].point).dot(counters_[c].normal);
            if (ahead >= 0.0) side_[c][i] = Side::ahead;
        }
    }
}

void Traffic::count_crossings(const System& system) {
    for (std::size_t c = 0; c < counters_.size(); ++c) {
        for (std::size_t i = 0; i < side_[c].size(); ++i) {
            Side& side = side_[c][i];
            const double ahead = (system.particles.position[i] - counters_[c].point).dot(counters_[c].normal);
            const bool crosses = side == Side::behind && !(ahead < 0.0);
            if (side == Side::ahead && ahead < 0.0) side = Side::behind;
            if (!crosses) continue;
            side = Side::counted;
            ++counted_[c];
            mass_counted_[c] += system.particles.mass[i];
        }
    }
}

bool Traffic::drain(const System& system, std::size_t i) {
    for (std::size_t o = 0; o < outlets_.size(); ++o) {
        if (!inside({outlets_[o].low, outlets_[o].high}, system.particles.position[i])) continue;
        ++removed_by_outlet_[o];
        mass_removed_[o] += system.particles.mass[i];
        return true;
    }
    return false;
}

bool Traffic::escape(const System& system, std::size_t i) {
    const Vec3& x = system.particles.position[i];
    const bool left_domain = !inside(domain_, x);
    if (!left_domain && inside(far_, x)) return false;
    const bool removed = left_domain && policy_ == EscapePolicy::remove;
    if (!has_escaped_[i]) {
        has_escaped_[i] = 1;
        ++escaped_;
        newly_escaped_.push_back(i);
    }
    if (removed) ++removed_as_escaped_;
    return removed;
}

std::string Traffic::escape_text(const System& system, std::size_t i) const {
    const Vec3& x = system.particles.position[i];
    const bool left_domain = !inside(domain_, x);
    return fmt::format("t = {:.6g} s: particle {} has left {}, at ({:.6g}, {:.6g}, {:.6g}) m{}", system.time,
                       system.particles.id[i], left_domain ? "the domain" : "the surroundings of the scene",
                       x.x(), x.y(), x.z(),
                       left_domain && policy_ == EscapePolicy::remove ? ", and is removed" : "");
}

const std::vector<std::uint8_t>& Traffic::book(const System& system, Notices& notices) {
    count_crossings(system);
    remove_.assign(system.particles.id.size(), 0);
    newly_escaped_.clear();
    for (std::size_t i = 0; i < remove_.size(); ++i) remove_[i] = drain(system, i) || escape(system, i);
    // Of several in one step the notices name the first by id, wherever they lie in memory.
    std::sort(newly_escaped_.begin(), newly_escaped_.end(),
              [&](std::size_t a, std::size_t b) { return system.particles.id[a] < system.particles.id[b]; });
    for (const std::size_t i : newly_escaped_) notices.add("escape", escape_text(system, i));
    return remove_;
}

bool Traffic::any_behind(std::size_t counter, const System& system) const {
    const std::vector<Side>& side = side_[counter];
    for (std::size_t i = 0; i < side.size(); ++i) {
        if (side[i] == Side::behind && !system.particles.frozen(static_cast<Index>(i))) return true;
    }
    return false;
}

void Traffic::forget_removed() {
    drop_flagged(remove_, has_escaped_);
    for (std::vector<Side>& side : side_) drop_flagged(remove_, side);
}

void Traffic::arrange(const std::vector<Index>& order) {
    talus::arrange(order, has_escaped_);
    for (std::vector<Side>& side : side_) talus::arrange(order, side);
}

}  // namespace talus
