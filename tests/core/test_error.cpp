#include "talus/core/error.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace talus;

TEST_CASE("an input error reads file:line: key: message, without the parts that are not known") {
    CHECK(std::string(InputError({"a.toml", 12}, "time.step", "must be > 0").what()) ==
          "a.toml:12: time.step: must be > 0");
    CHECK(std::string(InputError({"a.toml", 0}, "time.step", "must be > 0").what()) ==
          "a.toml: time.step: must be > 0");
    CHECK(std::string(InputError({"a.toml", 3}, "", "not TOML").what()) == "a.toml:3: not TOML");
    CHECK(std::string(InputError({}, "time.step", "must be > 0").what()) == "time.step: must be > 0");
    CHECK(std::string(InputError("plain").what()) == "plain");
}
