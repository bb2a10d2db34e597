#include "talus/contact/law_table.hpp"

namespace talus {

LawTable::LawTable(Index groups, Index walls, const PairLaw& everywhere)
    : groups_(groups),
      surfaces_(groups + walls),
      laws_(static_cast<std::size_t>(groups) * static_cast<std::size_t>(groups + walls), everywhere) {}

void LawTable::set_groups(Index a, Index b, const PairLaw& law) {
    laws_[at(a, b)] = law;
    laws_[at(b, a)] = law;
}

void LawTable::set_group_wall(Index group, Index wall, const PairLaw& law) {
    laws_[at(group, groups_ + wall)] = law;
}

}  // namespace talus
