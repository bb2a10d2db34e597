#include "talus/io/read_packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "csv_table.hpp"
#include "read_vtk.hpp"
#include "talus/core/error.hpp"

namespace talus {
namespace {

/// Columns of a table, by the names that talus, other tools and ParaView's own CSV files use.
struct Columns {
    std::optional<std::size_t> x, y, z, radius, diameter, vx, vy, vz, mass, group;

    explicit Columns(const CsvTable& table)
        : x(table.find({"x", "points:0", "points_0"})),
          y(table.find({"y", "points:1", "points_1"})),
          z(table.find({"z", "points:2", "points_2"})),
          radius(table.find({"radius", "r"})),
          diameter(table.find({"diameter", "d"})),
          vx(table.find({"vx", "velocity:0", "velocity_0"})),
          vy(table.find({"vy", "velocity:1", "velocity_1"})),
          vz(table.find({"vz", "velocity:2", "velocity_2"})),
          mass(table.find({"mass"})),
          group(table.find({"group"})) {}
};

void check_complete(const std::string& path, const Columns& columns, const CsvTable& table) {
    const auto missing = [&](const char* name) {
        throw InputError(fmt::format("{}: column '{}' is missing; the first line names: {}", path, name,
                                     fmt::join(table.columns(), ", ")));
    };
    if (!columns.x) missing("x");
    if (!columns.y) missing("y");
    if (!columns.radius && !columns.diameter) missing("radius");
    if (columns.vx && !columns.vy) missing("vy");
    if ((columns.vy || columns.vz) && !columns.vx) missing("vx");
}

double positive(const CsvTable& table, std::size_t column) {
    const double value = table.number(column);
    if (!(value > 0.0)) table.fail(column, fmt::format("{} is not positive", value));
    return value;
}

std::int32_t whole(const CsvTable& table, std::size_t column) {
    const double value = table.number(column);
    if (value != std::floor(value) || value < 0.0 || value > std::numeric_limits<std::int32_t>::max()) {
        table.fail(column, fmt::format("{} is not the number of a group (0, 1, ...)", value));
    }
    return static_cast<std::int32_t>(value);
}

Packing read_csv(const std::string& path) {
    CsvTable table(path);
    const Columns columns(table);
    check_complete(path, columns, table);
    const auto optional = [&table](std::optional<std::size_t> column) {
        return column ? table.number(*column) : 0.0;
    };
    Packing packing;
    while (table.next_row()) {
        packing.position.emplace_back(table.number(*columns.x), table.number(*columns.y),
                                      optional(columns.z));
        packing.radius.push_back(columns.radius ? positive(table, *columns.radius)
                                                : 0.5 * positive(table, *columns.diameter));
        if (columns.vx) {
            packing.velocity.emplace_back(table.number(*columns.vx), table.number(*columns.vy),
                                          optional(columns.vz));
        }
        if (columns.mass) packing.mass.push_back(positive(table, *columns.mass));
        if (columns.group) packing.group.push_back(whole(table, *columns.group));
    }
    return packing;
}

}  // namespace

Packing read_packing(const std::string& path) {
    std::error_code none;
    if (!std::filesystem::exists(path, none))
        throw InputError(fmt::format("{}: there is no such file", path));
    if (std::filesystem::is_directory(path, none)) {
        throw InputError(fmt::format("{}: is a directory; give a .csv or .vtp file", path));
    }
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (ending == ".vtp") return read_vtp(path);
    if (ending == ".csv" || ending == ".txt") return read_csv(path);
    throw InputError(fmt::format("{}: particles are read from .csv (or .txt) and .vtp files", path));
}

}  // namespace talus
