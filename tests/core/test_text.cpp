#include "talus/core/text.hpp"

#include <doctest/doctest.h>

using namespace talus;

TEST_CASE("one thing is named in the singular, none and several in the plural") {
    CHECK(counted(0, "particle") == "0 particles");
    CHECK(counted(1, "particle") == "1 particle");
    CHECK(counted(2, "particle") == "2 particles");
    CHECK(counted(1, "entry", "entries") == "1 entry");
    CHECK(counted(3, "entry", "entries") == "3 entries");
}

TEST_CASE("ASCII letters become small and nothing else changes") {
    CHECK(lower_case("Points:0_AZ[") == "points:0_az[");
    CHECK(lower_case("\xC3\x84") == "\xC3\x84");  // no letter of another alphabet
}
