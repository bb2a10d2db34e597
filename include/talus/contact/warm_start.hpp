#pragma once

#include <vector>

#include "talus/contact/contact.hpp"

namespace talus {

/// Multipliers of the previous step, by particle ids, so that they survive insertion and removal.
class WarmStart {
public:
    /// Remembers the sustained impulses of `contacts`. @param id (n) ids of the particles that the contacts
    /// point at.
    void remember(const ContactList& contacts, const std::vector<ParticleId>& id);

    /// Sets the sustained impulse of each contact to that of the same pair, or of the same feature of the
    /// same wall, in the remembered list, 0 for a new one. Impulses are forces times h, so a repeated step of
    /// equal length starts close.
    void recall(const std::vector<ParticleId>& id, ContactList& contacts) const;

private:
    struct Entry {
        bool with_wall;
        ParticleId first, second;  // second: id of a particle, or index of a wall
        std::int32_t feature;
        double impulse;
    };
    static Entry entry(const Contact& contact, const std::vector<ParticleId>& id);

    std::vector<Entry> entries_;  // sorted by (pairs before walls, first, second, feature)
};

}  // namespace talus
