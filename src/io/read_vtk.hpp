#pragma once

#include <string>

#include "talus/io/read_packing.hpp"

namespace talus {

/// Particles of a VTK XML poly data file, by VTK's reader; see read_packing.
Packing read_vtp(const std::string& path);

}  // namespace talus
