#include "talus/measure/walls.hpp"

#include <map>
#include <string_view>

namespace talus {

namespace {

// Number of each wall's name, in the order of their first walls.
std::vector<std::size_t> number_names(const std::vector<Wall>& walls) {
    std::map<std::string_view, std::size_t> known;
    std::vector<std::size_t> number;
    for (const Wall& wall : walls) number.push_back(known.try_emplace(wall.name, known.size()).first->second);
    return number;
}

}  // namespace

std::vector<std::string> wall_names(const std::vector<Wall>& walls) {
    const std::vector<std::size_t> number = number_names(walls);
    std::vector<std::string> names;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        if (number[w] == names.size()) names.push_back(walls[w].name);
    }
    return names;
}

std::vector<Vec3> wall_forces(const System& system, const ContactList& contacts, double time_step) {
    const std::vector<std::size_t> number = number_names(system.walls);
    std::vector<Vec3> force(wall_names(system.walls).size(), Vec3::Zero());
    for (const Contact& c : contacts) {
        if (c.j >= 0 || c.impulse <= 0.0) continue;
        force[number[c.wall]] += (c.impulse * c.normal + c.tangential) / time_step;
    }
    return force;
}

}  // namespace talus
