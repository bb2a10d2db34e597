#include "talus/contact/warm_start.hpp"

#include <algorithm>
#include <utility>

#include "talus/bodies/memory_order.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

namespace {

constexpr Index kNone = -1;

template <class Entry>
auto key(const Entry& e) {
    return contact_key(e.first, e.second, -1 - e.second, e.feature);
}

Vec3 across(const Vec3& impulse, const Vec3& normal) {
    return impulse - impulse.dot(normal) * normal;
}

}  // namespace

WarmStart::Entry WarmStart::entry(const Contact& contact) {
    const Index second = contact.j < 0 ? -1 - contact.wall : contact.j;
    return {contact.i, second, contact.feature, kNone, contact.sustained};
}

bool WarmStart::resists(const Contact& contact) {
    return contact.tangential != Vec3::Zero() || contact.moment != Vec3::Zero();
}

bool WarmStart::before(const Entry& a, const Entry& b) {
    return key(a) < key(b);
}

/// One entry a key, in ascending order.
bool WarmStart::is_sorted() const {
    const std::ptrdiff_t neighbours = std::max<std::ptrdiff_t>(1, std::ssize(entries_)) - 1;
    return parallel_count(neighbours, [&](std::ptrdiff_t k) {
               return before(entries_[k], entries_[k + 1]);
           }) == neighbours;
}

void WarmStart::remember(const ContactList& contacts, const std::vector<ParticleId>& id) {
    if (id_ != id) id_ = id;
    append_.run(
        std::ssize(contacts),
        [&](std::ptrdiff_t k, std::vector<Entry>& out) {
            const Contact& contact = contacts[k];
            if (contact.sustained <= 0.0) return;
            out.push_back(entry(contact));
            if (resists(contact)) out.back().resistance = static_cast<Index>(k);
        },
        entries_, 0);
    keep_resistances(contacts);
    sort();
}

/// Entries point at contacts that resist; from here on at what is remembered of them.
void WarmStart::keep_resistances(const ContactList& contacts) {
    const auto resists = [&](std::ptrdiff_t k) { return entries_[k].resistance != kNone; };
    const bool any = parallel_count(std::ssize(entries_), resists) > 0;
    resistances_.resize(any ? entries_.size() : 0);
    parallel_for(std::ssize(resistances_), [&](std::ptrdiff_t k) {
        if (!resists(k)) return;
        const Contact& contact = contacts[entries_[k].resistance];
        const double share = sustained_share(contact);
        resistances_[k] = {share * contact.tangential, share * contact.moment};
        entries_[k].resistance = static_cast<Index>(k);
    });
}

void WarmStart::sort() {
    if (is_sorted()) return;
    std::stable_sort(entries_.begin(), entries_.end(), before);
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

// Where the particles of id_ are among these. Those that stay after others left or came keep their order, and
// newcomers have greater ids: only where particles have been arranged anew is there something to sort.
void WarmStart::find_places(const std::vector<ParticleId>& id) {
    place_.assign(id_.size(), kNone);
    std::size_t next = 0;
    ParticleId greatest = -1;
    for (std::size_t old = 0; old < id_.size(); ++old) {
        greatest = std::max(greatest, id_[old]);
        if (next < id.size() && id[next] == id_[old]) place_[old] = static_cast<Index>(next++);
    }
    const auto is_newcomer = [&](ParticleId one) { return one > greatest; };
    if (std::all_of(id.begin() + static_cast<std::ptrdiff_t>(next), id.end(), is_newcomer)) return;
    place_.assign(id_.size(), kNone);
    const std::vector<Index> order = id_order(id);
    auto now = order.begin();
    for (const Index old : id_order(id_)) {
        while (now != order.end() && id[*now] < id_[old]) ++now;
        if (now != order.end() && id[*now] == id_[old]) place_[old] = *now;
    }
}

// As if the particles had been in their new places when the contacts were remembered.
void WarmStart::follow(const std::vector<ParticleId>& id) {
    find_places(id);
    id_ = id;
    const auto gone = std::remove_if(entries_.begin(), entries_.end(), [&](Entry& e) {
        const bool with_wall = e.second < 0;
        e.first = place_[e.first];
        if (!with_wall) e.second = place_[e.second];
        if (e.first == kNone || (!with_wall && e.second == kNone)) return true;
        if (!with_wall && e.first > e.second) {
            std::swap(e.first, e.second);
            if (e.resistance != kNone) resistances_[e.resistance].turn_round();
        }
        return false;
    });
    entries_.erase(gone, entries_.end());
    sort();
}

void WarmStart::recall(const std::vector<ParticleId>& id, ContactList& contacts) {
    if (id != id_) follow(id);
    parallel_chunks(std::ssize(contacts), [&](std::ptrdiff_t, std::ptrdiff_t begin, std::ptrdiff_t end) {
        recall(std::span(contacts).subspan(begin, end - begin));
    });
}

/// @param contacts in order.
void WarmStart::recall(std::span<Contact> contacts) const {
    auto old = std::lower_bound(entries_.begin(), entries_.end(), entry(contacts.front()), before);
    for (Contact& contact : contacts) {
        const Entry wanted = entry(contact);
        while (old != entries_.end() && before(*old, wanted)) ++old;
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
