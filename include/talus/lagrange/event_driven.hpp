#pragma once

#include <memory>

#include "talus/lagrange/scheme.hpp"

namespace talus::lagrange {

/// Options of the event-driven reference.
struct EventDrivenOptions {
    Restitution restitution = {0.0};  ///< [-], each in [0, 1]
    /// Absolute and relative tolerance of each Runge-Kutta step, > 0, in the units of q and q'.
    double tolerance = 1e-12;
    double max_step = 0.1;  ///< longest step of the integrator [s], > 0: no gap may dip and rise twice in it
    double gap_tolerance = 1e-12;  ///< a gap above minus this is no penetration [unit of the gap], > 0
    /// Bounces whose remaining series lasts less than this end at once [s], > 0, at one constraint or at
    /// several in turn. A gap g with rate r and acceleration -a < 0 lands at the speed s = sqrt(r^2 + 2 a g),
    /// on a parabola of 2 s/a, and its series lasts less than 2 s/(a (1 - e)): where that is below this time
    /// T, it closes early by less than T, at an error of the position below a T^2 and of the velocity below
    /// a T, which the motion carries on as any others. e above 0.999 counts as 0.999 here.
    double accumulation_time = 1e-7;
    /// Events within one step of output that end the run with an error, >= 1.
    int max_impacts = 100000;
};

/// One instant at which velocities jump.
struct Impact {
    double t;              ///< [s]
    Vector impulses;       ///< (nu) p >= 0: M (after - before) = G' p, but for a rebound that ends
    Vector before, after;  ///< (n) q' on both sides
    Vector rates_before, rates_after;  ///< (nu) rates of the gaps G q' + dg/dt
    std::vector<int> closed;           ///< constraints whose series of bounces ends: in contact from now on
};

/// Smooth motion by Runge-Kutta (Dormand and Prince 5(4), dense output) up to the next event, which is
/// located by root finding on steps of the integrator, to their tolerance:
///
/// - a gap closes: velocities jump by the law of Moreau with Newton's coefficients, for all touching
///   constraints at once: u1 = argmin |u - u-|_M over {G u + dg/dt >= 0} with impulses p, then
///   u+ = u1 + M^-1 G'(theta e p), put back onto the same set (theta as in docs/theory.md); gaps touch that
///   would close within 0.01 accumulation_time and are below gap_tolerance;
/// - constraints that touch at rate zero and would be penetrated stay in contact: accelerations are those of
///   Gauss' principle, a = argmin |a - M^-1 force|_M over {G a + bending >= 0}; the motion is constrained,
///   and gaps and rates are put back to zero after each step of the integrator;
/// - all constraints whose series of bounces are about to accumulate close in one inelastic impact, the
///   projection of the velocity onto G u + dg/dt = 0 in the metric M, as accumulation_time says;
/// - a contact whose multiplier falls through zero is released.
///
/// One step goes to the next time of output, t + h, whatever the integrator's own steps are; impulses in the
/// report are those of impacts alone: closings, which are of the size of their errors, give none. A reference
/// for few degrees of freedom: the order of the schemes is measured against it.
class EventDriven final : public Scheme {
public:
    /// @throws std::invalid_argument as Scheme, or if an option is out of range or the start violates a gap
    /// by more than gap_tolerance.
    EventDriven(const MechanicalSystem& system, State start, double h,
                const EventDrivenOptions& options = {});
    ~EventDriven() override;

    const std::vector<Impact>& impacts() const;  ///< so far, in order
    const std::vector<int>& contacts() const;    ///< constraints in contact now
    long force_evaluations() const;              ///< so far: what the motion has cost

private:
    /// @throws StateError if impacts do not separate or the integrator's step underflows.
    StepReport advance() override;

    struct Motion;  // integrator, contacts and events
    std::unique_ptr<Motion> motion_;
};

}  // namespace talus::lagrange
