#include "read_vtk.hpp"

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "packing_names.hpp"
#include "talus/bodies/particles.hpp"
#include "talus/core/error.hpp"
#include "vtk_messages.hpp"

namespace talus {
namespace {

[[noreturn]] void fail_point(const std::string& path, const char* array, std::size_t point,
                             const std::string& what) {
    throw InputError(fmt::format("{}: array '{}', point {}: {}", path, array, point, what));
}

/// The array of this name with this number of components, or none.
vtkDataArray* find_array(vtkPointData* data, const std::string& path, const char* name, int components) {
    vtkDataArray* array = data->GetArray(name);
    if (array != nullptr && array->GetNumberOfComponents() != components) {
        throw InputError(fmt::format("{}: array '{}' has {} components; expected {}", path, name,
                                     array->GetNumberOfComponents(), components));
    }
    return array;
}

std::vector<double> positive_values(const std::string& path, const char* name, vtkDataArray* array) {
    std::vector<double> values(static_cast<std::size_t>(array->GetNumberOfTuples()));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = array->GetComponent(static_cast<vtkIdType>(i), 0);
        if (!std::isfinite(values[i]) || !(values[i] > 0.0)) {
            fail_point(path, name, i, fmt::format("{} is not positive and finite", values[i]));
        }
    }
    return values;
}

void check_diameters(const std::string& path, const std::vector<double>& radius, vtkDataArray* diameter) {
    const std::vector<double> values = positive_values(path, "diameter", diameter);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (agree(radius[i], values[i])) continue;
        fail_point(
            path, "diameter", i,
            fmt::format("{} is not twice the radius {}; keep one of the two arrays", values[i], radius[i]));
    }
}

std::vector<std::string> ignored_arrays(vtkPointData* arrays) {
    constexpr std::array<std::string_view, 7> kRead = {"radius", "diameter",    "velocity",        "mass",
                                                       "group",  "orientation", "angular_velocity"};
    std::vector<std::string> names;
    for (int k = 0; k < arrays->GetNumberOfArrays(); ++k) {
        const char* name = arrays->GetArrayName(k);
        if (name == nullptr || only_in_frames(name)) continue;
        if (std::find(kRead.begin(), kRead.end(), name) == kRead.end()) names.emplace_back(name);
    }
    return names;
}

template <class Source>
std::vector<Vec3> vectors(const std::string& path, const char* name, vtkIdType count, Source&& tuple) {
    std::vector<Vec3> result(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < result.size(); ++i) {
        tuple(static_cast<vtkIdType>(i), result[i].data());
        if (!result[i].allFinite()) fail_point(path, name, i, "is not finite");
    }
    return result;
}

/// An array of three components, or nothing.
std::vector<Vec3> vector_array(vtkPointData* arrays, const std::string& path, const char* name) {
    vtkDataArray* array = find_array(arrays, path, name, 3);
    if (array == nullptr) return {};
    return vectors(path, name, array->GetNumberOfTuples(),
                   [array](vtkIdType i, double* v) { array->GetTuple(i, v); });
}

/// Components w x y z. An array of unit quaternions, or nothing.
std::vector<Quaternion> orientations(vtkPointData* arrays, const std::string& path) {
    vtkDataArray* array = find_array(arrays, path, "orientation", 4);
    std::vector<Quaternion> result;
    if (array == nullptr) return result;
    for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i) {
        std::array<double, 4> q{};
        array->GetTuple(i, q.data());
        result.emplace_back(q[0], q[1], q[2], q[3]);
        if (is_unit(result.back())) continue;
        fail_point(
            path, "orientation", static_cast<std::size_t>(i),
            fmt::format("({}, {}, {}, {}) is no unit quaternion w x y z; normalise it or remove the array",
                        q[0], q[1], q[2], q[3]));
    }
    return result;
}

Packing packing_of(vtkPolyData* data, const std::string& path) {
    Packing packing;
    const auto point = [data](vtkIdType i, double* x) { data->GetPoint(i, x); };
    packing.position = vectors(path, "Points", data->GetNumberOfPoints(), point);

    vtkPointData* arrays = data->GetPointData();
    vtkDataArray* diameter = find_array(arrays, path, "diameter", 1);
    if (vtkDataArray* radius = find_array(arrays, path, "radius", 1)) {
        packing.radius = positive_values(path, "radius", radius);
        if (diameter != nullptr) check_diameters(path, packing.radius, diameter);
    } else if (diameter != nullptr) {
        packing.radius = positive_values(path, "diameter", diameter);
        for (double& r : packing.radius) r *= 0.5;
    } else {
        throw InputError(fmt::format("{}: the points have neither an array 'radius' nor 'diameter'", path));
    }
    packing.velocity = vector_array(arrays, path, "velocity");
    packing.angular_velocity = vector_array(arrays, path, "angular_velocity");
    packing.orientation = orientations(arrays, path);
    if (vtkDataArray* mass = find_array(arrays, path, "mass", 1)) {
        packing.mass = positive_values(path, "mass", mass);
    }
    if (vtkDataArray* group = find_array(arrays, path, "group", 1)) {
        for (vtkIdType i = 0; i < group->GetNumberOfTuples(); ++i) {
            const double number = group->GetComponent(i, 0);
            if (!is_group(number)) {
                fail_point(path, "group", static_cast<std::size_t>(i),
                           fmt::format("{} is not the number of a group (0, 1, ...)", number));
            }
            packing.group.push_back(static_cast<std::int32_t>(number));
        }
    }
    packing.ignored = ignored_arrays(arrays);
    return packing;
}

/// VTK trusts the number of triangles that a binary file claims, and takes any text for an empty solid.
void check_stl(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error) throw InputError(fmt::format("{}: can not be read: {}", path, error.message()));
    constexpr std::size_t kHeader = 80, kTriangle = 50;  // [bytes]
    char begin[kHeader + 4] = {};
    std::ifstream file(path, std::ios::binary);
    if (!file) throw InputError(fmt::format("{}: can not be opened", path));
    file.read(begin, sizeof begin);
    std::uint32_t claimed = 0;
    std::memcpy(&claimed, begin + kHeader, sizeof claimed);
    if (size >= sizeof begin && size - sizeof begin == kTriangle * std::uintmax_t{claimed}) return;
    if (std::strncmp(begin, "solid", 5) == 0) return;
    throw InputError(
        fmt::format("{}: is no STL file: a text one begins with 'solid', and a binary one is as long as its "
                    "number of triangles says; export the mesh as STL",
                    path));
}

}  // namespace

Packing read_vtp(const std::string& path) {
    const VtkMessages messages;
    vtkNew<vtkXMLPolyDataReader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    if (reader->GetErrorCode() != 0 || !messages.text().empty()) {
        throw InputError(fmt::format("{}: can not be read as VTK XML poly data: {}", path, messages.text()));
    }
    return packing_of(reader->GetOutput(), path);
}

TriangleSoup read_stl(const std::string& path) {
    check_stl(path);
    const VtkMessages messages;
    vtkNew<vtkSTLReader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    vtkPolyData* data = reader->GetOutput();
    if (reader->GetErrorCode() != 0 || !messages.text().empty()) {
        throw InputError(fmt::format("{}: can not be read as STL: {}", path, messages.text()));
    }
    if (data->GetNumberOfPolys() == 0) throw InputError(fmt::format("{}: holds no triangles", path));

    TriangleSoup soup;
    const auto point = [data](vtkIdType i, double* x) { data->GetPoint(i, x); };
    soup.points = vectors(path, "Points", data->GetNumberOfPoints(), point);
    vtkNew<vtkIdList> corners;
    vtkCellArray* polygons = data->GetPolys();
    for (polygons->InitTraversal(); polygons->GetNextCell(corners) != 0;) {
        soup.triangles.push_back({static_cast<Index>(corners->GetId(0)),
                                  static_cast<Index>(corners->GetId(1)),
                                  static_cast<Index>(corners->GetId(2))});
    }
    return soup;
}

}  // namespace talus
