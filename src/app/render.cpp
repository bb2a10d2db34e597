#include "talus/io/render.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "commands.hpp"
#include "talus/core/error.hpp"

namespace talus::app {

namespace {

namespace fs = std::filesystem;

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

/// The directory, also where its collection is given, which is what one opens in ParaView.
std::string directory_of_results(const std::string& path) {
    std::error_code none;
    if (!fs::is_regular_file(path, none)) return path;
    if (fs::path(path).filename() != "particles.pvd") {
        throw InputError(
            fmt::format("{}: is a file; expected a directory of results (or its particles.pvd)", path));
    }
    const fs::path directory = fs::path(path).parent_path();
    return directory.empty() ? "." : directory.string();
}

void check_picture_name(const std::string& name) {
    const std::string ending = fs::path(name).extension().string();
    if (ending.empty() || ending == ".png" || ending == ".PNG") return;
    throw InputError(fmt::format(
        "--out {}: pictures are PNG files; expected a name that ends in .png, not in {}", name, ending));
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
    check_picture_name(arguments.out);
    const std::string directory = directory_of_results(arguments.directory);
    const std::string out = arguments.out.empty() ? directory + "/picture.png" : arguments.out;
    for (const std::string& file : talus::render(directory, out, options)) fmt::print("{}\n", file);
    return kDone;
}

}  // namespace talus::app
