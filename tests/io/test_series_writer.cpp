#include "talus/io/series_writer.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "io/support.hpp"
#include "talus/core/error.hpp"

using namespace talus;
using namespace talus::test;

TEST_CASE(
    "a row is in the file as soon as it is written, and numbers read back to the same bits; what is none is "
    "an empty cell") {
    const TemporaryDirectory directory;
    const std::string path = directory.file("series.csv");
    const DecimalCommas locale;
    SeriesWriter series(path, {"time", "energy"});
    CHECK(text_of(path) == "time,energy\n");
    series.row({0.025, 0.1 + 0.2});
    CHECK(text_of(path) == "time,energy\n0.025,0.30000000000000004\n");
    series.row({1e6 + 0.001, std::nan("")});
    CHECK(text_of(path) == "time,energy\n0.025,0.30000000000000004\n1000000.001,\n");
}

TEST_CASE("a row with the wrong number of values is refused") {
    const TemporaryDirectory directory;
    SeriesWriter series(directory.file("series.csv"), {"a", "b"});
    CHECK_THROWS_AS(series.row({1.0}), std::invalid_argument);
}

TEST_CASE("a series that can not be written is named") {
    CHECK(message_of<OutputError>([] {
              SeriesWriter("/no/such/series.csv", {"a"});
          }).find("/no/such/series.csv") == 0);
    CHECK(message_of<OutputError>([] { SeriesWriter("/dev/full", {"a"}); }).find("/dev/full") == 0);
}

TEST_CASE("on a full disc the series ends with a whole row") {
    const TemporaryDirectory directory;
    const SmallDisc disc(directory.path(), 16);
    if (!disc.mounted()) {
        MESSAGE("not run: this user may not mount a small file system");
        return;
    }
    const std::string path = directory.file("series.csv");
    SeriesWriter series(path, {"a"});
    const auto fill = [&series] {
        for (int i = 0; i < 100'000; ++i) series.row({1.0 / 3.0});
    };
    CHECK_THROWS_AS(fill(), OutputError);
    const std::string text = text_of(path);
    CHECK(text.size() > 10'000);
    CHECK(text.ends_with("0.3333333333333333\n"));
}
