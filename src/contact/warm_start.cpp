#include "talus/contact/warm_start.hpp"

#include <algorithm>
#include <tuple>

namespace talus {

namespace {

constexpr Index kNone = -1;

// Pairs come first, then walls; within both by ids. Contact lists are in this order but for the cuts at their
// end.
template <class Entry>
auto key(const Entry& e) {
    const bool with_wall = e.second < 0;
    return std::make_tuple(with_wall, e.first, with_wall ? -1 - e.second : e.second, e.feature);
}

Vec3 across(const Vec3& impulse, const Vec3& normal) {
    return impulse - impulse.dot(normal) * normal;
}

}  // namespace

WarmStart::Entry WarmStart::entry(const Contact& contact, const std::vector<ParticleId>& id) {
    const ParticleId first = id[static_cast<std::size_t>(contact.i)];
    const ParticleId second = contact.j < 0 ? -1 - contact.wall : id[static_cast<std::size_t>(contact.j)];
    return {first, second, contact.feature, kNone, contact.sustained};
}

void WarmStart::remember(const ContactList& contacts, const std::vector<ParticleId>& id) {
    entries_.clear();
    resistances_.clear();
    const auto less = [](const Entry& a, const Entry& b) { return key(a) < key(b); };
    for (const Contact& contact : contacts) {
        if (contact.sustained <= 0.0) continue;
        entries_.push_back(entry(contact, id));
        if (contact.tangential == Vec3::Zero() && contact.moment == Vec3::Zero()) continue;
        entries_.back().resistance = static_cast<Index>(resistances_.size());
        resistances_.push_back({contact.tangential, contact.moment});
    }
    if (!std::is_sorted(entries_.begin(), entries_.end(), less)) {
        std::stable_sort(entries_.begin(), entries_.end(), less);
    }
    // Several planes of one curved feature: the next step's one plane starts with what they carried together.
    std::size_t kept = 0;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        if (kept > 0 && key(entries_[kept - 1]) == key(entries_[k])) {
            add_up(entries_[kept - 1], entries_[k]);
        } else {
            entries_[kept++] = entries_[k];
        }
    }
    entries_.resize(kept);
}

void WarmStart::add_up(Entry& sum, const Entry& other) {
    sum.impulse += other.impulse;
    if (other.resistance == kNone) return;
    if (sum.resistance == kNone) {
        sum.resistance = other.resistance;
    } else {
        resistances_[sum.resistance].tangential += resistances_[other.resistance].tangential;
        resistances_[sum.resistance].moment += resistances_[other.resistance].moment;
    }
}

void WarmStart::recall(const std::vector<ParticleId>& id, ContactList& contacts) const {
    auto old = entries_.begin();
    for (Contact& contact : contacts) {
        const Entry wanted = entry(contact, id);
        while (old != entries_.end() && key(*old) < key(wanted)) ++old;
        const bool known = old != entries_.end() && key(*old) == key(wanted);
        contact.sustained = known ? old->impulse : 0.0;
        contact.tangential.setZero();
        contact.moment.setZero();
        if (!known || old->resistance == kNone) continue;
        contact.tangential = across(resistances_[old->resistance].tangential, contact.normal);
        contact.moment = across(resistances_[old->resistance].moment, contact.normal);
    }
}

}  // namespace talus
