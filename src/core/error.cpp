#include "talus/core/error.hpp"

#include <fmt/format.h>

namespace talus {

namespace {

std::string located(const SourcePlace& place, const std::string& key, const std::string& message) {
    std::string text = place.file;
    if (place.line > 0) text += fmt::format(":{}", place.line);
    if (!text.empty()) text += ": ";
    if (!key.empty()) text += key + ": ";
    return text + message;
}

}  // namespace

InputError::InputError(const SourcePlace& place, const std::string& key, const std::string& message)
    : std::runtime_error(located(place, key, message)) {}

}  // namespace talus
