#include "talus/io/read_packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "csv_table.hpp"
#include "packing_names.hpp"
#include "read_vtk.hpp"
#include "talus/core/error.hpp"
#include "talus/core/text.hpp"

namespace talus {
namespace {

/// Columns of a table, by the names that talus, other tools and ParaView's own CSV files use.
struct Columns {
    std::optional<std::size_t> x, y, z, radius, diameter, vx, vy, vz, mass, group, wx, wy, wz;

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
          group(table.find({"group"})),
          wx(table.find({"wx", "angular_velocity:0", "angular_velocity_0"})),
          wy(table.find({"wy", "angular_velocity:1", "angular_velocity_1"})),
          wz(table.find({"wz", "angular_velocity:2", "angular_velocity_2"})) {}

    bool contains(std::size_t column) const {
        const auto all = {x, y, z, radius, diameter, vx, vy, vz, mass, group, wx, wy, wz};
        return std::find(all.begin(), all.end(), column) != all.end();
    }
};

std::vector<std::string> ignored_columns(const CsvTable& table, const Columns& columns) {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < table.columns().size(); ++c) {
        if (!columns.contains(c) && !only_in_frames(table.columns()[c])) names.push_back(table.columns()[c]);
    }
    return names;
}

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

double radius_of(const CsvTable& table, const Columns& columns) {
    if (!columns.diameter) return positive(table, *columns.radius);
    const double diameter = positive(table, *columns.diameter);
    if (!columns.radius) return 0.5 * diameter;
    const double radius = positive(table, *columns.radius);
    if (!agree(radius, diameter)) {
        table.fail(
            *columns.diameter,
            fmt::format("{} is not twice the radius {}; keep one of the two columns", diameter, radius));
    }
    return radius;
}

std::int32_t group_number(const CsvTable& table, std::size_t column) {
    if (!table.text(column).empty() && !table.holds_number(column)) {
        table.fail(column,
                   fmt::format("'{}' is no number; groups are numbered 0, 1, ... in the order of the scene "
                               "(or leave the column out and give 'group' in the [[particles]] entry)",
                               table.text(column)));
    }
    const double value = table.number(column);
    if (!is_group(value)) {
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
    packing.ignored = ignored_columns(table, columns);
    while (table.next_row()) {
        packing.position.emplace_back(table.number(*columns.x), table.number(*columns.y),
                                      optional(columns.z));
        packing.radius.push_back(radius_of(table, columns));
        if (columns.vx) {
            packing.velocity.emplace_back(table.number(*columns.vx), table.number(*columns.vy),
                                          optional(columns.vz));
        }
        // In the plane there is only wz.
        if (columns.wx || columns.wy || columns.wz) {
            packing.angular_velocity.emplace_back(optional(columns.wx), optional(columns.wy),
                                                  optional(columns.wz));
        }
        if (columns.mass) packing.mass.push_back(positive(table, *columns.mass));
        if (columns.group) packing.group.push_back(group_number(table, *columns.group));
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
    // A pipe or a device may never end.
    if (!std::filesystem::is_regular_file(path, none)) {
        throw InputError(fmt::format("{}: is no regular file; give a .csv or .vtp file", path));
    }
    std::filesystem::path name = lower_case(path);
    const bool packed = name.extension() == ".gz";
    if (packed) name.replace_extension();
    const std::filesystem::path ending = name.extension();
    if (ending == ".csv" || ending == ".txt") return read_csv(path);
    if (ending == ".vtp" && !packed) return read_vtp(path);
    throw InputError(fmt::format("{}: particles are read from .csv (or .txt), .csv.gz and .vtp files", path));
}

}  // namespace talus
