#include "talus/io/output_directory.hpp"

#include <fmt/format.h>
#include <stdlib.h>  // mkstemp is POSIX, not in <cstdlib>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "output_file.hpp"
#include "talus/core/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

struct NumberedName {
    std::string_view prefix, suffix;  // digits stand between them
};
constexpr std::array<NumberedName, 5> kNumbered = {{
    {"particles_", ".vtp"},
    {"contacts_", ".vtp"},
    {"walls_", ".vtp"},
    {"picture_", ".png"},
    {"motion_", ".vtp"},
}};
constexpr std::array<std::string_view, 13> kPlain = {
    "particles.pvd",   "contacts.pvd",   "walls.pvd",      "series.csv", "summary.txt",
    "scene.toml",      "picture.png",    "motion.pvd",     "motion.csv", "impacts.csv",
    "convergence.csv", "convergence.md", "convergence.svg"};

/// One of these is there after every run.
constexpr std::array<std::string_view, 4> kMarks = {"series.csv", "particles.pvd", "motion.csv",
                                                    "convergence.csv"};

bool matches(std::string_view name, const NumberedName& pattern) {
    if (!name.starts_with(pattern.prefix) || !name.ends_with(pattern.suffix)) return false;
    if (name.size() <= pattern.prefix.size() + pattern.suffix.size()) return false;
    name.remove_prefix(pattern.prefix.size());
    name.remove_suffix(pattern.suffix.size());
    return std::all_of(name.begin(), name.end(), [](char c) { return '0' <= c && c <= '9'; });
}

/// Whether talus gives this name to a file, finished or left behind when a run was killed.
bool is_result(std::string_view name) {
    if (name.ends_with(kPartialSuffix)) name.remove_suffix(kPartialSuffix.size());
    return std::find(kPlain.begin(), kPlain.end(), name) != kPlain.end() ||
           std::any_of(kNumbered.begin(), kNumbered.end(),
                       [name](const NumberedName& pattern) { return matches(name, pattern); });
}

std::vector<fs::path> find_results(const std::string& directory) {
    std::error_code error;
    std::vector<fs::path> found;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        std::error_code none;
        const bool file = it->is_symlink(none) || it->is_regular_file(none);
        if (file && is_result(it->path().filename().string())) found.push_back(it->path());
    }
    if (error) {
        throw OutputError(fmt::format("{}: can not be listed: {}", directory, error.message()));
    }
    std::sort(found.begin(), found.end());
    return found;
}

void create(const std::string& directory) {
    if (directory.empty()) throw InputError("the name of the output directory is empty: give one with --out");
    std::error_code error;
    fs::create_directories(directory, error);
    std::error_code none;
    if (fs::is_directory(directory, none)) return;
    if (fs::exists(directory, none)) {
        throw OutputError(fmt::format("{}: is a file; give a directory with --out", directory));
    }
    throw OutputError(fmt::format("{}: the output directory can not be created: {}; give another with --out",
                                  directory, error.message()));
}

/// Permissions do not tell everything (read-only mounts, full discs): only a write does.
void prove_writable(const std::string& directory) {
    std::string name = (fs::path(directory) / ".talus-XXXXXX").string();
    const int descriptor = ::mkstemp(name.data());
    int error = descriptor < 0 ? errno : 0;
    if (descriptor >= 0) {
        if (::write(descriptor, "talus\n", 6) != 6) error = errno != 0 ? errno : ENOSPC;
        if (::close(descriptor) != 0) error = errno;
        ::unlink(name.c_str());
    }
    if (error == 0) return;
    throw OutputError(fmt::format("{}: no file can be written in this directory: {}; give another with --out",
                                  directory, std::generic_category().message(error)));
}

}  // namespace

void prepare_output_directory(const std::string& directory, bool force) {
    create(directory);
    const std::vector<fs::path> results = find_results(directory);
    if (!results.empty() && !force) {
        throw InputError(
            fmt::format("{}: holds results already ({}{}); replace them with --force or give "
                        "another directory with --out",
                        directory, results.front().filename().string(),
                        results.size() == 1 ? "" : fmt::format(" and {} more", results.size() - 1)));
    }
    const auto is_mark = [](const fs::path& path) {
        return std::find(kMarks.begin(), kMarks.end(), path.filename()) != kMarks.end();
    };
    if (!results.empty() && std::none_of(results.begin(), results.end(), is_mark)) {
        throw InputError(fmt::format(
            "{}: holds {} but neither series.csv nor particles.pvd (nor motion.csv nor convergence.csv), "
            "which "
            "runs of talus leave: it may be yours; move it away or give another directory with --out",
            directory, results.front().filename().string()));
    }
    prove_writable(directory);
    for (const fs::path& result : results) {
        std::error_code error;
        fs::remove(result, error);
        if (error)
            throw OutputError(fmt::format("{}: can not be removed: {}", result.string(), error.message()));
    }
}

}  // namespace talus
