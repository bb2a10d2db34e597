#include "talus/core/text.hpp"

#include <fmt/format.h>

namespace talus {

std::string counted(std::int64_t count, const std::string& singular, const std::string& plural) {
    if (count == 1) return "1 " + singular;
    return fmt::format("{} {}", count, plural.empty() ? singular + "s" : plural);
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if ('A' <= c && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

}  // namespace talus
