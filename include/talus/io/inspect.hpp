#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "talus/core/types.hpp"

/// What files of results hold, for people who look at them.
namespace talus {

struct ArrayFacts {
    std::string name;
    std::string of;    ///< "points" or "cells"
    std::string type;  ///< VTK's name of the number type, such as "double"
    int components = 1;
    double low = 0.0, high = 0.0;  ///< values; of vectors the length; 0 without values
};

struct FileFacts {
    std::int64_t points = 0, lines = 0, polygons = 0;
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< bounding box of the points [m]; zero without points
    std::optional<double> time;                    ///< of the state, when the file says so [s]
    std::vector<ArrayFacts> arrays;
};

/// Facts of a .vtp file. @throws InputError when it can not be read as one.
FileFacts inspect_vtp(const std::string& path);

struct ColumnFacts {
    std::string name;
    std::int64_t values = 0;       ///< cells that are not empty
    double low = 0.0, high = 0.0;  ///< of the values; 0 without any
};

/// Facts of a series.csv.
struct SeriesFacts {
    std::int64_t rows = 0;
    std::vector<ColumnFacts> columns;          ///< in the order of the file
    double first_time = 0.0, last_time = 0.0;  ///< [s]; 0 without rows
};

/// Facts of a series; nothing when the table has no column "time" or has positions: then it is a packing.
/// @throws InputError when the file is no table of numbers.
std::optional<SeriesFacts> inspect_series(const std::string& path);

struct FrameEntry {
    double time = 0.0;  ///< [s]
    std::string path;
};

/// Frames of a .pvd collection, with paths that can be opened from here. @throws InputError.
std::vector<FrameEntry> list_frames(const std::string& path);

}  // namespace talus
