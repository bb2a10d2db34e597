#include "talus/contact/restitution_table.hpp"

#include <algorithm>

namespace talus {

RestitutionTable::RestitutionTable(Index groups, Index walls, double restitution)
    : groups_(groups),
      surfaces_(groups + walls),
      value_(static_cast<std::size_t>(groups) * static_cast<std::size_t>(groups + walls), restitution) {}

void RestitutionTable::set_groups(Index a, Index b, double restitution) {
    value_[at(a, b)] = restitution;
    value_[at(b, a)] = restitution;
}

void RestitutionTable::set_group_wall(Index group, Index wall, double restitution) {
    value_[at(group, groups_ + wall)] = restitution;
}

bool RestitutionTable::any_positive() const {
    return std::any_of(value_.begin(), value_.end(), [](double e) { return e > 0.0; });
}

}  // namespace talus
