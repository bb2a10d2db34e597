#pragma once

#include <span>
#include <vector>

#include "talus/contact/contact.hpp"
#include "talus/core/chunked_append.hpp"

namespace talus {

/// Multipliers of the previous step, by particle ids, so that they survive insertion, removal and another
/// order in memory.
class WarmStart {
public:
    /// Remembers the sustained and tangential impulses and the moments of `contacts`. @param id (n) ids of
    /// the particles that the contacts point at.
    void remember(const ContactList& contacts, const std::vector<ParticleId>& id);

    /// Sets the sustained and tangential impulses and the moment of each contact to those of the same pair,
    /// or of the same feature of the same wall, in the remembered list, 0 for a new one. What is no longer
    /// across the normal is left out. Impulses are forces times h, so a repeated step of equal length starts
    /// close. Other ids than those remembered are followed from here on.
    void recall(const std::vector<ParticleId>& id, ContactList& contacts);

private:
    struct Entry {
        Index first, second;  // places in id_; second is -1 - index of a wall for a wall
        std::int32_t feature;
        Index resistance;  // where in resistances_, -1: none, as all are without friction
        double impulse;
    };
    /// To sliding and to rolling.
    struct Resistance {
        Vec3 tangential, moment;  // on the second body
        void turn_round() { tangential = -tangential, moment = -moment; }
    };
    static Entry entry(const Contact& contact);
    static bool resists(const Contact& contact);
    static bool before(const Entry& a, const Entry& b);
    bool is_sorted() const;
    void keep_resistances(const ContactList& contacts);
    /// By key; entries of one key become one, with the sum of what they carry.
    void sort();
    void recall(std::span<Contact> contacts) const;
    void add_up(Entry& sum, const Entry& other);
    void follow(const std::vector<ParticleId>& id);
    void find_places(const std::vector<ParticleId>& id);

    ChunkedAppend<Entry> append_;
    std::vector<ParticleId> id_;           // of the particles that entries point at
    std::vector<Entry> entries_;           // sorted by (pairs before walls, first, second, feature)
    std::vector<Resistance> resistances_;  // that entries point at
    std::vector<Index> place_;             // where the particles of id_ are now; -1: gone
};

}  // namespace talus
