#include "report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "talus/core/error.hpp"

extern char** environ;

namespace talus::validation {

namespace {

std::vector<std::string> with_record(std::vector<std::string> columns) {
    for (const char* name :
         {"grains", "step", "steps", "unconverged", "residual", "overlap", "simulated", "seconds"}) {
        columns.emplace_back(name);
    }
    return columns;
}

std::string folder_made(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw OutputError(fmt::format("{}: {}", folder, error.message()));
    return folder;
}

std::string row(const std::vector<double>& values) {
    std::string line = "|";
    for (const double value : values) line += fmt::format(" {:.4g} |", value);
    return line + "\n";
}

std::string table_head(const std::vector<std::string>& columns) {
    std::string line = fmt::format("| {} |\n|", fmt::join(columns, " | "));
    for (std::size_t c = 0; c < columns.size(); ++c) line += "---|";
    return line + "\n";
}

std::string judgement_row(const Judgement& j) {
    return fmt::format("| {} | {:.4g} | {:.4g} to {:.4g} | {} | {} |\n", j.quantity, j.obtained, j.low,
                       j.high, j.passes() ? "pass" : "miss", j.source);
}

// A path within the quotes of gnuplot.
std::string quoted(const std::string& path) {
    std::string text = "'";
    for (const char c : path) text += c == '\'' ? std::string("''") : std::string(1, c);
    return text + "'";
}

bool run_gnuplot(const std::string& definitions) {
    std::string program = "gnuplot", option = "-e", script = TALUS_VALIDATION "/plot.gp",
                values = definitions;
    char* arguments[] = {program.data(), option.data(), values.data(), script.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return false;
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

Judgement within(const std::string& quantity, double obtained, double expected, double tolerance,
                 const std::string& source) {
    return {quantity, obtained, expected - tolerance, expected + tolerance, source};
}

Report::Report(const Options& options, const std::string& study, std::vector<std::string> columns)
    : out_(folder_made(options.out)),
      study_(study),
      quick_(options.quick),
      columns_(with_record(std::move(columns))),
      csv_(path("csv"), columns_) {
    fmt::print("{}", table_head(columns_));
}

std::string Report::path(const std::string& extension) const {
    return fmt::format("{}/{}.{}", out_, study_, extension);
}

void Report::point(std::vector<double> values, const RunRecord& r) {
    for (const double value :
         {static_cast<double>(r.grains), r.step, static_cast<double>(r.steps),
          static_cast<double>(r.unconverged), r.worst_residual, r.worst_overlap, r.simulated, r.seconds}) {
        values.push_back(value);
    }
    csv_.row(values);
    points_.push_back(values);
    fmt::print("{}", row(values));
    std::fflush(stdout);
}

void Report::judge(const Judgement& judgement) {
    judgements_.push_back(judgement);
}

void Report::note(const std::string& text) {
    notes_.push_back(text);
}

std::string Report::markdown() const {
    std::string text = fmt::format("# {}{}\n\n", study_, quick_ ? ", quick: too small to be judged" : "");
    text += table_head({"quantity", "obtained", "expected", "", "source"});
    for (const Judgement& judgement : judgements_) text += judgement_row(judgement);
    for (const std::string& note : notes_) text += fmt::format("\n{}\n", note);
    text += "\nRuns:\n\n" + table_head(columns_);
    for (const std::vector<double>& values : points_) text += row(values);
    return text;
}

void Report::draw() const {
    const std::string definitions =
        fmt::format("study='{}'; csv={}; svg={}", study_, quoted(path("csv")), quoted(path("svg")));
    if (!run_gnuplot(definitions)) {
        fmt::print(stderr, "no plot was drawn: gnuplot -e \"{}\" {}/plot.gp draws it\n", definitions,
                   TALUS_VALIDATION);
    }
}

void Report::finish() const {
    const std::string text = markdown();
    std::ofstream file(path("md"));
    file << text << std::flush;
    if (!file) throw OutputError(fmt::format("{}: can not be written", path("md")));
    fmt::print("\n{}", text);
    draw();
}

}  // namespace talus::validation
