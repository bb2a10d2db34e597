#pragma once

#include <string>
#include <vector>

#include "talus/contact/find_contacts.hpp"
#include "talus/step/contact_projection.hpp"
#include "talus/step/contact_step.hpp"

namespace talus {

/// What the certificate of a step is computed from.
struct StepOutcome {
    const ContactList& contacts;
    const std::vector<PlacedWall>& walls;
    const std::vector<NearWall>& near_walls;
    const std::vector<Vec3>& free_velocity;  ///< (n) [m/s]
    const std::vector<Vec3>& free_spin;      ///< (n) [rad/s]
    const std::vector<Vec3>& displacement;   ///< (n) h u [m]
    double time_step;
    const ProjectionReport& projected;
};

/// Fills everything but the times: residual and overlap of the solver, true overlap at the new positions,
/// energies, counts.
/// @param system after the step.
void fill_certificate(const System& system, const StepOutcome& outcome, StepReport& report);

/// Before the first solve. @throws StateError naming the first particle whose reach is not finite, or one
/// that a wall which appears in this step overlaps by more than rounding: an overlap must not become speed.
void check_start(const System& system, double t0, double t1, const std::vector<double>& reach);

/// @throws StateError naming the first particle whose displacement is not finite.
void check_finite(const System& system, const std::vector<Vec3>& displacement);

/// The sentence that says why no motion is admissible: which particles and walls block each other, and the
/// proof.
std::string describe_jam(const System& system, const ContactList& contacts, const JamProof& proof,
                         double time_step);

}  // namespace talus
