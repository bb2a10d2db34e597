#pragma once

#include <string>
#include <vector>

#include "talus/lagrange/mechanical_system.hpp"
#include "talus/projection/solver.hpp"

namespace talus::lagrange {

/// What one step did.
struct StepReport {
    Status status = Status::converged;  ///< the worst of its solves; any other: the step is not to be trusted
    int iterations = 0;                 ///< of the solves, added up
    double residual = 0.0;              ///< worst of the solves, relative [-]
    double violation = 0.0;             ///< max(0, -min g(t, q)) after the step
    Vector impulses;                    ///< (nu) p >= 0: contact added G' p to the momenta in this step
    std::vector<std::string> warnings;  ///< hypotheses of the scheme's theory that do not hold in this step

    /// Takes in what a solve reports.
    void absorb(Status solve, int count, double left);
};

/// Coefficients of restitution, one for each constraint, or one for all of them.
using Restitution = std::vector<double>;

/// Steps one system by a fixed step h. Keeps a reference to the system, which must outlive it.
class Scheme {
public:
    /// @throws std::invalid_argument if h is not positive, sizes are not the system's or numbers not finite.
    Scheme(const MechanicalSystem& system, State start, double h);
    virtual ~Scheme() = default;

    /// Moves state() on by h. @throws StateError if the state stops being finite or a gap at its end is NaN.
    StepReport step();
    const State& state() const { return state_; }
    double step_length() const { return h_; }

protected:
    /// Sets state_ at the end of the step; time, violation and finiteness are the caller's care.
    virtual StepReport advance() = 0;

    const MechanicalSystem& system_;
    State state_;
    const double h_;

private:
    const double start_;
    long count_ = 0;
};

/// (nu) coefficients. @throws std::invalid_argument if there is neither one nor nu, or one is not in [0, 1].
Vector expanded(const Restitution& restitution, const MechanicalSystem& system);

}  // namespace talus::lagrange
