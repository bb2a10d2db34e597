#include "talus/step/restitution_law.hpp"

#include <algorithm>

namespace talus {

namespace {

void set_pair(const System& system, const std::string& a, const std::string& b, double e,
              RestitutionTable& table) {
    for (std::size_t i = 0; i < system.groups.size(); ++i) {
        if (system.groups[i].name != a) continue;
        for (std::size_t j = 0; j < system.groups.size(); ++j) {
            if (system.groups[j].name == b) table.set_groups(static_cast<Index>(i), static_cast<Index>(j), e);
        }
        for (std::size_t w = 0; w < system.walls.size(); ++w) {
            if (system.walls[w].name == b)
                table.set_group_wall(static_cast<Index>(i), static_cast<Index>(w), e);
        }
    }
}

}  // namespace

RestitutionTable restitution_table(const System& system) {
    const auto groups = static_cast<Index>(std::max<std::size_t>(1, system.groups.size()));
    RestitutionTable table(groups, static_cast<Index>(system.walls.size()), system.law.restitution);
    for (const auto& [names, e] : system.law.pair_restitution) {
        set_pair(system, names.first, names.second, e, table);
        set_pair(system, names.second, names.first, e, table);
    }
    return table;
}

}  // namespace talus
