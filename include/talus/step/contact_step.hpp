#pragma once

#include <memory>
#include <vector>

#include "talus/broadphase/neighbour_list.hpp"
#include "talus/contact/contact.hpp"
#include "talus/core/stage_times.hpp"
#include "talus/projection/solver.hpp"
#include "talus/step/system.hpp"

namespace talus {

struct StepOptions {
    double time_step = 1e-3;  ///< h [s], > 0
    BroadPhaseKind broad_phase = BroadPhaseKind::cell_grid;
    double skin = 0.1;  ///< of the neighbour list, as a fraction of a particle's radius [-], >= 0
    double margin =
        0.02;  ///< reach beyond h |v| that a contact is looked for in, as a fraction of the radius [-], > 0
    /// Solves repeated within one step at most, >= 0: each doubles a reach or adds a tangent plane, so that a
    /// handful is the rule. A step that needs more, or whose solves can not keep the gaps they know three
    /// times, is reported as unsettled and not converged, with the overlap it leaves.
    int max_resolves = 100;
    /// Particles at most this far apart in memory are near: see scattered() in talus/broadphase/scatter.hpp.
    /// It decides when a run arranges its particles anew, and so changes roundings; > 0. 4096 of them take
    /// about a megabyte in a step.
    Index near_in_memory = 4096;
    SolverOptions solver;
};

/// What one step did: its certificate.
struct StepReport {
    SolverReport solver;  ///< of the last solve, the worst of its stages; iterations of all added up
    /// How far velocities are from satisfying the law, rms over the contacts with a force, weighted by the
    /// mass that their impulse sees [m/s]: the natural map over the root of the sum of these masses. The
    /// relative residual says little where hardly anything was missing at first.
    double residual_speed = 0.0;
    Index contacts = 0;    ///< rows of the projection
    Index active = 0;      ///< rows with a positive impulse
    double overlap = 0.0;  ///< true worst overlap after the step over the smaller radius [-]
    ParticleId overlap_first = -1, overlap_second = -1;  ///< where; second is -1 - wall for a wall
    double energy_defect = 0.0;   ///< the projection's identity, missed by this part (ProjectionReport) [-]
    double kinetic_energy = 0.0;  ///< after the step [J]
    /// Kinetic energy after the step less that of the free velocity [J]. With e = 0, radii and walls at rest
    /// it is what contacts dissipate, <= 0; a bounce adds terms of order h, because it starts from u^n and
    /// not from v.
    double contact_work = 0.0;
    Index fast = 0;  ///< particles that moved further than their radius
    /// Solves repeated because a displacement that outran its reach met something or a curved wall was cut.
    int resolves = 0;
    bool unsettled = false;  ///< contacts were left out that matter, or a curved wall was not cut enough
    bool rebuilt = false;    ///< neighbour list built anew, for all particles
    StageTimes times;
};

/// Advances a System by the scheme of Bernicot and Lefebvre-Lepot 2010 (1.12)-(1.15).
class ContactStepper {
public:
    explicit ContactStepper(const StepOptions& options);
    ~ContactStepper();

    /// One step of length options.time_step. @throws StateError when no admissible motion exists (with the
    /// ids that block each other) or a value is not finite; the system is then left at the start of the step.
    StepReport step(System& system);

    /// Contacts of the last step (of the current state before the first), with impulses.
    const ContactList& contacts() const;
    /// Finds the contacts of the current state without moving anything (for the first frame).
    void find_contacts(const System& system);
    /// To be called after particles were removed: those with a flag other than 0.
    void particles_removed(const std::vector<std::uint8_t>& flags);
    /// To be called after particles were arranged in another order, or changed in any other way but that some
    /// were added.
    void particles_changed();
    /// Whether the last list of neighbours that was built anew found the particles scattered in memory:
    /// arranging them along the curve would make steps faster.
    bool scattered() const;

    const StepOptions& options() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace talus
