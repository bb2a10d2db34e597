#pragma once

#include <string>
#include <vector>

#include "talus/lagrange/scheme_choice.hpp"

/// How the schemes compare: errors against a reference over the step.
namespace talus::lagrange {

/// A motion that schemes are compared with.
struct Reference {
    bool closed_form = false;   ///< a formula; otherwise the event-driven integrator
    std::vector<State> states;  ///< at start.t + k h, k = 0, 1, ...
};

/// The motion at multiples of h up to `end`, by the system's closed form where it has one for this start and
/// restitution. @throws StateError as EventDriven. std::invalid_argument for a bad step or start.
Reference make_reference(const MechanicalSystem& system, const State& start, double end, double h,
                         const SchemeOptions& options);

/// One scheme with one step. Errors are in the largest coordinate, in its own unit.
struct Comparison {
    SchemeKind scheme = SchemeKind::event_driven;
    double step = 0.0;           ///< h [s]
    std::string failure;         ///< why the run ended early; then nothing below means anything
    double position_max = 0.0;   ///< L-infinity error of the position
    double position_mean = 0.0;  ///< L1 error of the position, sum of h |error| [times s]
    double velocity_mean = 0.0;  ///< L1 error of the velocity [times s]
    double energy = 0.0;     ///< energy at the end less that of the reference (kinetic without potential) [J]
    double violation = 0.0;  ///< worst of the gaps, over all steps
    long iterations = 0;     ///< of the solves
    int unconverged = 0;     ///< steps whose status is not converged
    double seconds = 0.0;    ///< wall-clock time of the steps
    std::vector<std::string> warnings;  ///< hypotheses that did not hold, each once
};

/// Steps as many times as the reference has states. @throws std::invalid_argument as make_scheme.
Comparison compare(SchemeKind scheme, const MechanicalSystem& system, const State& start, double h,
                   const SchemeOptions& options, const Reference& reference);

/// Slope of log error over log step by least squares.
struct ObservedOrder {
    double order = 0.0;
    double standard_error = 0.0;  ///< of the slope; 0 with two points
};

/// @return nothing with fewer than two positive errors.
std::optional<ObservedOrder> fit_order(const std::vector<double>& steps, const std::vector<double>& errors);

}  // namespace talus::lagrange
