#pragma once

#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// What two surfaces do to each other where they touch.
struct PairLaw {
    double restitution = 0.0;  ///< e in [0, 1] [-]
    double friction = 0.0;     ///< Coulomb's mu >= 0 [-]
    double rolling_friction =
        0.0;  ///< mu_r >= 0 [-]: largest moment against rolling over reduced radius and normal force
};

/// The law of every two surfaces that can touch: group with group, and group with wall.
class LawTable {
public:
    LawTable(Index groups, Index walls, const PairLaw& everywhere);

    void set_groups(Index a, Index b, const PairLaw& law);
    void set_group_wall(Index group, Index wall, const PairLaw& law);

    /// Number of the law of two surfaces, which a contact carries.
    Index number_of_groups(Index a, Index b) const { return at(a, b); }
    Index number_of_group_wall(Index group, Index wall) const { return at(group, groups_ + wall); }
    const PairLaw& operator[](Index number) const { return laws_[static_cast<std::size_t>(number)]; }

    const PairLaw& of_groups(Index a, Index b) const { return (*this)[at(a, b)]; }
    const PairLaw& of_group_wall(Index group, Index wall) const { return (*this)[at(group, groups_ + wall)]; }

    bool any_bounces() const;
    double largest_friction() const;
    bool any_friction() const { return largest_friction() > 0.0; }
    bool any_rolling_friction() const;

private:
    Index at(Index group, Index surface) const { return group * surfaces_ + surface; }

    Index groups_, surfaces_;
    std::vector<PairLaw> laws_;
};

}  // namespace talus
