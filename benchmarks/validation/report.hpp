#pragma once

#include <string>
#include <vector>

#include "scene_run.hpp"
#include "study.hpp"
#include "talus/io/series_writer.hpp"

namespace talus::validation {

/// A number that was obtained, beside what is expected of it.
struct Judgement {
    std::string quantity;
    double obtained = 0.0;
    double low = 0.0, high = 0.0;  ///< it passes within these
    std::string source;  ///< of the expected value; with the origin of the tolerance where it is ours

    bool passes() const { return low <= obtained && obtained <= high; }
};

Judgement within(const std::string& quantity, double obtained, double expected, double tolerance,
                 const std::string& source);

/// What a study found: STUDY.csv with a row for each run, written as soon as it ended; STUDY.md with the
/// judgements and the same rows; STUDY.svg where gnuplot is installed.
class Report {
public:
    /// @param columns of the CSV file, before those of the run's record. @throws OutputError.
    Report(const Options& options, const std::string& study, std::vector<std::string> columns);

    void point(std::vector<double> values, const RunRecord& record);
    void judge(const Judgement& judgement);
    /// A remark below the table of judgements.
    void note(const std::string& text);
    /// Writes the Markdown file and draws the plot. @throws OutputError.
    void finish() const;

private:
    std::string path(const std::string& extension) const;
    std::string markdown() const;
    void draw() const;

    std::string out_, study_;
    bool quick_;
    std::vector<std::string> columns_;
    SeriesWriter csv_;
    std::vector<std::vector<double>> points_;
    std::vector<Judgement> judgements_;
    std::vector<std::string> notes_;
};

}  // namespace talus::validation
