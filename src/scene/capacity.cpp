#include "capacity.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "talus/core/error.hpp"
#include "talus/scene/describe_scene.hpp"

namespace talus {

namespace {

// Share of a region that an inlet finds places in [-]: random sequential addition, which gets slow beyond.
constexpr double kAdded2d = 0.50, kAdded3d = 0.30;

/// [bytes]
double machine_memory() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace

void check_capacity(double more, const System& system) {
    const char* remedy =
        "use fewer or larger particles, a larger spacing or a smaller region (all in metres)";
    const double count = system.particles.size() + more;
    constexpr Index most = std::numeric_limits<Index>::max();
    if (count > most) {
        throw InputError(
            fmt::format("about {:.3g} particles, and at most {} can be simulated; {}", more, most, remedy));
    }
    const double needed = estimated_memory(count, system.dimension), there = machine_memory();
    if (needed <= there) return;
    throw InputError(
        fmt::format("about {:.3g} particles need {:.3g} GB of memory, and this machine has {:.3g} GB; {}",
                    count, needed / 1e9, there / 1e9, remedy));
}

void check_capacity(const Inlet& inlet, double end, const System& system) {
    const double opens = std::clamp(inlet.from, 0.0, end), closes = std::clamp(inlet.until, opens, end);
    RandomFill fill;
    fill.region = inlet.region;
    fill.solid_fraction = system.dimension == 2 ? kAdded2d : kAdded3d;
    ParticleSource source;
    source.fill = fill;
    source.radius = inlet.radius;
    const Group& group = system.groups[static_cast<std::size_t>(inlet.group)];
    double at_once = expected_count(source, group.radius_scale.at(opens), system.dimension);
    if (inlet.count >= 0) at_once = std::min(at_once, static_cast<double>(inlet.count));
    if (inlet.rate > 0.0) at_once = std::min(at_once, inlet.rate * (closes - opens) + 1.0);
    check_capacity(at_once, system);
}

}  // namespace talus
