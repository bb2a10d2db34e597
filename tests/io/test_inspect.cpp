#include "talus/io/inspect.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "io/support.hpp"
#include "talus/core/error.hpp"
#include "talus/io/frame_writer.hpp"

using namespace talus;
using namespace talus::test;

TEST_CASE("a series is told from a packing, and its rows, times and ranges are found") {
    const TemporaryDirectory directory;
    const std::string series = directory.write("series.csv", "step,time,energy\n0,0.5,3\n1,0.75,-2\n2,1,7\n");
    const std::optional<SeriesFacts> facts = inspect_series(series);
    REQUIRE(facts);
    CHECK(facts->rows == 3);
    CHECK(facts->first_time == 0.5);
    CHECK(facts->last_time == 1.0);
    REQUIRE(facts->columns.size() == 3);
    CHECK(facts->columns[2].name == "energy");
    CHECK(facts->columns[2].low == -2.0);
    CHECK(facts->columns[2].high == 7.0);

    CHECK_FALSE(inspect_series(directory.write("packing.csv", "x,y,radius,time\n0,0,1,0\n")));
    CHECK_FALSE(inspect_series(directory.write("table.csv", "a,b\n1,2\n")));
}

TEST_CASE("a series without rows has columns and no range") {
    const TemporaryDirectory directory;
    const std::optional<SeriesFacts> facts = inspect_series(directory.write("series.csv", "time,energy\n"));
    REQUIRE(facts);
    CHECK(facts->rows == 0);
    CHECK(facts->columns.size() == 2);
    CHECK(facts->columns[1].high == 0.0);
}

TEST_CASE("empty cells of a series are in no range, and a column may have no value at all") {
    const TemporaryDirectory directory;
    const std::optional<SeriesFacts> facts =
        inspect_series(directory.write("series.csv", "time,angle,none\n0,,\n0.5,23,\n1,21.5,\n1.5,,\n"));
    REQUIRE(facts);
    CHECK(facts->rows == 4);
    CHECK(facts->columns[1].values == 2);
    CHECK(facts->columns[1].low == 21.5);
    CHECK(facts->columns[1].high == 23.0);
    CHECK(facts->columns[2].values == 0);
}

TEST_CASE("a series that is no table of numbers is refused with its line") {
    const TemporaryDirectory directory;
    const std::string path = directory.write("series.csv", "time,energy\n0,1\n0.5,much\n");
    CHECK(message_of<InputError>([&] { inspect_series(path); }).find("series.csv:3") != std::string::npos);
    CHECK_THROWS_AS(inspect_series(directory.file("none.csv")), InputError);
}

TEST_CASE("a frame is described by its points, its bounds, its time and the ranges of its arrays") {
    const TemporaryDirectory directory;
    FrameWriter writer(directory.path(), {});
    System system = three_spheres();
    system.time = 0.25;
    writer.write(system, three_contacts(), 1e-3);
    const std::vector<FrameEntry> frames = list_frames(directory.file("particles.pvd"));
    REQUIRE(frames.size() == 1);
    CHECK(frames.front().time == 0.25);

    const FileFacts facts = inspect_vtp(frames.front().path);
    CHECK(facts.points == 3);
    REQUIRE(facts.time);
    CHECK(*facts.time == 0.25);
    Vec3 low = system.particles.position.front(), high = low;
    for (const auto& x : system.particles.position) {
        low = low.cwiseMin(Vec3(x));
        high = high.cwiseMax(Vec3(x));
    }
    CHECK(facts.low == low);
    CHECK(facts.high == high);
    const auto id = std::find_if(facts.arrays.begin(), facts.arrays.end(),
                                 [](const ArrayFacts& a) { return a.name == "id"; });
    REQUIRE(id != facts.arrays.end());
    CHECK(id->low == 7.0);
    CHECK(id->high == 12.0);
}
