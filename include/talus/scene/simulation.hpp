#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "talus/scene/scene.hpp"

namespace talus {

/// Worst certificate over the steps so far, and the books of the particles.
struct RunSummary {
    std::int64_t steps = 0;
    std::int64_t unconverged = 0;        ///< steps whose solver stopped at max_iterations
    std::int64_t first_unconverged = 0;  ///< number of the first of them; 0: none
    double worst_residual_speed = 0.0;   ///< [m/s]
    double worst_residual = 0.0, worst_overlap = 0.0, worst_complementarity = 0.0, worst_energy_defect = 0.0;
    double worst_overlap_time = 0.0;  ///< of the state with worst_overlap [s]
    std::int64_t iterations = 0;      ///< in all
    int worst_iterations = 0;
    Index most_contacts = 0;
    double contact_work = 0.0;             ///< energy given by contacts so far [J]
    std::int64_t fast_steps = 0;           ///< steps with h |u| > r for some particle
    std::int64_t created = 0, inside = 0;  ///< created = inside + removed, always
    std::int64_t removed_by_outlets = 0, removed_as_escaped = 0;
    std::int64_t escaped = 0;  ///< particles that left the domain, removed or not
    std::int64_t removed() const { return removed_by_outlets + removed_as_escaped; }
    StageTimes times;
};

/// Number of steps of length `step` that a run to `end` takes: end/step, rounded up to a whole number (a
/// millionth of a step is rounding). At least 1.
std::int64_t count_steps(double end, double step);

/// A scene in motion: inlets, one step, counters, outlets and escapes, stop conditions, in this order. Time
/// is the product of step number and step length, never a sum. Knows nothing of files or terminals.
class Simulation {
public:
    /// Overlap over the smaller radius that is taken for touching at the start: the rounding of coordinates.
    static constexpr double kTouching = 1e-12;

    /// Builds the state at t = 0; refuses or resolves overlaps as the scene says. @throws InputError,
    /// StateError.
    explicit Simulation(const Scene& scene);
    ~Simulation();
    Simulation(Simulation&&) noexcept;

    /// One step. @throws StateError; the state is then the one at the start of the step.
    StepReport advance();
    bool finished() const;  ///< time has reached scene.end, or a condition of scene.stop holds
    const std::string& stop_reason() const;  ///< which condition, and since when; empty while none holds
    std::int64_t steps_left() const;         ///< until scene.end

    /// Its particles change their order in memory from time to time, at the beginning of a step: follow one
    /// by its id.
    const System& system() const;
    /// Contacts of the last step between particles that are still there (before the first step: of the
    /// start).
    const ContactList& contacts() const;
    /// All contacts of the last step, also those of particles that were removed after it: their impulses are
    /// what walls and particles exchanged. Numbers of particles are those before the removal.
    const ContactList& contacts_of_step() const;
    const RunSummary& summary() const;
    /// Cumulative counts, monotone: particles removed by each outlet, counted by each counter, created by
    /// each inlet.
    const std::vector<std::int64_t>& removed_by_outlet() const;
    const std::vector<std::int64_t>& counted() const;
    const std::vector<double>& mass_counted() const;  ///< [kg]
    const std::vector<std::int64_t>& created_by_inlet() const;
    /// Particles that were due at each inlet so far ("until full": the same as created).
    const std::vector<std::int64_t>& asked_of_inlet() const;
    const std::vector<double>& mass_removed_by_outlet() const;  ///< [kg]
    /// Messages for the user since the last call (overlaps resolved, fast particles, escapes), rate-limited.
    std::vector<std::string> take_messages();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
