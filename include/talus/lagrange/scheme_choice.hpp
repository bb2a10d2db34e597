#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "talus/lagrange/event_driven.hpp"
#include "talus/lagrange/paoli_schatzman.hpp"

namespace talus::lagrange {

enum class SchemeKind {
    bernicot_lefebvre,
    paoli,
    paoli_schatzman,
    cabot_paoli,
    moreau_jean,
    event_driven,
};

struct SchemeName {
    SchemeKind kind;
    std::string_view name;     ///< as in scenes and on the command line
    std::string_view meaning;  ///< in half a line
};
/// In the order of SchemeKind.
constexpr std::array<SchemeName, 6> kSchemeNames = {{
    {SchemeKind::bernicot_lefebvre, "bernicot_lefebvre",
     "velocity scheme of Bernicot and Lefebvre-Lepot 2010"},
    {SchemeKind::paoli, "paoli", "position scheme of Paoli 2010, inelastic"},
    {SchemeKind::paoli_schatzman, "paoli_schatzman",
     "position scheme of Paoli and Schatzman 1999, restitution"},
    {SchemeKind::cabot_paoli, "cabot_paoli", "implicit scheme of Cabot and Paoli 2006, convex potential"},
    {SchemeKind::moreau_jean, "moreau_jean", "theta scheme of Moreau and Jean (default)"},
    {SchemeKind::event_driven, "event_driven", "Runge-Kutta between located impacts: the reference"},
}};
std::string_view name_of(SchemeKind kind);

/// What the options of all schemes have in common; each takes what it knows.
struct SchemeOptions {
    Restitution restitution = {0.0};                       ///< [-], each in [0, 1]
    FirstStep first_step = FirstStep::with_force;          ///< position schemes
    ProjectionMetric metric = ProjectionMetric::geodesic;  ///< of Paoli and Schatzman
    double theta = 0.5;                                    ///< of Moreau and Jean [-], in [1/2, 1]
    double tolerance = 1e-12;                              ///< of every iteration [-], > 0
    double max_step = 0.1;                                 ///< of the event-driven integrator [s], > 0
};

/// The hypothesis without which the scheme does not step this system at all, none if it does. (Hypotheses
/// that its convergence needs are warned of by its steps.)
std::optional<std::string> broken_hypothesis(SchemeKind kind, const MechanicalSystem& system,
                                             const SchemeOptions& options);

/// @throws std::invalid_argument as the scheme's constructor, or with the broken hypothesis.
std::unique_ptr<Scheme> make_scheme(SchemeKind kind, const MechanicalSystem& system, const State& start,
                                    double h, const SchemeOptions& options);

}  // namespace talus::lagrange
