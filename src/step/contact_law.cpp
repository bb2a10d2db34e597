#include "talus/step/contact_law.hpp"

#include <algorithm>
#include <cmath>

namespace talus {

namespace {

PairLaw overridden(PairLaw law, const PairOverride& said) {
    law.restitution = said.restitution.value_or(law.restitution);
    law.friction = said.friction.value_or(law.friction);
    law.rolling_friction = said.rolling_friction.value_or(law.rolling_friction);
    return law;
}

void set_pair(const System& system, const std::string& a, const std::string& b, const PairOverride& said,
              LawTable& table) {
    for (std::size_t k = 0; k < system.groups.size(); ++k) {
        if (system.groups[k].name != a) continue;
        const auto i = static_cast<Index>(k);
        for (std::size_t l = 0; l < system.groups.size(); ++l) {
            const auto j = static_cast<Index>(l);
            if (system.groups[l].name == b) table.set_groups(i, j, overridden(table.of_groups(i, j), said));
        }
        for (std::size_t l = 0; l < system.walls.size(); ++l) {
            const auto w = static_cast<Index>(l);
            if (system.walls[l].name == b)
                table.set_group_wall(i, w, overridden(table.of_group_wall(i, w), said));
        }
    }
}

/// The geometric mean of what two surfaces have of their own, or of the default.
double mean_of(const std::map<std::string, double>& own, double otherwise, const std::string& a,
               const std::string& b) {
    const auto of = [&](const std::string& surface) {
        const auto found = own.find(surface);
        return found == own.end() ? otherwise : found->second;
    };
    return std::sqrt(of(a) * of(b));
}

void mix_frictions(const System& system, LawTable& table) {
    const ContactLaw& law = system.law;
    const auto mixed = [&](const std::string& a, const std::string& b) {
        return PairLaw{law.restitution, mean_of(law.surface_friction, law.friction, a, b),
                       mean_of(law.surface_rolling_friction, law.rolling_friction, a, b)};
    };
    for (std::size_t a = 0; a < system.groups.size(); ++a) {
        const auto i = static_cast<Index>(a);
        const std::string& name = system.groups[a].name;
        for (std::size_t b = 0; b <= a; ++b) {
            table.set_groups(i, static_cast<Index>(b), mixed(name, system.groups[b].name));
        }
        for (std::size_t w = 0; w < system.walls.size(); ++w) {
            table.set_group_wall(i, static_cast<Index>(w), mixed(name, system.walls[w].name));
        }
    }
}

LawTable uniform_table(const System& system, const PairLaw& everywhere) {
    const auto groups = static_cast<Index>(std::max<std::size_t>(1, system.groups.size()));
    return {groups, static_cast<Index>(system.walls.size()), everywhere};
}

}  // namespace

LawTable lawless_table(const System& system) {
    return uniform_table(system, {});
}

LawTable law_table(const System& system) {
    const ContactLaw& law = system.law;
    const bool frictional = law.kind != FrictionLaw::inelastic;
    const PairLaw everywhere =
        frictional ? PairLaw{law.restitution, law.friction, law.rolling_friction} : PairLaw{law.restitution};
    LawTable table = uniform_table(system, everywhere);
    const bool mixed = !law.surface_friction.empty() || !law.surface_rolling_friction.empty();
    if (frictional && mixed) mix_frictions(system, table);
    for (const auto& [names, said] : law.pairs) {
        const PairOverride heard = frictional ? said : PairOverride{said.restitution, {}, {}};
        set_pair(system, names.first, names.second, heard, table);
        set_pair(system, names.second, names.first, heard, table);
    }
    return table;
}

}  // namespace talus
