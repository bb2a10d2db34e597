#pragma once

#include "talus/contact/restitution_table.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// The law's names resolved to a table over groups and walls; several walls may share a name (the faces of a
/// box).
RestitutionTable restitution_table(const System& system);

}  // namespace talus
