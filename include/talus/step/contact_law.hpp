#pragma once

#include "talus/contact/law_table.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// The law's names resolved to a table over groups and walls; several walls may share a name (the faces of a
/// box). Without friction when the law is inelastic.
LawTable law_table(const System& system);

/// A table of the same pairs without restitution and friction.
LawTable lawless_table(const System& system);

}  // namespace talus
