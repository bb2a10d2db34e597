#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace talus {

/// "1 particle", "2 particles".
std::string counted(std::int64_t count, const std::string& singular, const std::string& plural = "");

/// Small letters for the ASCII ones, whatever the locale: names of columns and endings of files.
std::string lower_case(std::string_view text);

}  // namespace talus
