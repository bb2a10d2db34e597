#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talus {

/// Text of numbers in columns. The first line names the columns (a line that starts with # may, when the next
/// one is numbers); later lines that start with # and empty ones are skipped. The delimiter is the first of
/// semicolon, tab and comma that the first line has, or else blanks. Quoted cells, Windows line ends and a
/// UTF-8 byte order mark are understood; numbers have decimal points whatever the locale.
class CsvTable {
public:
    /// @throws InputError when the file can not be read, is empty or is no text.
    explicit CsvTable(const std::string& path);

    const std::vector<std::string>& columns() const { return columns_; }  ///< in lower case
    /// Column with one of these names. @throws InputError when two columns have it.
    std::optional<std::size_t> find(const std::vector<std::string>& names) const;
    /// Moves to the next row. @return false at the end. @throws InputError when it has not one cell a column.
    bool next_row();
    /// Whether the cell is a number.
    bool holds_number(std::size_t column) const;
    std::string_view text(std::size_t column) const { return cells_[column]; }
    /// Number in a column of the row. @throws InputError naming file, line and column: no number, not finite.
    double number(std::size_t column) const;
    /// Says what is wrong with a column of the row. @throws InputError.
    [[noreturn]] void fail(std::size_t column, const std::string& message) const;

private:
    bool next_line(std::string_view& line);
    void read_header();
    void split(std::string_view line, std::vector<std::string_view>& cells) const;
    std::string comma_hint() const;

    std::string path_, text_;
    std::size_t position_ = 0;  // of the next line in text_
    int line_ = 0;
    char delimiter_ = ' ';
    std::vector<std::string> columns_;
    std::vector<std::string_view> cells_;
};

}  // namespace talus
