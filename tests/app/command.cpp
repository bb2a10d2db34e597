#include "command.hpp"

#include <stdlib.h>  // mkdtemp is POSIX, not in <cstdlib>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace command {

namespace fs = std::filesystem;

Workplace::Workplace() : directory_((fs::temp_directory_path() / "talus-test-XXXXXX").string()) {
    if (::mkdtemp(directory_.data()) == nullptr) throw std::runtime_error("no temporary directory");
}

Workplace::~Workplace() {
    std::error_code none;
    fs::remove_all(directory_, none);
}

void Workplace::write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
}

std::string Workplace::read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool Workplace::has(const std::string& name) const {
    return fs::exists(path(name));
}

Result Workplace::shell(const std::string& line) const {
    const std::string whole = "cd " + directory_ + " && TALUS=" TALUS_EXECUTABLE "; { " + line +
                              " ; } >.stdout 2>.stderr </dev/null";
    const int status = std::system(whole.c_str());
    Result result;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.out = read(".stdout");
    result.err = read(".stderr");
    return result;
}

int occurrences(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

namespace {

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) result.push_back(cell);
    return result;
}

}  // namespace

double last_value(const std::string& csv, const std::string& column) {
    std::istringstream stream(csv);
    std::string line, last;
    std::getline(stream, line);
    const std::vector<std::string> names = cells(line);
    while (std::getline(stream, line)) last = line;
    const std::vector<std::string> values = cells(last);
    for (std::size_t k = 0; k < names.size() && k < values.size(); ++k) {
        if (names[k] == column) return std::stod(values[k]);
    }
    throw std::runtime_error("no column " + column);
}

std::string shipped_scene(const std::string& name) {
    return std::string(TALUS_SOURCE_DIR "/scenes/") + name + ".toml";
}

}  // namespace command
