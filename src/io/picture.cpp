#include "picture.hpp"

#include <fmt/format.h>
#include <vtkActor.h>
#include <vtkAutoInit.h>
#include <vtkCamera.h>
#include <vtkCleanPolyData.h>
#include <vtkColorTransferFunction.h>
#include <vtkDoubleArray.h>
#include <vtkFeatureEdges.h>
#include <vtkGlyph3DMapper.h>
#include <vtkImageData.h>
#include <vtkLightKit.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkPointData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkScalarBarActor.h>
#include <vtkSphereSource.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>
#include <vtkWindowToImageFilter.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "camera.hpp"
#include "talus/core/error.hpp"
#include "vtk_messages.hpp"

VTK_MODULE_INIT(vtkRenderingOpenGL2)
VTK_MODULE_INIT(vtkRenderingFreeType)

namespace talus {
namespace {

constexpr int kOversampling = 2;       ///< pixels drawn for one pixel of the picture, along each side
constexpr double kTextHeight = 0.024;  ///< of the picture's height
constexpr double kSheetOpacity = 0.12, kEdgeOpacity = 0.55;
constexpr double kEdgeAngle = 30.0;     ///< [deg]: flatter edges between triangles are not drawn
constexpr double kShiftForScale = 0.1;  ///< of half the width: what is drawn moves left of the colour scale
constexpr std::array<double, 3> kInk = {0.16, 0.18, 0.22}, kWallColor = {0.36, 0.42, 0.50};
/// Particles further than this many boxes away are left out: their coordinates would cost the others theirs,
/// which the graphics hardware holds in single precision.
constexpr double kFarAway = 10.0;
/// Radius of the sphere in which neighbours take away light, in radii of a large particle.
constexpr double kShadeReach = 3.0;
constexpr double kShadeBias = 0.02;  ///< depth that does not count as hidden, in the same radii
constexpr int kShadeSamples = 32;
constexpr double kKeyToFill = 2.0;
/// Bright enough to bear the shade between spheres, which discs in a plane do not have.
constexpr double kKeyLight = 1.0, kFlatKeyLight = 0.75;
constexpr double kOutlineError = 0.25;                ///< [pixels]
constexpr int kFewestCorners = 8, kMostCorners = 96;  ///< of a sphere's equator

/// From blue (low) over yellow to red (high), told apart with every kind of colour vision.
constexpr std::array<std::array<double, 3>, 6> kScale = {{{0.27, 0.50, 0.80},
                                                          {0.45, 0.72, 0.87},
                                                          {0.74, 0.90, 0.88},
                                                          {0.99, 0.90, 0.60},
                                                          {0.98, 0.64, 0.35},
                                                          {0.88, 0.27, 0.20}}};

/// The next number up that makes round labels at its quarters.
double rounded_up(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double digit : {1.0, 1.2, 1.6, 2.0, 3.0, 4.0, 6.0, 8.0}) {
        if (digit * power >= value) return digit * power;
    }
    return 10.0 * power;
}

vtkSmartPointer<vtkPolyData> sphere_points(const PictureFrame& frame, const PictureView& view) {
    const Vec3 centre = 0.5 * (view.box.low + view.box.high);
    const double reach = kFarAway * (view.box.high - view.box.low).norm();
    vtkNew<vtkPoints> points;
    vtkNew<vtkDoubleArray> radius, value;
    radius->SetName("radius");
    value->SetName("value");
    for (std::size_t i = 0; i < frame.position.size(); ++i) {
        if (!((frame.position[i] - centre).norm() <= reach)) continue;
        points->InsertNextPoint(frame.position[i].data());
        radius->InsertNextValue(frame.radius[i]);
        value->InsertNextValue(frame.value[i]);
    }
    auto data = vtkSmartPointer<vtkPolyData>::New();
    data->SetPoints(points);
    data->GetPointData()->AddArray(radius);
    data->GetPointData()->SetScalars(value);
    return data;
}

/// Averages blocks of kOversampling squared pixels.
vtkSmartPointer<vtkImageData> shrunk(vtkImageData* large) {
    std::array<int, 3> size{};
    large->GetDimensions(size.data());
    const int width = size[0] / kOversampling, height = size[1] / kOversampling;
    auto image = vtkSmartPointer<vtkImageData>::New();
    image->SetDimensions(width, height, 1);
    image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            std::array<int, 3> sum{};
            for (int k = 0; k < kOversampling * kOversampling; ++k) {
                const auto* pixel = static_cast<const unsigned char*>(large->GetScalarPointer(
                    x * kOversampling + k % kOversampling, y * kOversampling + k / kOversampling, 0));
                for (std::size_t c = 0; c < 3; ++c) sum[c] += pixel[c];
            }
            auto* out = static_cast<unsigned char*>(image->GetScalarPointer(x, y, 0));
            for (std::size_t c = 0; c < 3; ++c) {
                out[c] = static_cast<unsigned char>(sum[c] / (kOversampling * kOversampling));
            }
        }
    }
    return image;
}

void set_text(vtkTextProperty* text, int size) {
    text->SetFontFamilyToArial();
    text->SetFontSize(size);
    text->SetColor(kInk[0], kInk[1], kInk[2]);
    text->ItalicOff();
    text->BoldOff();
    text->ShadowOff();
}

}  // namespace

struct Picture::Impl {
    PictureView view;
    double pixels_per_metre = 1.0;  // at the middle of what is drawn
    VtkMessages messages;
    vtkNew<vtkRenderWindow> window;
    vtkNew<vtkRenderer> renderer;
    vtkNew<vtkLightKit> lights;
    vtkNew<vtkColorTransferFunction> colors;
    vtkNew<vtkSphereSource> sphere;  // of radius 1
    vtkNew<vtkGlyph3DMapper> spheres;
    vtkNew<vtkCleanPolyData> sheets;
    vtkNew<vtkFeatureEdges> edges;
    vtkNew<vtkTextActor> caption;

    void set_up_window(int width, int height);
    void set_up_colors(const std::string& title, int text_size);
    void set_up_spheres();
    void set_up_walls();
    void set_up_camera(int width, int height);
    void refine(double largest_radius);
    void shade(double largest_radius);
};

Picture::Picture(int width, int height, const PictureView& view, const std::string& title)
    : impl_(std::make_unique<Impl>()) {
    impl_->view = view;
    impl_->set_up_window(width * kOversampling, height * kOversampling);
    const int text_size = std::max(1, static_cast<int>(kTextHeight * height * kOversampling));
    impl_->set_up_colors(title, text_size);
    impl_->set_up_spheres();
    impl_->set_up_walls();
    impl_->set_up_camera(width, height);
    set_text(impl_->caption->GetTextProperty(), text_size);
    impl_->caption->GetPositionCoordinate()->SetCoordinateSystemToNormalizedViewport();
    impl_->caption->SetPosition(0.03, 0.94);
    impl_->renderer->AddViewProp(impl_->caption);
}

Picture::~Picture() = default;

void Picture::Impl::set_up_window(int width, int height) {
    window->SetOffScreenRendering(1);
    window->SetMultiSamples(0);  // the picture is drawn larger and averaged, which smooths spheres as well
    window->SetSize(width, height);
    window->AddRenderer(renderer);
    renderer->SetBackground(1.0, 1.0, 1.0);
    lights->SetKeyLightIntensity(view.flat ? kFlatKeyLight : kKeyLight);
    lights->SetKeyToFillRatio(kKeyToFill);
    lights->AddLightsToRenderer(renderer);
}

void Picture::Impl::set_up_colors(const std::string& title, int text_size) {
    const double low = view.low;
    const double high = view.high > low ? (low == 0.0 ? rounded_up(view.high) : view.high) : low + 1.0;
    for (std::size_t k = 0; k < kScale.size(); ++k) {
        const double share = static_cast<double>(k) / static_cast<double>(kScale.size() - 1);
        colors->AddRGBPoint(low + share * (high - low), kScale[k][0], kScale[k][1], kScale[k][2]);
    }
    vtkNew<vtkScalarBarActor> bar;
    bar->SetLookupTable(colors);
    bar->SetTitle(title.c_str());
    bar->SetNumberOfLabels(5);
    bar->SetLabelFormat("%.4g");
    bar->SetUnconstrainedFontSize(true);
    set_text(bar->GetTitleTextProperty(), text_size);
    set_text(bar->GetLabelTextProperty(), text_size);
    bar->SetVerticalTitleSeparation(text_size / 2);
    bar->SetBarRatio(0.22);
    bar->SetPosition(0.86, 0.3);
    bar->SetWidth(0.11);
    bar->SetHeight(0.42);
    renderer->AddViewProp(bar);
}

void Picture::Impl::set_up_spheres() {
    sphere->SetRadius(1.0);
    spheres->SetSourceConnection(sphere->GetOutputPort());
    spheres->SetScaleArray("radius");
    spheres->SetScaleModeToScaleByMagnitude();
    spheres->OrientOff();
    spheres->SetLookupTable(colors);
    spheres->SetScalarModeToUsePointData();
    spheres->UseLookupTableScalarRangeOn();
    vtkNew<vtkActor> actor;
    actor->SetMapper(spheres);
    actor->GetProperty()->SetSpecular(view.flat ? 0.0 : 0.2);
    actor->GetProperty()->SetSpecularPower(25.0);
    actor->GetProperty()->SetAmbient(0.25);
    renderer->AddActor(actor);
}

void Picture::Impl::set_up_walls() {
    const auto add = [this](vtkAlgorithm* source, double opacity, const std::array<double, 3>& color) {
        vtkNew<vtkPolyDataMapper> mapper;
        mapper->SetInputConnection(source->GetOutputPort());
        mapper->ScalarVisibilityOff();
        vtkNew<vtkActor> actor;
        actor->SetMapper(mapper);
        actor->GetProperty()->SetColor(color[0], color[1], color[2]);
        actor->GetProperty()->SetOpacity(opacity);
        actor->GetProperty()->SetLineWidth(kOversampling * (view.flat ? 2.0F : 1.0F));
        actor->GetProperty()->SetLighting(false);
        renderer->AddActor(actor);
    };
    sheets->PointMergingOn();
    edges->SetInputConnection(sheets->GetOutputPort());
    edges->SetFeatureAngle(kEdgeAngle);
    edges->ColoringOff();
    add(sheets, view.flat ? 1.0 : kSheetOpacity, kWallColor);
    add(edges, kEdgeOpacity, kWallColor);
}

void Picture::Impl::set_up_camera(int width, int height) {
    const CameraPlace place = place_camera(view.box, view.flat, static_cast<double>(width) / height, {});
    pixels_per_metre = 0.5 * height / place.half_height;
    vtkCamera* camera = renderer->GetActiveCamera();
    camera->SetPosition(place.position.data());
    camera->SetFocalPoint(place.target.data());
    camera->SetViewUp(place.up.data());
    camera->SetParallelProjection(view.flat);
    if (view.flat) {
        camera->SetParallelScale(place.half_height);
    } else {
        camera->SetViewAngle(place.view_angle);
    }
    camera->SetClippingRange(place.near, place.far);
    camera->SetWindowCenter(kShiftForScale, 0.0);
}

/// As many corners as keep the outline of the largest sphere within kOutlineError of a circle: the sagitta of
/// a chord is r pi^2 / (2 n^2).
void Picture::Impl::refine(double largest_radius) {
    const double pixels = largest_radius * pixels_per_metre;
    const int corners =
        static_cast<int>(std::ceil(std::numbers::pi * std::sqrt(pixels / (2.0 * kOutlineError))));
    sphere->SetThetaResolution(std::clamp(corners, kFewestCorners, kMostCorners));
    sphere->SetPhiResolution(std::clamp(corners / 2 + 1, kFewestCorners / 2 + 1, kMostCorners / 2 + 1));
}

/// Darkens the gaps between spheres, which shows the depth of a heap; discs in a plane have none.
void Picture::Impl::shade(double largest_radius) {
    renderer->SetUseSSAO(!view.flat && largest_radius > 0.0);
    renderer->SetSSAORadius(kShadeReach * largest_radius);
    renderer->SetSSAOBias(kShadeBias * largest_radius);
    renderer->SetSSAOKernelSize(kShadeSamples);
    renderer->SetSSAOBlur(true);
}

std::string Picture::png(const PictureFrame& frame) {
    Impl& s = *impl_;
    s.spheres->SetInputData(sphere_points(frame, s.view));
    const vtkNew<vtkPolyData> nothing;
    s.sheets->SetInputData(frame.walls ? frame.walls.Get() : nothing.Get());
    s.caption->SetInput(
        fmt::format("t = {:.4g} s     {} particles", frame.time, frame.position.size()).c_str());
    const double largest_radius =
        frame.radius.empty() ? 0.0 : *std::max_element(frame.radius.begin(), frame.radius.end());
    s.refine(largest_radius);
    s.shade(largest_radius);
    s.window->Render();

    vtkNew<vtkWindowToImageFilter> grab;
    grab->SetInput(s.window);
    grab->ReadFrontBufferOff();
    grab->ShouldRerenderOff();
    grab->SetInputBufferTypeToRGB();
    grab->Update();
    vtkNew<vtkPNGWriter> writer;
    writer->SetInputData(shrunk(grab->GetOutput()));
    writer->WriteToMemoryOn();
    writer->Write();
    vtkUnsignedCharArray* png = writer->GetResult();
    if (!s.messages.text().empty() || png == nullptr || png->GetNumberOfValues() == 0) {
        throw OutputError("a picture can not be drawn: " + s.messages.text());
    }
    const auto* begin = reinterpret_cast<const char*>(png->GetPointer(0));
    return {begin, static_cast<std::size_t>(png->GetNumberOfValues())};
}

}  // namespace talus
