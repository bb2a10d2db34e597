#include "talus/contact/warm_start.hpp"

#include <algorithm>
#include <tuple>

namespace talus {

namespace {

// Pairs come first, then walls; within both by ids. Contact lists are in this order but for the cuts at their
// end.
template <class Entry>
auto key(const Entry& e) {
    return std::make_tuple(e.with_wall, e.first, e.second, e.feature);
}

}  // namespace

WarmStart::Entry WarmStart::entry(const Contact& contact, const std::vector<ParticleId>& id) {
    const ParticleId first = id[static_cast<std::size_t>(contact.i)];
    const bool with_wall = contact.j < 0;
    const ParticleId second = with_wall ? contact.wall : id[static_cast<std::size_t>(contact.j)];
    return {with_wall, first, second, contact.feature, contact.sustained};
}

void WarmStart::remember(const ContactList& contacts, const std::vector<ParticleId>& id) {
    entries_.clear();
    const auto less = [](const Entry& a, const Entry& b) { return key(a) < key(b); };
    for (const Contact& contact : contacts) {
        if (contact.sustained > 0.0) entries_.push_back(entry(contact, id));
    }
    if (!std::is_sorted(entries_.begin(), entries_.end(), less)) {
        std::stable_sort(entries_.begin(), entries_.end(), less);
    }
    // Several planes of one curved feature: the next step's one plane starts with what they carried together.
    std::size_t kept = 0;
    for (std::size_t k = 0; k < entries_.size(); ++k) {
        if (kept > 0 && key(entries_[kept - 1]) == key(entries_[k])) {
            entries_[kept - 1].impulse += entries_[k].impulse;
        } else {
            entries_[kept++] = entries_[k];
        }
    }
    entries_.resize(kept);
}

void WarmStart::recall(const std::vector<ParticleId>& id, ContactList& contacts) const {
    auto old = entries_.begin();
    for (Contact& contact : contacts) {
        const Entry wanted = entry(contact, id);
        while (old != entries_.end() && key(*old) < key(wanted)) ++old;
        contact.sustained = old != entries_.end() && key(*old) == key(wanted) ? old->impulse : 0.0;
    }
}

}  // namespace talus
