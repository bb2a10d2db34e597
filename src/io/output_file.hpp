#pragma once

#include <string>
#include <string_view>

namespace talus {

/// Ending of the name under which a file is written before it is renamed to its own.
constexpr std::string_view kPartialSuffix = ".partial";

/// A file that is being written through the system's own calls: a full disc shows up as an error of the very
/// write that met it, never as a short file.
class OutputFile {
public:
    /// Creates or empties `path`. @throws OutputError naming `shown_as`, here and in every other function.
    OutputFile(const std::string& path, std::string shown_as);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Appends the whole text, or nothing: what was written of it before an error is cut off again.
    void write(std::string_view text);
    /// Waits until the text has reached the disc: network and quota errors appear no earlier.
    void sync();
    void close();

private:
    [[noreturn]] void fail(int error) const;

    int descriptor_ = -1;
    long long size_ = 0;  // bytes of whole writes
    std::string shown_as_;
};

}  // namespace talus
