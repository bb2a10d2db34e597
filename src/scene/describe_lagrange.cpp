#include <fmt/format.h>
#include <fmt/ranges.h>

#include "talus/core/text.hpp"
#include "talus/scene/lagrange_scene.hpp"
#include "talus/scene/simulation.hpp"

namespace talus {

namespace {

std::string with_unit(const lagrange::Quantity& quantity) {
    return quantity.unit.empty() ? quantity.name : fmt::format("{} [{}]", quantity.name, quantity.unit);
}

/// The first few, and how many there are.
std::string listed(const std::vector<lagrange::Quantity>& quantities) {
    constexpr std::size_t shown = 6;
    std::vector<std::string> names;
    for (const lagrange::Quantity& quantity : quantities) {
        if (names.size() == shown)
            return fmt::format("{}, ... ({})", fmt::join(names, ", "), quantities.size());
        names.push_back(with_unit(quantity));
    }
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string applicable_schemes(const LagrangeScene& scene) {
    std::vector<std::string_view> names;
    for (const lagrange::SchemeName& scheme : lagrange::kSchemeNames) {
        if (!broken_hypothesis(scheme.kind, *scene.system, scene.options)) names.push_back(scheme.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string describe_lagrange_scene(const LagrangeScene& scene) {
    const lagrange::MechanicalSystem& system = *scene.system;
    std::vector<std::string> lines;
    lines.push_back("scene        " + scene.path);
    lines.push_back(
        fmt::format("system       {}, {} mass matrix, {}", scene.system_kind,
                    system.constant_mass() ? "constant" : "varying",
                    system.potential(scene.start.q) ? "with a potential" : "without a potential"));
    lines.push_back("coordinates  " + listed(system.coordinates()));
    lines.push_back("constraints  " + listed(system.constraints()));
    lines.push_back(fmt::format("time         {} of {:.6g} s, until {:.6g} s",
                                counted(count_steps(scene.end, scene.step), "step"), scene.step, scene.end));
    lines.push_back(fmt::format("scheme       {}, restitution {:.6g}, tolerance {:.3g}",
                                name_of(scene.scheme), fmt::join(scene.options.restitution, ", "),
                                scene.options.tolerance));
    lines.push_back("applicable   " + applicable_schemes(scene));
    if (const auto broken = broken_hypothesis(scene.scheme, system, scene.options)) {
        lines.push_back(fmt::format("warning      {} is not applicable: {}", name_of(scene.scheme), *broken));
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

}  // namespace talus
