#include "threads.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <system_error>

#include "talus/core/error.hpp"

namespace talus::app {

ThreadChoice choose_threads(const std::string& text, int available) {
    if (text.empty()) return {std::min(available, kDefaultThreads), ""};
    int asked = 0;
    const char* last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, asked);
    if (error == std::errc::result_out_of_range && end == last && text[0] != '-') {
        asked = std::numeric_limits<int>::max();
    } else if (error != std::errc() || end != last || asked < 1) {
        throw InputError(
            fmt::format("--threads: expected a whole number of at least 1, not '{}'; leave the option "
                        "out to use {}",
                        text, std::min(available, kDefaultThreads)));
    }
    if (asked <= available) return {asked, ""};
    return {available,
            fmt::format("--threads {}: this process may use {}, so {} used (the result has the same "
                        "bits for any number)",
                        text, available, available == 1 ? "1 is" : fmt::format("{} are", available))};
}

void restart_with_passive_waiting(char** argv) {
    if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
    if (setenv("OMP_WAIT_POLICY", "passive", 1) != 0) return;
    // By its real name: "/proc/self/exe" would turn up as a process called exe.
    std::error_code none;
    const std::string executable = std::filesystem::read_symlink("/proc/self/exe", none).string();
    execv(executable.c_str(), argv);  // returns only if it failed; then the run is slower, not wrong
}

void keep_vtk_serial() {
    // The header that has a function for this is no C++20 in VTK 9.1. If it fails, more threads start.
    setenv("VTK_SMP_BACKEND_IN_USE", "Sequential", 0);
}

}  // namespace talus::app
