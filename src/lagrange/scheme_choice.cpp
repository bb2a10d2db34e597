#include "talus/lagrange/scheme_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "talus/lagrange/bernicot_lefebvre.hpp"
#include "talus/lagrange/cabot_paoli.hpp"
#include "talus/lagrange/moreau_jean.hpp"
#include "talus/lagrange/paoli.hpp"

namespace talus::lagrange {

std::string_view name_of(SchemeKind kind) {
    return kSchemeNames[static_cast<std::size_t>(kind)].name;
}

std::optional<std::string> broken_hypothesis(SchemeKind kind, const MechanicalSystem& system,
                                             const SchemeOptions& options) {
    const auto [least, most] = std::minmax_element(options.restitution.begin(), options.restitution.end());
    const bool bounces = most != options.restitution.end() && *most > 0.0;
    if (bounces && (kind == SchemeKind::paoli || kind == SchemeKind::cabot_paoli)) {
        return "its impact law is inelastic, and restitution is not 0";
    }
    if (bounces && kind == SchemeKind::paoli_schatzman && *least < *most) {
        return "it has one coefficient of restitution, and those of the constraints differ";
    }
    if (kind == SchemeKind::cabot_paoli) {
        if (!system.constant_mass()) return "its mass matrix is constant, and M depends on q";
        if (system.coordinate_count() > 0 && !system.potential(Vector::Zero(system.coordinate_count()))) {
            return "its force is -grad f - gamma v, and the system has no potential f";
        }
    }
    return std::nullopt;
}

std::unique_ptr<Scheme> make_scheme(SchemeKind kind, const MechanicalSystem& system, const State& start,
                                    double h, const SchemeOptions& options) {
    if (const auto broken = broken_hypothesis(kind, system, options)) {
        throw std::invalid_argument(fmt::format("{} is not applicable: {}", name_of(kind), *broken));
    }
    const ProjectionOptions projection{.tolerance = options.tolerance};
    switch (kind) {
        case SchemeKind::bernicot_lefebvre:
            return std::make_unique<BernicotLefebvre>(system, start, h,
                                                      BernicotLefebvreOptions{options.restitution});
        case SchemeKind::paoli:
            return std::make_unique<Paoli>(system, start, h, PaoliOptions{options.first_step, projection});
        case SchemeKind::paoli_schatzman: {
            const Vector restitution = expanded(options.restitution, system);
            PaoliSchatzmanOptions chosen;
            chosen.restitution = restitution.size() > 0 ? restitution[0] : 0.0;
            chosen.first_step = options.first_step;
            chosen.metric = options.metric;
            chosen.projection = projection;
            chosen.geodesic.tolerance = std::max(options.tolerance, chosen.geodesic.tolerance);
            chosen.tolerance = options.tolerance;
            return std::make_unique<PaoliSchatzman>(system, start, h, chosen);
        }
        case SchemeKind::cabot_paoli:
            return std::make_unique<CabotPaoli>(system, start, h,
                                                CabotPaoliOptions{options.first_step, projection});
        case SchemeKind::moreau_jean:
            return std::make_unique<MoreauJean>(
                system, start, h, MoreauJeanOptions{options.restitution, options.theta, options.tolerance});
        case SchemeKind::event_driven: {
            EventDrivenOptions chosen;
            chosen.restitution = options.restitution;
            chosen.tolerance = options.tolerance;
            chosen.max_step = options.max_step;
            return std::make_unique<EventDriven>(system, start, h, chosen);
        }
    }
    throw std::invalid_argument("no such scheme");
}

}  // namespace talus::lagrange
