#include "collection.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <string_view>

#include "talus/core/error.hpp"

namespace talus {
namespace {

/// Value of attribute `name` in an XML element, empty if it is not there or has no end.
std::string_view attribute(std::string_view element, std::string_view name) {
    const std::string opening = fmt::format(" {}=\"", name);
    const std::size_t begin = element.find(opening);
    if (begin == std::string_view::npos) return {};
    element.remove_prefix(begin + opening.size());
    const std::size_t end = element.find('"');
    return end == std::string_view::npos ? std::string_view() : element.substr(0, end);
}

}  // namespace

std::string collection_text(const std::vector<CollectionEntry>& entries) {
    std::string text =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
    for (const CollectionEntry& entry : entries) {
        fmt::format_to(std::back_inserter(text), "    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                       entry.time, entry.file);
    }
    return text + "  </Collection>\n</VTKFile>\n";
}

std::vector<CollectionEntry> read_collection(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw InputError(fmt::format("{}: can not be opened; is this a directory of results?", path));
    std::vector<CollectionEntry> entries;
    bool complete = false;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        complete = complete || line.find("</VTKFile>") != std::string::npos;
        if (line.find("<DataSet ") == std::string::npos) continue;
        const std::string_view time = attribute(line, "timestep"), name = attribute(line, "file");
        double value = 0.0;
        const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), value);
        if (name.empty() || error != std::errc() || end != time.data() + time.size()) {
            throw InputError({path, number}, "DataSet", "expected timestep=\"number\" and file=\"name\"");
        }
        entries.push_back({value, std::string(name)});
    }
    if (!complete) {
        throw InputError(
            fmt::format("{}: is cut short, or no collection: expected </VTKFile> at the end", path));
    }
    return entries;
}

}  // namespace talus
