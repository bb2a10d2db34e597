#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "scene/scene_text.hpp"

using namespace talus;

namespace {

std::set<std::string> example_files() {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(TALUS_SOURCE_DIR "/scenes")) {
        if (entry.path().extension() == ".toml") files.insert(entry.path().string());
    }
    return files;
}

}  // namespace

TEST_CASE("every scene of the folder scenes is read, and says what to expect and whence") {
    const std::set<std::string> files = example_files();
    CHECK(files.size() >= 9);
    for (const std::string& file : files) {
        CAPTURE(file);
        const Scene scene = read_scene(file);
        CHECK(scene.end > 0.0);
        CHECK(scene.text.substr(0, 2) == "# ");
        CHECK(scene_text::holds(scene.text, {"# Expect: ", "# Source: "}));
        CHECK((!scene.particles.empty() || !scene.inlets.empty()));
    }
}

TEST_CASE("the column of the collapse scenes has the aspect ratio that is asked for") {
    for (const double aspect : {0.5, 4.0}) {
        const Scene scene =
            read_scene(TALUS_SOURCE_DIR "/scenes/collapse_2d.toml",
                       {"parameters.aspect=" + std::to_string(aspect), "parameters.count=500"});
        const System system = build_system(scene);
        CHECK(system.particles.size() == 500);
        Vec3 high = Vec3::Zero();
        for (const Vec3& x : system.particles.position) high = high.cwiseMax(x);
        // A row or column of the lattice more or less.
        CHECK(high[1] / high[0] > 0.75 * aspect);
        CHECK(high[1] / high[0] < 1.35 * aspect);
    }
}
