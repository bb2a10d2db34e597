#include "packing_names.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace talus {

bool only_in_frames(std::string_view name) {
    constexpr std::array<std::string_view, 4> kNames = {"id", "force", "coordination", "pressure"};
    if (name.ends_with("magnitude")) return true;  // ParaView's, of any vector
    const std::string_view vector = name.substr(0, name.find_first_of(":_"));
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || vector == "force";
}

bool is_group(double number) {
    return number == std::floor(number) && number >= 0.0 &&
           number <= std::numeric_limits<std::int32_t>::max();
}

bool agree(double radius, double diameter) {
    // ParaView writes 5 digits unless told otherwise, and so do people.
    constexpr double kAgreement = 1e-3;  // relative [-]
    return std::abs(diameter - 2.0 * radius) <= kAgreement * diameter;
}

}  // namespace talus
