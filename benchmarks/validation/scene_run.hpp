#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "study.hpp"
#include "talus/scene/simulation.hpp"

namespace talus::validation {

/// Size, cost and certificate of a run.
struct RunRecord {
    Index grains = 0;        ///< that are not frozen, at the start
    double step = 0.0;       ///< [s]
    double simulated = 0.0;  ///< [s]
    double seconds = 0.0;    ///< wall clock of the steps
    std::int64_t steps = 0, unconverged = 0;
    double worst_residual = 0.0;  ///< relative [-]
    double worst_overlap = 0.0;   ///< over the smaller radius [-]
    std::string stop_reason;      ///< empty: the run reached its end
};

/// A scene of this folder, or of scenes/.
std::string validation_scene(const std::string& name);
std::string user_scene(const std::string& name);

/// A scene while it runs.
class SceneRun {
public:
    using Watch = std::function<void(const Simulation& simulation)>;

    /// @param settings "key=value" overrides, as of `talus run --set`. @throws InputError.
    SceneRun(const Options& options, const std::string& scene, std::vector<std::string> settings);

    /// Steps until the scene ends. `watch` sees the first state, the last, and one in every `every` [s].
    void to_end(double every, const Watch& watch);

    const Simulation& simulation() const { return simulation_; }
    const System& system() const { return simulation_.system(); }
    double step() const { return step_; }  ///< [s]
    RunRecord record() const;

private:
    explicit SceneRun(const Scene& scene);

    Simulation simulation_;
    double step_;
    Index grains_;
    double seconds_ = 0.0;
};

}  // namespace talus::validation
