#pragma once

#include <span>
#include <vector>

#include "talus/core/types.hpp"

/// Orders of particles in memory. An order holds at k the particle that comes to place k; it depends on the
/// state alone, never on threads.
namespace talus {

struct Particles;

/// Along a space-filling curve, so that particles which lie near each other do so in memory too. Its cells
/// are as wide as the smallest particle and counted from the median of the centres: one giant, or a particle
/// far away, spoils nothing.
std::vector<Index> curve_order(const Particles& particles);

/// By ascending id.
std::vector<Index> id_order(const std::vector<ParticleId>& id);

/// Where each particle comes to: the inverse of a permutation.
std::vector<Index> places_of(const std::vector<Index>& order);

/// Brings values[order[k]] to place k.
template <class T>
void arrange(std::span<const Index> order, std::vector<T>& values) {
    std::vector<T> arranged;
    arranged.reserve(order.size());
    for (const Index i : order) arranged.push_back(values[static_cast<std::size_t>(i)]);
    values.swap(arranged);
}

}  // namespace talus
