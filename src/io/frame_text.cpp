#include "frame_text.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkTypeInt8Array.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <numbers>

#include "talus/core/error.hpp"
#include "vtk_messages.hpp"

namespace talus {
namespace {

/// Digits of positions hardly compress: the fastest level is 3 to 4 times faster than the usual one for files
/// a few percent larger.
constexpr int kCompressionLevel = 1;

/// Adds an array of `tuples` zeros to `data`. @return its values, component by component.
template <class Array>
auto* add_array(vtkFieldData* data, const char* name, std::size_t tuples, int components = 1) {
    vtkNew<Array> array;
    array->SetName(name);
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(static_cast<vtkIdType>(tuples));
    auto* values = array->GetPointer(0);
    std::fill_n(values, tuples * static_cast<std::size_t>(components), 0);
    data->AddArray(array);
    return values;
}

template <class Array, class T>
void add_copy(vtkFieldData* data, const char* name, const std::vector<T>& values) {
    std::copy(values.begin(), values.end(), add_array<Array>(data, name, values.size()));
}

void add_vectors(vtkFieldData* data, const char* name, const std::vector<Vec3>& vectors) {
    double* out = add_array<vtkDoubleArray>(data, name, vectors.size(), 3);
    for (const Vec3& v : vectors) out = std::copy_n(v.data(), 3, out);
}

/// w x y z, the order of the formulas; Eigen keeps w last.
void add_quaternions(vtkFieldData* data, const char* name, const std::vector<Quaternion>& quaternions) {
    double* out = add_array<vtkDoubleArray>(data, name, quaternions.size(), 4);
    for (const Quaternion& q : quaternions) {
        for (const double component : {q.w(), q.x(), q.y(), q.z()}) *out++ = component;
    }
}

vtkSmartPointer<vtkPoints> make_points(const std::vector<Vec3>& positions) {
    auto points = vtkSmartPointer<vtkPoints>::New();
    points->SetDataTypeToDouble();
    points->SetNumberOfPoints(static_cast<vtkIdType>(positions.size()));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        points->SetPoint(static_cast<vtkIdType>(i), positions[i].data());
    }
    return points;
}

/// `count` cells of `corners` points each; cell c has the points point(c, 0), point(c, 1), ...
template <class Point>
vtkSmartPointer<vtkCellArray> make_cells(std::size_t count, int corners, Point&& point) {
    vtkNew<vtkTypeInt32Array> offsets, connectivity;
    offsets->SetNumberOfValues(static_cast<vtkIdType>(count) + 1);
    connectivity->SetNumberOfValues(static_cast<vtkIdType>(count) * corners);
    Index* next = connectivity->GetPointer(0);
    for (std::size_t c = 0; c < count; ++c) {
        for (int k = 0; k < corners; ++k) *next++ = point(c, k);
    }
    for (std::size_t c = 0; c <= count; ++c) {
        offsets->SetValue(static_cast<vtkIdType>(c), static_cast<Index>(c) * corners);
    }
    auto cells = vtkSmartPointer<vtkCellArray>::New();
    cells->SetData(offsets, connectivity);
    return cells;
}

void add_facts(vtkPolyData* data, const Frame& frame) {
    *add_array<vtkDoubleArray>(data->GetFieldData(), "TimeValue", 1) = frame.time;
    *add_array<vtkTypeInt32Array>(data->GetFieldData(), "dimension", 1) = frame.dimension;
}

std::string text_of(vtkPolyData* data) {
    const VtkMessages messages;
    vtkNew<vtkXMLPolyDataWriter> writer;
    writer->SetInputData(data);
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetHeaderTypeToUInt64();
    writer->SetCompressorTypeToZLib();
    writer->SetCompressionLevel(kCompressionLevel);
    writer->WriteToOutputStringOn();
    if (writer->Write() != 1 || writer->GetErrorCode() != 0 || !messages.text().empty()) {
        throw OutputError("a frame can not be put into VTK's format: " + messages.text());
    }
    return writer->GetOutputString();
}

double volume(double radius, int dimension) {
    return dimension == 2 ? std::numbers::pi * radius * radius
                          : 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

/// Adds coordination and pressure.
void add_contact_sums(vtkFieldData* data, const Frame& frame) {
    Index* coordination = add_array<vtkTypeInt32Array>(data, "coordination", frame.id.size());
    double* pressure = add_array<vtkDoubleArray>(data, "pressure", frame.id.size());
    for (const Frame::Touch& touch : frame.touches) {
        for (const Index i : {touch.first, touch.second}) {
            if (i < 0) continue;
            const double r = frame.radius[static_cast<std::size_t>(i)];
            coordination[i] += 1;
            pressure[i] += r * touch.force / (frame.dimension * volume(r, frame.dimension));
        }
    }
}

/// Distance between the surfaces at the time of the state; the contact's own gap is that before the solve.
double present_gap(const Frame& frame, const Frame::Touch& touch) {
    const Vec3& x = frame.position[static_cast<std::size_t>(touch.first)];
    const double r = frame.radius[static_cast<std::size_t>(touch.first)];
    if (touch.second < 0) {
        const Wall& wall = frame.walls[static_cast<std::size_t>(-1 - touch.second)];
        return wall.shape->distance(wall.motion.pose(frame.time).to_local(x)) - r;
    }
    const auto j = static_cast<std::size_t>(touch.second);
    return (frame.position[j] - x).norm() - r - frame.radius[j];
}

}  // namespace

std::string particles_text(const Frame& frame) {
    const std::size_t count = frame.id.size();
    vtkNew<vtkPolyData> data;
    data->SetPoints(make_points(frame.position));
    data->SetVerts(make_cells(count, 1, [](std::size_t c, int) { return static_cast<Index>(c); }));

    vtkPointData* arrays = data->GetPointData();
    add_copy<vtkTypeInt64Array>(arrays, "id", frame.id);
    add_copy<vtkDoubleArray>(arrays, "radius", frame.radius);
    double* diameter = add_array<vtkDoubleArray>(arrays, "diameter", count);
    for (const double r : frame.radius) *diameter++ = 2.0 * r;
    add_copy<vtkDoubleArray>(arrays, "mass", frame.mass);
    add_vectors(arrays, "velocity", frame.velocity);
    add_vectors(arrays, "force", frame.contact_force);
    add_contact_sums(arrays, frame);
    add_copy<vtkTypeInt32Array>(arrays, "group", frame.group);
    if (frame.rotation) {
        add_quaternions(arrays, "orientation", frame.orientation);
        add_vectors(arrays, "angular_velocity", frame.angular_velocity);
    }
    add_facts(data, frame);
    return text_of(data);
}

std::string contacts_text(const Frame& frame) {
    std::vector<Vec3> ends;
    std::vector<double> gaps, forces;
    std::vector<ParticleId> first, second;
    auto wall_normal = frame.wall_normals.begin();
    for (const Frame::Touch& touch : frame.touches) {
        const auto i = static_cast<std::size_t>(touch.first), j = static_cast<std::size_t>(touch.second);
        const bool with_wall = touch.second < 0;
        const double gap = present_gap(frame, touch);
        const Vec3& x = frame.position[i];
        ends.push_back(x);
        ends.push_back(with_wall ? Vec3(x + (frame.radius[i] + gap) * *wall_normal++) : frame.position[j]);
        gaps.push_back(gap);
        forces.push_back(touch.force);
        first.push_back(frame.id[i]);
        second.push_back(with_wall ? ParticleId{touch.second} : frame.id[j]);
    }
    vtkNew<vtkPolyData> data;
    data->SetPoints(make_points(ends));
    data->SetLines(
        make_cells(gaps.size(), 2, [](std::size_t c, int k) { return static_cast<Index>(2 * c) + k; }));
    vtkCellData* arrays = data->GetCellData();
    add_copy<vtkDoubleArray>(arrays, "gap", gaps);
    add_copy<vtkDoubleArray>(arrays, "force", forces);
    add_copy<vtkTypeInt64Array>(arrays, "id_first", first);
    add_copy<vtkTypeInt64Array>(arrays, "id_second", second);
    if (frame.rotation) {
        add_vectors(arrays, "force_tangential", frame.tangential_force);
        add_copy<vtkTypeInt8Array>(arrays, "sliding", frame.sliding);
    }
    if (frame.rolling_friction) add_vectors(arrays, "rolling_moment", frame.rolling_moment);
    add_facts(data, frame);
    return text_of(data);
}

std::string walls_text(const Frame& frame, const std::vector<PlacedSurface>& walls) {
    std::vector<Vec3> points;
    std::vector<std::array<Index, 2>> lines;
    std::vector<std::array<Index, 3>> triangles;
    std::array<std::vector<std::int32_t>, 2> wall,
        bounded;  // of the lines, of the triangles: VTK's cell order
    for (const PlacedSurface& placed : walls) {
        const auto base = static_cast<Index>(points.size());
        points.insert(points.end(), placed.surface.points.begin(), placed.surface.points.end());
        for (const auto& [a, b] : placed.surface.lines) lines.push_back({base + a, base + b});
        for (const auto& [a, b, c] : placed.surface.triangles)
            triangles.push_back({base + a, base + b, base + c});
        for (std::size_t kind = 0; kind < 2; ++kind) {
            wall[kind].resize(kind == 0 ? lines.size() : triangles.size(), placed.wall);
            bounded[kind].resize(wall[kind].size(), placed.bounded ? 1 : 0);
        }
    }
    wall[0].insert(wall[0].end(), wall[1].begin(), wall[1].end());
    bounded[0].insert(bounded[0].end(), bounded[1].begin(), bounded[1].end());

    vtkNew<vtkPolyData> data;
    data->SetPoints(make_points(points));
    data->SetLines(make_cells(lines.size(), 2, [&](std::size_t c, int k) { return lines[c][k]; }));
    data->SetPolys(make_cells(triangles.size(), 3, [&](std::size_t c, int k) { return triangles[c][k]; }));
    add_copy<vtkTypeInt32Array>(data->GetCellData(), "wall", wall[0]);
    add_copy<vtkTypeInt32Array>(data->GetCellData(), "bounded", bounded[0]);
    add_facts(data, frame);
    return text_of(data);
}

std::string motion_text(double time, const std::vector<Vec3>& points,
                        const std::vector<std::vector<Vec3>>& lines) {
    vtkNew<vtkPolyData> data;
    std::vector<Vec3> corners = points;
    vtkNew<vtkCellArray> polylines;
    for (const std::vector<Vec3>& line : lines) {
        polylines->InsertNextCell(static_cast<int>(line.size()));
        for (const Vec3& corner : line) {
            polylines->InsertCellPoint(static_cast<vtkIdType>(corners.size()));
            corners.push_back(corner);
        }
    }
    data->SetPoints(make_points(corners));
    data->SetVerts(make_cells(points.size(), 1, [](std::size_t c, int) { return static_cast<Index>(c); }));
    data->SetLines(polylines);
    *add_array<vtkDoubleArray>(data->GetFieldData(), "TimeValue", 1) = time;
    return text_of(data);
}

}  // namespace talus
