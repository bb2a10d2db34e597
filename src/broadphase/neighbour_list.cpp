#include "talus/broadphase/neighbour_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "some_pairs.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

NeighbourList::NeighbourList(BroadPhaseKind kind, double skin)
    : broad_phase_(make_broad_phase(kind)), some_pairs_(std::make_unique<SomePairs>()), skin_(skin) {
    if (!(skin >= 0.0) || !std::isfinite(skin))
        throw std::invalid_argument(
            fmt::format("the skin of a neighbour list is {} radii; expected 0 or more", skin));
}

NeighbourList::~NeighbourList() = default;

bool NeighbourList::update(const Particles& particles, const std::vector<double>& reach) {
    if (reach.size() != particles.position.size())
        throw std::invalid_argument(
            fmt::format("{} reaches for {} particles", reach.size(), particles.position.size()));
    // Parts of the particles. With more than an eighth at a time, building costs no more. After a half in
    // all, a build makes sizes of what once was fast small again, and asks whether memory is still in order.
    constexpr std::size_t kAtOnce = 8, kInAll = 2;
    if (size_.size() > particles.position.size()) built_ = false;
    if (built_) find_outgrown(particles, reach);
    if (built_ && !oversized(particles, reach)) {
        if (outgrown_.empty()) return false;
        mended_ += outgrown_.size();
        if (outgrown_.size() <= size_.size() / kAtOnce && mended_ <= size_.size() / kInAll) {
            refresh(particles, reach);
            return false;
        }
    }
    build(particles, reach);
    return true;
}

void NeighbourList::invalidate() {
    built_ = false;
}

void NeighbourList::remove(const std::vector<std::uint8_t>& flags) {
    if (!built_ || flags.size() != size_.size()) return invalidate();
    number_.resize(flags.size());
    Index kept = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        number_[i] = flags[i] != 0 ? -1 : kept;
        if (flags[i] != 0) continue;
        built_position_[kept] = built_position_[i];
        size_[kept] = size_[i];
        ++kept;
    }
    mended_ += flags.size() - static_cast<std::size_t>(kept);
    built_position_.resize(kept);
    size_.resize(kept);
    std::erase_if(pairs_, [&](const Pair& p) { return number_[p.i] < 0 || number_[p.j] < 0; });
    parallel_for(std::ssize(pairs_), [&](std::ptrdiff_t k) {
        pairs_[k] = {number_[pairs_[k].i], number_[pairs_[k].j]};
    });
}

// New ones count as outgrown. So does what is not finite: the search then says so.
void NeighbourList::find_outgrown(const Particles& particles, const std::vector<double>& reach) {
    built_position_.resize(particles.position.size(), Vec3::Zero());
    size_.resize(particles.position.size(), 0.0);
    append_.run(
        particles.size(),
        [&](std::ptrdiff_t i, std::vector<Index>& out) {
            const double displacement = (particles.position[i] - built_position_[i]).norm();
            if (!(displacement + (particles.radius[i] + reach[i]) <= size_[i]))
                out.push_back(static_cast<Index>(i));
        },
        outgrown_, 0);
}

// One fast step makes a list with large reaches; once all is slow again, its many candidates are not worth
// keeping.
bool NeighbourList::oversized(const Particles& particles, const std::vector<double>& reach) const {
    constexpr double kWorthRebuilding =
        1.5;  // built size over the size of a new list, summed over the particles
    const double surplus = parallel_sum(particles.size(), [&](std::ptrdiff_t k) {
        return size_[k] - kWorthRebuilding * size_of(particles, reach, k);
    });
    return surplus > 0.0;
}

void NeighbourList::build(const Particles& particles, const std::vector<double>& reach) {
    built_ = false;  // in case the search throws
    built_position_ = particles.position;
    size_.resize(reach.size());
    parallel_for(particles.size(), [&](std::ptrdiff_t i) { size_[i] = size_of(particles, reach, i); });
    broad_phase_->find(built_position_, size_, pairs_);
    drop_frozen(particles, pairs_);
    mended_ = 0;
    built_ = true;
}

// The pairs that a build would find, of the particles that outgrew theirs: those of the others hold.
void NeighbourList::refresh(const Particles& particles, const std::vector<double>& reach) {
    built_ = false;  // in case the search throws
    is_outgrown_.assign(size_.size(), 0);
    for (const Index i : outgrown_) {
        built_position_[i] = particles.position[i];
        size_[i] = size_of(particles, reach, i);
        is_outgrown_[i] = 1;
    }
    some_pairs_->find(outgrown_, built_position_, size_, fresh_);
    drop_frozen(particles, fresh_);
    std::erase_if(pairs_, [&](const Pair& p) { return is_outgrown_[p.i] != 0 || is_outgrown_[p.j] != 0; });
    merged_.resize(pairs_.size() + fresh_.size());
    std::merge(pairs_.begin(), pairs_.end(), fresh_.begin(), fresh_.end(), merged_.begin());
    pairs_.swap(merged_);
    built_ = true;
}

void NeighbourList::drop_frozen(const Particles& particles, std::vector<Pair>& pairs) const {
    const std::vector<double>& inverse = particles.inverse_mass;
    if (std::find(inverse.begin(), inverse.end(), 0.0) == inverse.end()) return;
    std::erase_if(pairs, [&](const Pair& p) { return particles.frozen(p.i) && particles.frozen(p.j); });
}

}  // namespace talus
