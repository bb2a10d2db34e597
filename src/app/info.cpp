#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include "commands.hpp"
#include "talus/core/error.hpp"
#include "talus/io/inspect.hpp"
#include "talus/io/read_packing.hpp"
#include "text.hpp"

namespace talus::app {

namespace {

namespace fs = std::filesystem;

std::string place(const Vec3& x) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", x.x(), x.y(), x.z());
}

void print_vtp(const std::string& path) {
    const FileFacts facts = inspect_vtp(path);
    fmt::print("{}: {}, {}, {}\n", path, counted(facts.points, "point"), counted(facts.lines, "line"),
               counted(facts.polygons, "polygon"));
    if (facts.time) fmt::print("  time      {} s\n", *facts.time);
    if (facts.points > 0) fmt::print("  box [m]   {} to {}\n", place(facts.low), place(facts.high));
    for (const ArrayFacts& array : facts.arrays) {
        fmt::print("  {:<13} {} of {}{}, {:.6g} to {:.6g}\n", array.name, array.type, array.of,
                   array.components == 1 ? "" : fmt::format(", {} components, length", array.components),
                   array.low, array.high);
    }
}

void print_collection(const std::string& path) {
    const std::vector<FrameEntry> frames = list_frames(path);
    if (frames.empty()) {
        fmt::print("{}: no frames\n", path);
        return;
    }
    fmt::print("{}: {}, t = {} s to {} s\n", path, counted(static_cast<std::int64_t>(frames.size()), "frame"),
               frames.front().time, frames.back().time);
}

void print_series(const std::string& path, const SeriesFacts& facts) {
    fmt::print("{}: {} of {}", path, counted(facts.rows, "row"),
               counted(static_cast<std::int64_t>(facts.columns.size()), "column"));
    if (facts.rows > 0) fmt::print(", t = {} s to {} s", facts.first_time, facts.last_time);
    fmt::print("\n");
}

void print_directory(const std::string& directory) {
    const fs::path base(directory);
    const bool is_motion = fs::exists(base / "motion.pvd");  // of talus lagrange
    const fs::path frames_of = base / (is_motion ? "motion.pvd" : "particles.pvd");
    if (!fs::exists(frames_of)) {
        throw InputError(fmt::format(
            "{}: neither particles.pvd nor motion.pvd in this directory, so it holds no results of talus",
            directory));
    }
    for (const char* name : {"particles.pvd", "contacts.pvd", "walls.pvd", "motion.pvd"}) {
        if (fs::exists(base / name)) print_collection((base / name).string());
    }
    const std::vector<FrameEntry> frames = list_frames(frames_of.string());
    if (!frames.empty()) print_vtp(frames.back().path);
    for (const char* name : {"series.csv", "motion.csv", "impacts.csv"}) {
        const std::string series = (base / name).string();
        if (!fs::exists(series)) continue;
        if (const auto facts = inspect_series(series)) print_series(series, *facts);
    }
    if (std::ifstream summary(base / "summary.txt"); summary) {
        fmt::print("\n{}:\n", (base / "summary.txt").string());
        for (std::string line; std::getline(summary, line);) fmt::print("  {}\n", line);
    }
}

void print_packing(const std::string& path) {
    const Packing packing = read_packing(path);
    fmt::print("{}: {}\n", path, counted(static_cast<std::int64_t>(packing.position.size()), "particle"));
    if (packing.position.empty()) return;
    Vec3 low = packing.position.front(), high = low;
    for (const Vec3& x : packing.position) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    fmt::print("  centres   {} to {} m\n", place(low), place(high));
    const auto [small, large] = std::minmax_element(packing.radius.begin(), packing.radius.end());
    fmt::print("  radius    {:.6g} to {:.6g} m\n", *small, *large);
    fmt::print("  columns   position, radius{}{}{}\n", packing.velocity.empty() ? "" : ", velocity",
               packing.mass.empty() ? "" : ", mass", packing.group.empty() ? "" : ", group");
    if (!packing.ignored.empty()) fmt::print("  ignored   {}\n", fmt::join(packing.ignored, ", "));
}

void print_csv(const std::string& path) {
    const std::optional<SeriesFacts> series = inspect_series(path);
    if (!series) return print_packing(path);
    print_series(path, *series);
    for (const ColumnFacts& column : series->columns) {
        const std::string range =
            column.values > 0 ? fmt::format("{:.6g} to {:.6g}", column.low, column.high) : "no value";
        fmt::print("  {:<20} {}\n", column.name, range);
    }
}

void print_stl(const std::string& path) {
    const TriangleSoup soup = read_stl(path);
    fmt::print("{}: {}, {}\n", path, counted(static_cast<std::int64_t>(soup.triangles.size()), "triangle"),
               counted(static_cast<std::int64_t>(soup.points.size()), "point"));
}

}  // namespace

int info(const std::string& path) {
    std::error_code none;
    if (!fs::exists(path, none))
        throw InputError(fmt::format("{}: there is no such file or directory", path));
    if (fs::is_directory(path, none)) {
        print_directory(path);
        return kDone;
    }
    const std::map<std::string, std::function<void(const std::string&)>> kinds = {{".vtp", print_vtp},
                                                                                  {".pvd", print_collection},
                                                                                  {".csv", print_csv},
                                                                                  {".txt", print_csv},
                                                                                  {".stl", print_stl}};
    const std::string kind = lower_case(fs::path(path).extension().string());
    const auto known = kinds.find(kind);
    if (known == kinds.end()) {
        throw InputError(
            fmt::format("{}: expected a directory of results, or a .vtp, .pvd, .csv or .stl file{}", path,
                        kind == ".toml" ? "; for a scene use talus check" : ""));
    }
    known->second(path);
    return kDone;
}

}  // namespace talus::app
