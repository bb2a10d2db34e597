#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "talus/core/error.hpp"
#include "talus/io/output_directory.hpp"

namespace talus {
namespace {

std::string reason(int error) {
    return std::generic_category().message(error);
}

/// A rename would put a plain file in the place of a device or a directory.
void check_replaceable(const std::string& path) {
    std::error_code none;
    const auto status = std::filesystem::status(path, none);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        throw OutputError(fmt::format("{}: is not a regular file and will not be replaced", path));
    }
}

}  // namespace

OutputFile::OutputFile(const std::string& path, std::string shown_as) : shown_as_(std::move(shown_as)) {
    constexpr int kPermissions = 0666;  // the user's umask takes away what should go
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kPermissions);
    if (descriptor_ < 0) fail(errno);
}

OutputFile::~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::fail(int error) const {
    throw OutputError(fmt::format("{}: can not be written: {}", shown_as_, reason(error)));
}

void OutputFile::write(std::string_view text) {
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            const int error = errno;
            // A pipe or a device can not be cut; the error to report is the one of the write either way.
            [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, size_);
            fail(error);
        }
    }
    size_ += static_cast<long long>(text.size());
}

void OutputFile::sync() {
    // EINVAL: the file system has nothing to wait for.
    if (::fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
}

void OutputFile::close() {
    const int descriptor = std::exchange(descriptor_, -1);
    if (::close(descriptor) != 0) fail(errno);
}

void write_file_atomically(const std::string& path, const std::string& text) {
    check_replaceable(path);
    const std::string partial = path + std::string(kPartialSuffix);
    try {
        OutputFile file(partial, path);
        file.write(text);
        file.sync();
        file.close();
    } catch (const OutputError&) {
        ::unlink(partial.c_str());
        throw;
    }
    if (::rename(partial.c_str(), path.c_str()) != 0) {
        const int error = errno;
        ::unlink(partial.c_str());
        throw OutputError(fmt::format("{}: can not be written: {}", path, reason(error)));
    }
}

}  // namespace talus
