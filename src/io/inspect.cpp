#include "talus/io/inspect.hpp"

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "collection.hpp"
#include "csv_table.hpp"
#include "talus/core/error.hpp"
#include "vtk_messages.hpp"

namespace talus {

namespace {

constexpr int kLength = -1;  // "component" of a vector whose range is that of its length, in VTK's convention

void add_arrays(vtkFieldData* data, const std::string& of, std::vector<ArrayFacts>& arrays) {
    for (int k = 0; k < data->GetNumberOfArrays(); ++k) {
        vtkDataArray* array = data->GetArray(k);
        if (array == nullptr || array->GetName() == nullptr) continue;
        ArrayFacts facts{array->GetName(), of, array->GetDataTypeAsString(), array->GetNumberOfComponents()};
        if (array->GetNumberOfTuples() > 0) {
            std::array<double, 2> range{};
            array->GetRange(range.data(), facts.components > 1 ? kLength : 0);
            facts.low = range[0];
            facts.high = range[1];
        }
        arrays.push_back(facts);
    }
}

void add_value(double value, ColumnFacts& column) {
    const bool first = column.values++ == 0;
    column.low = first ? value : std::min(column.low, value);
    column.high = first ? value : std::max(column.high, value);
}

void require_readable(const std::string& path) {
    std::error_code none;
    const bool file = std::filesystem::is_regular_file(path, none);
    if (!file || !std::ifstream(path))
        throw InputError(fmt::format("{}: no such file, or it can not be opened", path));
}

}  // namespace

FileFacts inspect_vtp(const std::string& path) {
    require_readable(path);
    const VtkMessages messages;
    vtkNew<vtkXMLPolyDataReader> reader;
    reader->SetFileName(path.c_str());
    const bool right_kind = reader->CanReadFile(path.c_str()) != 0;
    if (right_kind) reader->Update();
    if (!right_kind || reader->GetErrorCode() != 0 || !messages.text().empty()) {
        throw InputError(fmt::format("{}: not a complete .vtp file", path));
    }
    vtkPolyData* data = reader->GetOutput();
    FileFacts facts;
    facts.points = data->GetNumberOfPoints();
    facts.lines = data->GetNumberOfLines();
    facts.polygons = data->GetNumberOfPolys();
    if (facts.points > 0) {
        std::array<double, 6> bounds{};
        data->GetBounds(bounds.data());
        facts.low = {bounds[0], bounds[2], bounds[4]};
        facts.high = {bounds[1], bounds[3], bounds[5]};
    }
    vtkDataArray* time = data->GetFieldData()->GetArray("TimeValue");
    if (time != nullptr && time->GetNumberOfValues() == 1) facts.time = time->GetTuple1(0);
    add_arrays(data->GetPointData(), "points", facts.arrays);
    add_arrays(data->GetCellData(), "cells", facts.arrays);
    return facts;
}

std::optional<SeriesFacts> inspect_series(const std::string& path) {
    require_readable(path);
    CsvTable table(path);
    const std::optional<std::size_t> time = table.find({"time"});
    if (!time || table.find({"x"})) return std::nullopt;
    SeriesFacts facts;
    for (const std::string& name : table.columns()) facts.columns.push_back({name});
    for (; table.next_row(); ++facts.rows) {
        facts.last_time = table.number(*time);
        if (facts.rows == 0) facts.first_time = facts.last_time;
        for (std::size_t c = 0; c < facts.columns.size(); ++c) {
            if (!table.text(c).empty()) add_value(table.number(c), facts.columns[c]);
        }
    }
    return facts;
}

std::vector<FrameEntry> list_frames(const std::string& path) {
    require_readable(path);
    std::vector<FrameEntry> frames;
    for (const CollectionEntry& entry : read_collection(path)) {
        frames.push_back({entry.time, (std::filesystem::path(path).parent_path() / entry.file).string()});
    }
    return frames;
}

}  // namespace talus
