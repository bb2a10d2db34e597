#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/geometry/wall.hpp"

namespace talus {

/// Restitution between groups and walls. A surface is the name of a group or of a wall.
struct ContactLaw {
    double restitution = 0.0;  ///< default e in [0, 1] [-]; 0: the inelastic law of Maury's projection
    std::map<std::pair<std::string, std::string>, double> pair_restitution;  ///< by names in ascending order
};

/// Everything that a step changes or reads: the mechanical state at time `time`.
struct System {
    int dimension = 3;
    double time = 0.0;      ///< of the state [s]
    std::int64_t step = 0;  ///< steps made
    Particles particles;
    std::vector<Group> groups;
    std::vector<Wall> walls;
    ContactLaw law;
    std::array<Schedule, 3> gravity = {Schedule::constant(0.0), Schedule::constant(0.0),
                                       Schedule::constant(0.0)};  ///< [m/s^2]
};

}  // namespace talus
