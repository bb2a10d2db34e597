#pragma once

#include <string>

#include "talus/scene/simulation.hpp"

namespace talus::app {

/// What the summary says beside the numbers of the simulation.
struct RunFacts {
    std::string directory;
    std::string ending;  ///< why the run ended: "the end of the scene", a condition of [stop], "interrupted"
    int threads = 1;
    int frames = 0;
    double wall_seconds = 0.0;        ///< of the steps and their files [s]
    StageTime write;                  ///< of the steps' own thread
    double background_seconds = 0.0;  ///< that frames took beside the steps [s]
    bool profile = false;             ///< with a table of the stages
};

/// "WARNING: ..." where steps did not converge, so that nobody takes their results for good ones; or empty.
std::string describe_doubt(const Scene& scene, const RunSummary& summary);

/// The summary of a run as text, for summary.txt and the terminal; describe_doubt, if any, is its last line.
std::string describe_run(const Scene& scene, const Simulation& simulation, const RunFacts& facts);

}  // namespace talus::app
