#pragma once

#include <string_view>

namespace talus {

/// Whether frames of talus have an array of this name that is no property of a particle at the start: reading
/// a packing leaves it aside without a word. Names of a table, in lower case; ParaView appends the component
/// to those of vectors.
bool only_in_frames(std::string_view name);

/// Whether a number can be that of a group: 0, 1, ...
bool is_group(double number);

/// Whether a diameter is twice the radius, as far as a table of few digits can tell.
bool agree(double radius, double diameter);

}  // namespace talus
