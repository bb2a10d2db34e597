#pragma once

#include <string>

/// Drives the executable the way a user does.
namespace command {

struct Result {
    int code = -1;         ///< exit code; 128 + signal when killed
    std::string out, err;  ///< what it printed
};

/// A fresh directory that vanishes with the object.
class Workplace {
public:
    Workplace();
    ~Workplace();
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    std::string path(const std::string& name) const { return directory_ + "/" + name; }
    void write(const std::string& name, const std::string& text) const;
    std::string read(const std::string& name) const;  ///< empty if there is no such file
    bool has(const std::string& name) const;

    /// Runs a shell command line with the workplace as current directory; TALUS stands for the executable.
    Result shell(const std::string& line) const;
    /// Runs talus with these arguments.
    Result talus(const std::string& arguments) const { return shell("$TALUS " + arguments); }

private:
    std::string directory_;
};

/// Number of times that `part` occurs in `text`.
int occurrences(const std::string& text, const std::string& part);
bool contains(const std::string& text, const std::string& part);

/// Value of a column in the last row of a table with a header.
double last_value(const std::string& csv, const std::string& column);

/// The path of a scene that comes with talus.
std::string shipped_scene(const std::string& name);

}  // namespace command
