#pragma once

#include <vector>

#include "talus/contact/contact.hpp"

namespace talus {

/// Contacts as they would be with the particles at other places: pairs by (i, j), i < j, then walls by
/// (i, wall, feature). Normals point from the new i to the new j, impulses act on the new j. Their laws keep
/// their numbers.
/// @param place (n) of each particle, a permutation.
void arrange_contacts(const std::vector<Index>& place, ContactList& contacts);

}  // namespace talus
