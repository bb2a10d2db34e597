#include "talus/contact/law_table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace talus {

LawTable::LawTable(Index groups, Index walls, const PairLaw& everywhere)
    : groups_(groups),
      surfaces_(groups + walls),
      laws_(static_cast<std::size_t>(groups) * static_cast<std::size_t>(groups + walls), everywhere) {
    if (laws_.size() > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
        throw std::invalid_argument("too many groups and walls: their pairs can not be numbered");
}

void LawTable::set_groups(Index a, Index b, const PairLaw& law) {
    laws_[static_cast<std::size_t>(at(a, b))] = law;
    laws_[static_cast<std::size_t>(at(b, a))] = law;
}

void LawTable::set_group_wall(Index group, Index wall, const PairLaw& law) {
    laws_[static_cast<std::size_t>(at(group, groups_ + wall))] = law;
}

bool LawTable::any_bounces() const {
    return std::any_of(laws_.begin(), laws_.end(), [](const PairLaw& law) { return law.restitution > 0.0; });
}

double LawTable::largest_friction() const {
    double largest = 0.0;
    for (const PairLaw& law : laws_) largest = std::max(largest, law.friction);
    return largest;
}

bool LawTable::any_rolling_friction() const {
    return std::any_of(laws_.begin(), laws_.end(),
                       [](const PairLaw& law) { return law.rolling_friction > 0.0; });
}

}  // namespace talus
