#include "talus/io/render.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>  // setenv is POSIX, not in <cstdlib>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>
#include <vtkSmartPointer.h>

#include <array>
#include <filesystem>
#include <optional>

#include "../../src/io/display.hpp"
#include "io/support.hpp"
#include "talus/core/error.hpp"
#include "talus/io/frame_writer.hpp"

using namespace talus;
using namespace talus::test;

namespace {

/// Another value of DISPLAY until the end of the scope.
class Display {
public:
    explicit Display(const char* value) {
        if (const char* before = std::getenv("DISPLAY")) before_ = before;
        ::setenv("DISPLAY", value, 1);
    }
    ~Display() {
        if (before_) {
            ::setenv("DISPLAY", before_->c_str(), 1);
        } else {
            ::unsetenv("DISPLAY");
        }
    }
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

private:
    std::optional<std::string> before_;
};

/// True where pictures can be drawn; says so where they can not.
bool can_draw() {
    const std::string reason = message_of<InputError>([] { const DisplayConnection display; });
    if (!reason.empty()) MESSAGE("drawing not tried: " << reason);
    return reason.empty();
}

void write_frames(const std::string& directory, int count, int dimension) {
    FrameWriter writer(directory, {});
    System system = three_spheres();
    system.dimension = dimension;
    if (dimension == 2) system.walls.clear();
    for (auto& x : system.particles.position) {
        if (dimension == 2) x.z() = 0.0;
    }
    for (int k = 0; k < count; ++k) {
        system.time = 0.1 * k;
        writer.write(system, {}, 1.0);
    }
}

/// Pixels that are clearly coloured (spheres and the colour scale).
int colored_pixels(const std::string& path, const std::array<int, 2>& size) {
    vtkNew<vtkPNGReader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    vtkImageData* image = reader->GetOutput();
    CHECK(image->GetDimensions()[0] == size[0]);
    CHECK(image->GetDimensions()[1] == size[1]);
    REQUIRE(image->GetNumberOfScalarComponents() == 3);
    int count = 0;
    for (int y = 0; y < size[1]; ++y) {
        for (int x = 0; x < size[0]; ++x) {
            const auto* p = static_cast<const unsigned char*>(image->GetScalarPointer(x, y, 0));
            if (std::max({p[0], p[1], p[2]}) - std::min({p[0], p[1], p[2]}) > 60) ++count;
        }
    }
    return count;
}

}  // namespace

TEST_CASE("without a display the message says what to do, and nothing is drawn") {
    const TemporaryDirectory directory;
    write_frames(directory.path(), 1, 3);
    for (const char* display : {"", ":12345", "no-such-host.invalid:0"}) {
        const Display none(display);
        const std::string message =
            message_of<InputError>([&] { render(directory.path(), directory.file("picture.png"), {}); });
        CHECK(message.find("xvfb-run -a talus render DIR") != std::string::npos);
    }
    CHECK(!std::filesystem::exists(directory.file("picture.png")));
}

TEST_CASE("a directory without frames, an unknown array and an impossible size are refused before drawing") {
    const TemporaryDirectory directory;
    const std::string out = directory.file("picture.png");
    CHECK(message_of<InputError>([&] { render(directory.path(), out, {}); }).find("particles.pvd") !=
          std::string::npos);
    directory.write("particles.pvd", "<VTKFile>\n</VTKFile>\n");
    CHECK_THROWS_AS(render(directory.path(), out, {}), InputError);
    const std::string whole = "<DataSet timestep=\"0.5\" file=\"a.vtp\"/>\n";
    for (const std::size_t size : {whole.size(), whole.size() - 5}) {
        directory.write("particles.pvd", whole.substr(0, size));
        CHECK(message_of<InputError>([&] { render(directory.path(), out, {}); }).find("particles.pvd") !=
              std::string::npos);
    }
    directory.write("particles.pvd", "<DataSet timestep=\"0,5\" file=\"a.vtp\"/>\n");
    CHECK(message_of<InputError>([&] { render(directory.path(), out, {}); }).find("particles.pvd:1") !=
          std::string::npos);
    write_frames(directory.path(), 1, 3);
    for (const int width : {0, -1, 100'000}) {
        CHECK_THROWS_AS(render(directory.path(), out, {.width = width}), InputError);
    }
}

TEST_CASE("one picture shows the last frame, and all frames give one picture each") {
    if (!can_draw()) return;
    for (const int dimension : {3, 2}) {
        const TemporaryDirectory directory;
        write_frames(directory.path(), 2, dimension);
        RenderOptions options;
        options.width = 160;
        options.height = 120;
        const std::string out = directory.file("picture.png");
        CHECK(render(directory.path(), out, options) == std::vector<std::string>{out});
        CHECK(colored_pixels(out, {160, 120}) > 160 * 120 / 50);
        options.all_frames = true;
        const std::vector<std::string> expected = {directory.file("picture_000000.png"),
                                                   directory.file("picture_000001.png")};
        CHECK(render(directory.path(), "", options) == expected);
        CHECK(colored_pixels(expected[1], {160, 120}) == colored_pixels(out, {160, 120}));
        options.color = "colour";
        CHECK(message_of<InputError>([&] { render(directory.path(), "", options); }).find("coordination") !=
              std::string::npos);
        CHECK_THROWS_AS(render(directory.path(), "/no/such/picture.png", {.width = 16, .height = 16}),
                        OutputError);
    }
}

TEST_CASE("a picture of no particles and no walls can be drawn") {
    if (!can_draw()) return;
    const TemporaryDirectory directory;
    FrameWriter(directory.path(), {}).write(System{}, {}, 1.0);
    CHECK(render(directory.path(), directory.file("p.png"), {.width = 32, .height = 32}).size() == 1);
}
