#include "talus/io/render.hpp"

#include <fmt/format.h>

#include <charconv>

#include "commands.hpp"
#include "talus/core/error.hpp"

namespace talus::app {

namespace {

constexpr int kLargest = 16384;  // width and height that graphics drivers can draw [pixels]

[[noreturn]] void refuse_size(const std::string& text) {
    throw InputError(fmt::format("--size: expected width and height from 1 to {}, such as 1280x960, not '{}'",
                                 kLargest, text));
}

void parse_size(const std::string& text, RenderOptions& options) {
    const char* last = text.data() + text.size();
    const auto [cross, error] = std::from_chars(text.data(), last, options.width);
    if (error != std::errc() || cross == last || *cross != 'x') refuse_size(text);
    const auto [end, second_error] = std::from_chars(cross + 1, last, options.height);
    const bool whole = second_error == std::errc() && end == last;
    const bool possible =
        options.width >= 1 && options.width <= kLargest && options.height >= 1 && options.height <= kLargest;
    if (!whole || !possible) refuse_size(text);
}

}  // namespace

int render(const RenderArguments& arguments) {
    if (arguments.all && !arguments.out.empty()) {
        throw InputError("--out names one picture, --all draws many: leave one of them out");
    }
    RenderOptions options;
    options.all_frames = arguments.all;
    options.color = arguments.color;
    parse_size(arguments.size, options);
    const std::string out = arguments.out.empty() ? arguments.directory + "/picture.png" : arguments.out;
    for (const std::string& file : talus::render(arguments.directory, out, options)) fmt::print("{}\n", file);
    return kDone;
}

}  // namespace talus::app
