#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/contact/contact.hpp"

namespace talus {

/// Particles that impulses join, directly or through others: what happens in one cluster does not concern the
/// others. Frozen particles join nothing.
class Clusters {
public:
    /// @param joins (m) whether a contact acts.
    void build(const Particles& particles, const ContactList& contacts, std::span<const std::uint8_t> joins);

    Index count() const { return count_; }
    /// Of a particle: from 0 on, in the order of their first particles; those of frozen ones have no others.
    Index of(Index particle) const { return cluster_[particle]; }
    /// Of a contact: that of a particle of it that can move.
    Index of(const Particles& particles, const Contact& contact) const {
        return cluster_[contact.j >= 0 && particles.frozen(contact.i) ? contact.j : contact.i];
    }

private:
    Index root(Index particle);

    Index count_ = 0;
    std::vector<Index> parent_;   ///< (n) towards the first particle of the cluster
    std::vector<Index> cluster_;  ///< (n)
};

}  // namespace talus
