#pragma once

#include <memory>
#include <string>
#include <vector>

namespace talus {

/// CSV table with a fixed header, one row a call, in the file when the call returns; numbers in the shortest
/// form that reads back to the same bits (at most 17 digits), with a decimal point whatever the locale. What
/// is not a number is an empty cell.
class SeriesWriter {
public:
    /// @throws OutputError when the file can not be created.
    SeriesWriter(const std::string& path, const std::vector<std::string>& columns);
    ~SeriesWriter();
    /// @throws OutputError when the row can not be written whole (disc full); the file then ends with the row
    /// before. std::invalid_argument when the number of values is not that of the columns.
    void row(const std::vector<double>& values);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
