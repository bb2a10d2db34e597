#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace talus::app {

/// What is wrong with the command line and what was expected, on one line; CLI11's own sentences are about
/// its terms, not about the user's. @param argv for the first word: CLI11 takes a mistyped command for a
/// missing one.
std::string explain_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv);

/// "talus run": the command that was used, or "talus" where there was none.
std::string used_command(const CLI::App& app);

/// For options whose empty value would fall back to the default: a script's variable that is not set.
CLI::Validator not_empty(const std::string& expected);

}  // namespace talus::app
