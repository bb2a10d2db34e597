#include "csv_table.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>

#include "talus/core/error.hpp"
#include "talus/core/text.hpp"

namespace talus {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view unquoted(std::string_view cell) {
    const bool quoted = cell.size() >= 2 && cell.front() == '"' && cell.back() == '"';
    return quoted ? trimmed(cell.substr(1, cell.size() - 2)) : cell;
}

char delimiter_of(std::string_view header) {
    for (const char candidate : {';', '\t', ','}) {
        if (header.find(candidate) != std::string_view::npos) return candidate;
    }
    return ' ';
}

std::from_chars_result parse(std::string_view cell, double& value) {
    if (cell.starts_with('+')) cell.remove_prefix(1);
    return std::from_chars(cell.data(), cell.data() + cell.size(), value);
}

bool is_number(std::string_view cell) {
    double value = 0.0;
    const auto result = parse(cell, value);
    return !cell.empty() && result.ec == std::errc() && result.ptr == cell.data() + cell.size();
}

bool is_control(char c) {
    return 0 <= c && c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f';
}

/// The beginning of a text of the file, for a message of one line.
std::string shown(std::string_view text) {
    constexpr std::size_t kLongest = 40;
    return std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "..." : "");
}

/// Text of a plain file or of one that gzip packed: zlib reads both.
std::string text_of_file(const std::string& path) {
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (!file) throw InputError(fmt::format("{}: can not be read", path));
    std::string text;
    std::array<char, 1 << 16> buffer{};
    for (int count = 1; count > 0;) {
        count = gzread(file.get(), buffer.data(), buffer.size());
        if (count < 0) throw InputError(fmt::format("{}: can not be read, or is no sound gzip file", path));
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    int error = Z_OK;
    gzerror(file.get(), &error);
    if (error == Z_BUF_ERROR) throw InputError(fmt::format("{}: ends within its packed data", path));
    if (std::any_of(text.begin(), text.end(), is_control)) {
        throw InputError(fmt::format("{}: is no plain text (UTF-16 or binary?); save it as UTF-8 CSV", path));
    }
    return text;
}

}  // namespace

CsvTable::CsvTable(const std::string& path) : path_(path), text_(text_of_file(path)) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) position_ = kByteOrderMark.size();
    read_header();
}

bool CsvTable::next_line(std::string_view& line) {
    if (position_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    line = trimmed(std::string_view(text_).substr(position_, end - position_));
    // A blank can be the last delimiter, before an empty cell.
    if (delimiter_ == '\t') line = std::string_view(text_).substr(position_, end - position_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    position_ = end + 1;
    ++line_;
    return true;
}

void CsvTable::read_header() {
    std::string_view line, comment;
    while (next_line(line) && (line.empty() || line.starts_with('#'))) {
        if (!line.empty())
            comment = trimmed(line.substr(line.find_first_not_of('#') == std::string_view::npos
                                              ? line.size()
                                              : line.find_first_not_of('#')));
        line = {};
    }
    if (line.empty()) {
        throw InputError(
            fmt::format("{}: is empty; expected a line of column names: x, y, z, radius", path_));
    }
    delimiter_ = delimiter_of(line);
    split(line, cells_);
    if (std::any_of(cells_.begin(), cells_.end(), is_number) && !comment.empty()) {
        position_ = static_cast<std::size_t>(line.data() - text_.data());
        --line_;
        delimiter_ = delimiter_of(comment);
        split(comment, cells_);
    }
    for (const std::string_view cell : cells_) columns_.push_back(lower_case(cell));
}

void CsvTable::split(std::string_view line, std::vector<std::string_view>& cells) const {
    cells.clear();
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= line.size(); ++k) {
        if (k < line.size() && line[k] == '"') quoted = !quoted;
        const bool blank = delimiter_ == ' ' && k < line.size() && line[k] == '\t';
        if (k < line.size() && (quoted || (line[k] != delimiter_ && !blank))) continue;
        const std::string_view cell = unquoted(trimmed(line.substr(begin, k - begin)));
        if (delimiter_ != ' ' || k > begin) cells.push_back(cell);
        begin = k + 1;
    }
}

std::optional<std::size_t> CsvTable::find(const std::vector<std::string>& names) const {
    std::optional<std::size_t> found;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (std::find(names.begin(), names.end(), columns_[c]) == names.end()) continue;
        if (found) {
            throw InputError(fmt::format("{}: columns '{}' and '{}' mean the same; keep one of them", path_,
                                         columns_[*found], columns_[c]));
        }
        found = c;
    }
    return found;
}

bool CsvTable::next_row() {
    std::string_view line;
    do {
        if (!next_line(line)) return false;
    } while (trimmed(line).empty() || trimmed(line).starts_with('#'));
    split(line, cells_);
    if (cells_.size() == columns_.size()) return true;
    throw InputError({path_, line_}, "row",
                     fmt::format("{} cells for {} columns{}", cells_.size(), columns_.size(), comma_hint()));
}

/// What to do where a decimal comma is the likely mistake.
std::string CsvTable::comma_hint() const {
    const bool too_many = delimiter_ == ',' && cells_.size() > columns_.size();
    return too_many ? "; if these are decimal commas, write 0.5 instead of 0,5" : "";
}

bool CsvTable::holds_number(std::size_t column) const {
    return is_number(cells_[column]);
}

double CsvTable::number(std::size_t column) const {
    const std::string_view cell = cells_[column];
    double value = 0.0;
    const auto [end, error] = parse(cell, value);
    if (cell.empty()) fail(column, "the cell is empty; expected a number");
    if (error == std::errc::result_out_of_range) {
        fail(column, fmt::format("'{}' is beyond what a number can hold", shown(cell)));
    }
    if (error != std::errc() || end != cell.data() + cell.size()) {
        const bool comma = cell.find(',') != std::string_view::npos;
        fail(column, fmt::format("'{}' is no number{}", shown(cell),
                                 comma ? "; write decimal points (0.5), not commas" : ""));
    }
    if (!std::isfinite(value)) fail(column, fmt::format("'{}' is not finite", cell));
    return value;
}

void CsvTable::fail(std::size_t column, const std::string& message) const {
    throw InputError({path_, line_}, fmt::format("column '{}'", columns_[column]), message);
}

}  // namespace talus
