#include "text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "talus/core/error.hpp"

namespace talus::app {

std::string duration(double seconds) {
    if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
    return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string bytes(double count) {
    constexpr std::array<const char*, 5> kUnits = {"B", "kB", "MB", "GB", "TB"};
    std::size_t unit = 0;
    while (count >= 999.5 && unit + 1 < kUnits.size()) {
        count /= 1000.0;
        ++unit;
    }
    return fmt::format("{} {}", rounded(count), kUnits[unit]);
}

std::string rounded(double value) {
    if (std::abs(value) >= 99.95 && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
    return fmt::format("{:.3g}", value);
}

double parse_number(const std::string& text, const std::string& option, const std::string& expected) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
    throw InputError(fmt::format("{}: expected {}, not '{}'", option, expected, text));
}

}  // namespace talus::app
