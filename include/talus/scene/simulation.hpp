#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "talus/scene/scene.hpp"

namespace talus {

/// Worst certificate over the steps so far, and the books of the particles.
struct RunSummary {
    std::int64_t steps = 0;
    std::int64_t unconverged = 0;  ///< steps whose solver stopped at max_iterations
    double worst_residual = 0.0, worst_overlap = 0.0, worst_complementarity = 0.0, worst_energy_defect = 0.0;
    std::int64_t iterations = 0;  ///< in all
    int worst_iterations = 0;
    std::int64_t fast_steps = 0;           ///< steps with h |u| > r for some particle
    std::int64_t created = 0, inside = 0;  ///< created = inside + removed, always
    std::int64_t removed_by_outlets = 0, removed_as_escaped = 0;
    std::int64_t removed() const { return removed_by_outlets + removed_as_escaped; }
    StageTimes times;
};

/// A scene in motion: inlets, one step, outlets, counters and escapes, in this order. Knows nothing of files
/// or terminals.
class Simulation {
public:
    /// Builds the state at t = 0; refuses or resolves overlaps as the scene says. @throws InputError,
    /// StateError.
    explicit Simulation(const Scene& scene);
    ~Simulation();

    /// One step. @throws StateError.
    StepReport advance();
    bool finished() const;  ///< time has reached scene.end

    const System& system() const;
    const ContactList& contacts() const;
    const RunSummary& summary() const;
    /// Cumulative counts, monotone: particles removed by each outlet, counted by each counter, created by
    /// each inlet.
    const std::vector<std::int64_t>& removed_by_outlet() const;
    const std::vector<std::int64_t>& counted() const;
    const std::vector<std::int64_t>& created_by_inlet() const;
    const std::vector<double>& mass_removed_by_outlet() const;  ///< [kg]
    /// Messages for the user since the last call (overlaps resolved, fast particles, escapes), rate-limited.
    std::vector<std::string> take_messages();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
