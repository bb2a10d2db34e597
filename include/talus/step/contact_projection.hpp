#pragma once

#include <memory>
#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/contact/contact.hpp"
#include "talus/core/stage_times.hpp"
#include "talus/projection/solver.hpp"

namespace talus {

/// Certificate of one or several solves: the worst of each number, iterations added up.
struct ProjectionReport {
    SolverReport solver;
    int solves = 0;
    /// Worst | |v|^2 - |u|^2 - |u-v|^2 - 2 p.D/h | / max(|v|, |u|)^2 over the stages [-], M-norms: 0 for the
    /// exact answer.
    double energy_defect = 0.0;
    StageTimes times;  ///< prepare and solve, with the bytes of the sweeps of the default solver

    void absorb(const SolverReport& report);
};

/// Velocities after contact: the scheme's projection, with restitution where a contact asks for it.
///
/// Without restitution u = P_K(v), K = {D + h G u >= 0} (Bernicot and Lefebvre-Lepot 2010 (1.12)-(1.15)).
/// With it, the four-step rule of docs/theory.md: impact law at the start of the step on the pairs that
/// close, then the force of the step, both within the gaps.
class ContactProjection {
public:
    explicit ContactProjection(const SolverOptions& options);

    /// @param velocity_before (n) u^n [m/s]. @param free_velocity (n) v = u^n + h M^-1 f [m/s].
    /// @param contacts sustained impulses in: first guess; out: multipliers [N s].
    /// @param velocity (n) out: u^{n+1} [m/s].
    /// @return report; on Status::infeasible velocity and impulses mean nothing.
    ProjectionReport project(const Particles& particles, double time_step,
                             const std::vector<Vec3>& velocity_before, const std::vector<Vec3>& free_velocity,
                             ContactList& contacts, std::vector<Vec3>& velocity);

private:
    struct Setting;  // what every stage of one step sees
    void prepare(const Setting& s, const ContactList& contacts);
    ProjectionReport solve(const Setting& s, ContactList& contacts, std::vector<Vec3>& velocity);
    bool closing_pairs(const Setting& s, const ContactList& contacts);
    bool stage(const Setting& s, const std::vector<double>& rate, const std::vector<Vec3>& from,
               std::vector<double>& impulse, std::vector<Vec3>& to, ProjectionReport& report);
    bool bounce(const Setting& s, ContactList& contacts, std::vector<Vec3>& velocity,
                ProjectionReport& report);
    double bounce_scale(const Setting& s, const ContactList& contacts) const;
    double relative_velocity(const Row& row, const std::vector<Vec3>& u) const;
    void add_impulses(const Setting& s, const std::vector<double>& impulse, std::vector<Vec3>& u) const;

    std::unique_ptr<ProjectionSolver> solver_;
    SolverOptions options_;
    std::vector<Row> rows_;
    std::vector<double> gap_rate_;        // D/h [m/s]
    std::vector<double> rate_;            // of the stage at hand
    std::vector<double> impulse_;         // of the stage at hand [N s]
    std::vector<double> bounce_impulse_;  // p of the first stage, then e p [N s]
    std::vector<std::uint8_t> closing_;   // the set I
    std::vector<Vec3> stage_velocity_, next_velocity_;
};

}  // namespace talus
