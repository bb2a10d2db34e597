#pragma once

#include <string>
#include <vector>

/// The subcommands of talus. Each prints to the standard output, throws the errors of core/error.hpp and
/// returns its exit code.
namespace talus::app {

/// Exit codes; documented for users in --help and in the README.
enum Exit {
    kDone = 0,
    kBadInput = 1,
    kRunFailed = 2,     ///< jammed, a value not finite
    kUnconverged = 3,   ///< with --strict
    kOutputFailed = 4,  ///< a file could not be written
    kInterrupted = 130,
};

struct RunArguments {
    std::string scene;
    std::string out;                    ///< empty: results/<name of the scene>
    std::string threads;                ///< as typed; empty: chosen
    std::vector<std::string> settings;  ///< key=value
    std::string until;                  ///< as typed [s]; empty: the end of the scene
    bool quiet = false, strict = false, force = false, profile = false;
};

struct CheckArguments {
    std::string scene;
    std::vector<std::string> settings;
};

struct RenderArguments {
    std::string directory;
    std::string out;  ///< empty: picture.png in the directory
    std::string size = "1280x960";
    std::string color = "speed";
    bool all = false;
};

struct LagrangeArguments {
    std::string scene;
    std::string out;                    ///< empty: results/<name of the scene>
    std::vector<std::string> settings;  ///< key=value
    bool force = false;
};

struct ConvergeArguments {
    std::string scene;
    std::string steps;    ///< as typed: "1e-2,1e-3"
    std::string schemes;  ///< as typed; empty: all
    std::string out;      ///< empty: results/<name of the scene>_convergence
    std::vector<std::string> settings;
    bool force = false;
};

int run(const RunArguments& arguments);
int check(const CheckArguments& arguments);
int info(const std::string& path);
int list();
int render(const RenderArguments& arguments);
int run_lagrange(const LagrangeArguments& arguments);
int converge(const ConvergeArguments& arguments);

}  // namespace talus::app
