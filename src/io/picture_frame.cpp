#include "picture_frame.hpp"

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkXMLPolyDataReader.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "talus/core/error.hpp"
#include "vtk_messages.hpp"

namespace talus {
namespace {

/// Share of the particles at each end of an axis that may lie outside of the picture when they lie far out.
constexpr double kStray = 0.005;
/// How far from the others a stray particle may be and still be in the picture, as a fraction of their
/// extent.
constexpr double kStrayReach = 0.25;
constexpr double kBrightest = 0.99;  ///< share of the values below the end of the colour scale

vtkSmartPointer<vtkPolyData> read_poly_data(const std::string& path) {
    const VtkMessages messages;
    vtkNew<vtkXMLPolyDataReader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    if (reader->GetErrorCode() != 0 || !messages.text().empty()) {
        throw InputError(fmt::format("{}: can not be read: {}", path, messages.text()));
    }
    return reader->GetOutput();
}

vtkDataArray* require_array(vtkPolyData* data, const std::string& path, const std::string& name) {
    vtkPointData* arrays = data->GetPointData();
    if (vtkDataArray* array = arrays->GetArray(name.c_str())) return array;
    std::vector<std::string> names{"speed"};
    for (int a = 0; a < arrays->GetNumberOfArrays(); ++a) names.emplace_back(arrays->GetArrayName(a));
    throw InputError(
        fmt::format("{}: has no point array '{}'; it has: {}", path, name, fmt::join(names, ", ")));
}

std::vector<double> lengths(vtkDataArray* array) {
    std::vector<double> values(static_cast<std::size_t>(array->GetNumberOfTuples()));
    const int components = array->GetNumberOfComponents();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double* tuple = array->GetTuple(static_cast<vtkIdType>(i));
        double square = 0.0;
        for (int k = 0; k < components; ++k) square += tuple[k] * tuple[k];
        values[i] = components == 1 ? tuple[0] : std::sqrt(square);
    }
    return values;
}

/// Value below which `share` of the values lie. @param values not empty; reordered.
double quantile(std::vector<double>& values, double share) {
    const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<std::size_t>(rank)];
}

void include(PictureView& view, const Vec3& low, const Vec3& high) {
    view.box.low = view.empty ? low : view.box.low.cwiseMin(low);
    view.box.high = view.empty ? high : view.box.high.cwiseMax(high);
    view.empty = false;
}

/// Smallest and largest centre along an axis, strays far out left aside.
std::pair<double, double> extent(const std::vector<Vec3>& position, int axis) {
    std::vector<double> x(position.size());
    std::transform(position.begin(), position.end(), x.begin(), [axis](const Vec3& p) { return p(axis); });
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    const double first = *least, last = *most;
    const double low = quantile(x, kStray), high = quantile(x, 1.0 - kStray);
    const double reach = kStrayReach * (high - low);
    return {std::max(first, low - reach), std::min(last, high + reach)};
}

}  // namespace

PictureFrame read_picture_frame(const std::string& particles, const std::string& walls,
                                const std::string& color) {
    const vtkSmartPointer<vtkPolyData> data = read_poly_data(particles);
    PictureFrame frame;
    frame.radius = lengths(require_array(data, particles, "radius"));
    frame.value = lengths(require_array(data, particles, color == "speed" ? "velocity" : color));
    frame.position.resize(frame.radius.size());
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        data->GetPoint(static_cast<vtkIdType>(i), frame.position[i].data());
    }
    if (vtkDataArray* dimension = data->GetFieldData()->GetArray("dimension")) {
        frame.flat = dimension->GetComponent(0, 0) == 2.0;
    }
    if (!walls.empty()) frame.walls = read_poly_data(walls);
    return frame;
}

void widen_box(PictureView& view, const PictureFrame& frame) {
    view.flat = frame.flat;
    if (!frame.position.empty()) {
        std::vector<double> radii = frame.radius;
        const double r = quantile(radii, 1.0);
        Vec3 low, high;
        for (int axis = 0; axis < 3; ++axis) std::tie(low(axis), high(axis)) = extent(frame.position, axis);
        include(view, low - Vec3::Constant(r), high + Vec3::Constant(r));
    }
    vtkDataArray* bounded = frame.walls ? frame.walls->GetCellData()->GetArray("bounded") : nullptr;
    if (bounded == nullptr) return;
    for (vtkIdType c = 0; c < frame.walls->GetNumberOfCells(); ++c) {
        if (bounded->GetComponent(c, 0) == 0.0) continue;
        std::array<double, 6> b{};
        frame.walls->GetCellBounds(c, b.data());
        include(view, {b[0], b[2], b[4]}, {b[1], b[3], b[5]});
    }
}

void widen_scale(PictureView& view, const PictureFrame& frame) {
    if (frame.value.empty()) return;
    std::vector<double> values = frame.value;
    view.low = std::min(view.low, *std::min_element(values.begin(), values.end()));
    view.high = std::max(view.high, quantile(values, kBrightest));
}

std::string color_title(const std::string& color) {
    constexpr std::array<std::pair<const char*, const char*>, 7> kUnits = {{{"speed", "m/s"},
                                                                            {"velocity", "m/s"},
                                                                            {"radius", "m"},
                                                                            {"diameter", "m"},
                                                                            {"mass", "kg"},
                                                                            {"force", "N"},
                                                                            {"pressure", "Pa"}}};
    const auto* unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&](const auto& u) { return color == u.first; });
    return unit == kUnits.end() ? color : fmt::format("{} [{}]", color, unit->second);
}

}  // namespace talus
