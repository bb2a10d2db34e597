#pragma once

#include <string>

#include "talus/core/text.hpp"

namespace talus::app {

/// "0.8 s", "12 s", "3:07 min", "2:15 h".
std::string duration(double seconds);

/// "512 B", "3.4 MB".
std::string bytes(double count);

/// "3.1", "32", "1230": three significant digits, no exponent where none is needed.
std::string rounded(double value);

/// The whole text as a number, with a decimal point whatever the locale.
/// @throws InputError "option: expected ..., not 'text'".
double parse_number(const std::string& text, const std::string& option, const std::string& expected);

}  // namespace talus::app
