#include "clusters.hpp"

#include <algorithm>
#include <numeric>

namespace talus {

void Clusters::build(const Particles& particles, const ContactList& contacts,
                     std::span<const std::uint8_t> joins) {
    parent_.resize(static_cast<std::size_t>(particles.size()));
    std::iota(parent_.begin(), parent_.end(), Index{0});
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const Contact& c = contacts[k];
        if (joins[k] == 0 || c.j < 0 || particles.frozen(c.i) || particles.frozen(c.j)) continue;
        const auto [first, later] = std::minmax({root(c.i), root(c.j)});
        parent_[later] = first;
    }
    count_ = 0;
    cluster_.resize(parent_.size());
    for (Index i = 0; i < particles.size(); ++i) {
        const Index first = root(i);
        cluster_[i] = first == i ? count_++ : cluster_[first];
    }
}

/// Shortens the way by half.
Index Clusters::root(Index particle) {
    while (parent_[particle] != particle) {
        parent_[particle] = parent_[parent_[particle]];
        particle = parent_[particle];
    }
    return particle;
}

}  // namespace talus
