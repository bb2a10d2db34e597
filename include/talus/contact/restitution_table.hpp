#pragma once

#include <vector>

#include "talus/core/types.hpp"

namespace talus {

/// Restitution e in [0, 1] for every two surfaces that can touch: group with group, and group with wall.
class RestitutionTable {
public:
    RestitutionTable(Index groups, Index walls, double restitution);

    void set_groups(Index a, Index b, double restitution);
    void set_group_wall(Index group, Index wall, double restitution);

    double of_groups(Index a, Index b) const { return value_[at(a, b)]; }
    double of_group_wall(Index group, Index wall) const { return value_[at(group, groups_ + wall)]; }
    bool any_positive() const;

private:
    std::size_t at(Index group, Index surface) const {
        return static_cast<std::size_t>(group) * static_cast<std::size_t>(surfaces_) +
               static_cast<std::size_t>(surface);
    }

    Index groups_, surfaces_;
    std::vector<double> value_;
};

}  // namespace talus
