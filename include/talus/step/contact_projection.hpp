#pragma once

#include <memory>
#include <span>
#include <vector>

#include "talus/bodies/particles.hpp"
#include "talus/contact/contact.hpp"
#include "talus/contact/law_table.hpp"
#include "talus/core/stage_times.hpp"
#include "talus/projection/solver.hpp"
#include "talus/step/system.hpp"

namespace talus {

/// Velocities of all particles.
struct Motion {
    std::vector<Vec3> velocity;  ///< (n) of the centres [m/s]
    std::vector<Vec3> spin;      ///< (n) [rad/s]; empty where contacts have no friction and turn nothing
};

/// What the projection of one step is made from.
struct ProjectionInput {
    const Particles& particles;
    double time_step;                          ///< h [s]
    const std::vector<Vec3>& velocity_before;  ///< (n) u^n [m/s]
    const std::vector<Vec3>& free_velocity;    ///< (n) v = u^n + h M^-1 f [m/s]
    const LawTable& law;                       ///< of the contacts
    FrictionLaw friction = FrictionLaw::inelastic;
    /// (n) particles that bore a force in the step that led to u^n; read where contacts have restitution.
    std::span<const std::uint8_t> held = {};
    double map_before = 0.0;  ///< natural map that the solve of u^n left [sqrt(kg) m/s], may be infinite
    /// (m) velocity of moving walls where the contacts touch them [m/s], or empty.
    std::span<const Vec3> surface_velocity = {};
    std::span<const Vec3> wall_spin = {};  ///< (m) their angular velocity [rad/s], or empty.

    /// Whether any pair resists sliding or rolling.
    bool has_friction() const {
        return friction != FrictionLaw::inelastic && (law.any_friction() || law.any_rolling_friction());
    }
    bool has_rolling() const { return has_friction() && law.any_rolling_friction(); }
};

/// Certificate of one or several solves: the worst of each number, iterations added up.
struct ProjectionReport {
    SolverReport solver;
    int solves = 0;
    /// Worst | |v|^2 - |u|^2 - |u-v|^2 - 2 p.D/h | / max(|v|, |u|)^2 over the stages [-], M-norms: 0 for the
    /// exact answer. With friction 2 mu p_N |w_T| and 2 mu_r R p_N |omega_r|, what sliding and rolling
    /// dissipate, are part of the balance.
    double energy_defect = 0.0;
    StageTimes times;  ///< prepare and solve, with the bytes of the sweeps of the default solver

    void absorb(const SolverReport& report, double defect);
};

/// Velocities after contact: the scheme's projection, with restitution where a contact asks for it.
///
/// Without restitution u = P_K(v), K = {D + h G u >= 0} (Bernicot and Lefebvre-Lepot 2010 (1.12)-(1.15)), and
/// with friction the velocity that Coulomb's law or its relaxation gives in place of P_K(v).
/// With restitution, the four-step rule of docs/theory.md: impact law at the start of the step on the pairs
/// that close, then the force of the step, both within the gaps.
class ContactProjection {
public:
    explicit ContactProjection(const SolverOptions& options);
    ~ContactProjection();

    /// @param contacts sustained and tangential impulses and moments in: first guess; out: multipliers.
    /// @param after out: u^{n+1} and spins; spin is empty without friction.
    /// @return report; on Status::infeasible velocities and impulses mean nothing.
    ProjectionReport project(const ProjectionInput& input, ContactList& contacts, Motion& after);

private:
    struct Rule;  // the four steps
    std::unique_ptr<Rule> rule_;
};

}  // namespace talus
