#include "talus/scene/notices.hpp"

#include <fmt/format.h>

#include <utility>

namespace talus {

namespace {

bool is_power_of_ten(std::int64_t n) {
    while (n % 10 == 0) n /= 10;
    return n == 1;
}

}  // namespace

void Notices::add(const std::string& kind, const std::string& text) {
    const std::int64_t count = ++occurrences_[kind];
    if (!is_power_of_ten(count)) return;
    texts_.push_back(count == 1 ? text
                                : fmt::format("{} (number {} of this kind; the next is shown at {})", text,
                                              count, 10 * count));
}

std::vector<std::string> Notices::take() {
    return std::exchange(texts_, {});
}

}  // namespace talus
