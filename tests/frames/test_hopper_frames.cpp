#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "support/overlap.hpp"
#include "talus/io/read_packing.hpp"
#include "talus/scene/scene_file.hpp"

using namespace talus;

namespace {

namespace fs = std::filesystem;

const std::string kScene = std::string(TALUS_SOURCE_DIR) + "/scenes/hopper_3d.toml";

/// Runs the hopper with fewer and larger spheres into a fresh directory, which vanishes with the object.
class Run {
public:
    explicit Run(const std::string& options) {
        std::string name = (fs::temp_directory_path() / "talus_frames_XXXXXX").string();
        directory_ = mkdtemp(name.data());
        const std::string line = std::string(TALUS_EXECUTABLE) + " run " + kScene +
                                 " --quiet --force --out " + directory_ + " --set output.every=0.05 " +
                                 options;
        code_ = std::system(line.c_str());
    }
    ~Run() { fs::remove_all(directory_); }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    int code() const { return code_; }
    std::string frame(int number) const {
        return directory_ + "/particles_" + std::to_string(1000000 + number).substr(1) + ".vtp";
    }

private:
    std::string directory_;
    int code_ = -1;
};

void check_frames(const std::string& options, int frames, double allowed) {
    const Run run(options);
    REQUIRE(run.code() == 0);
    const Scene scene = read_scene(kScene, {"parameters.radius=4.7e-3"});
    REQUIRE_FALSE(scene.walls.empty());
    for (int k = 0; k < frames; ++k) {
        CAPTURE(k);
        const Packing frame = read_packing(run.frame(k));
        CHECK(frame.position.size() > 500);
        CHECK(test::worst_overlap(frame.position, frame.radius, scene.walls, 0.05 * k) <= allowed);
    }
}

}  // namespace

TEST_CASE(
    "no sphere of a hopper overlaps another or a wall by more than 1e-4 of its radius in any frame, with the "
    "defaults") {
    check_frames("--set particles[0].count=3000 --set parameters.radius=4.7e-3 --until 0.45", 10, 1e-4);
}

TEST_CASE("one setting brings the overlap of every frame down to 1e-8") {
    check_frames(
        "--set particles[0].count=1000 --set parameters.radius=4.7e-3 --until 0.3 --set "
        "solver.overlap_tolerance=1e-8",
        7, 1e-8);
}
