#include "talus/io/series_writer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <stdexcept>

#include "output_file.hpp"

namespace talus {

struct SeriesWriter::Impl {
    OutputFile file;
    std::size_t columns;
    std::string line;
};

SeriesWriter::SeriesWriter(const std::string& path, const std::vector<std::string>& columns)
    : impl_(new Impl{OutputFile(path, path), columns.size(), {}}) {
    impl_->file.write(fmt::format("{}\n", fmt::join(columns, ",")));
}

SeriesWriter::~SeriesWriter() = default;

void SeriesWriter::row(const std::vector<double>& values) {
    if (values.size() != impl_->columns) {
        throw std::invalid_argument(
            fmt::format("series: {} values for {} columns", values.size(), impl_->columns));
    }
    impl_->line.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (i > 0) impl_->line += ',';
        if (!std::isnan(values[i])) fmt::format_to(std::back_inserter(impl_->line), "{}", values[i]);
    }
    impl_->line += '\n';
    impl_->file.write(impl_->line);
}

}  // namespace talus
