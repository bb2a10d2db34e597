#pragma once

#include <memory>
#include <string>
#include <vector>

namespace talus {

/// CSV table with a fixed header, one row a call, flushed at every row; numbers with 17 significant digits in
/// the C locale.
class SeriesWriter {
public:
    /// @throws OutputError when the file can not be created.
    SeriesWriter(const std::string& path, const std::vector<std::string>& columns);
    ~SeriesWriter();
    /// @throws OutputError when the row could not be written whole (disc full).
    void row(const std::vector<double>& values);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
