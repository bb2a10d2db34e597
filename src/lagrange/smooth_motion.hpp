#pragma once

#include <boost/numeric/odeint.hpp>
#include <vector>

#include "talus/lagrange/projection.hpp"

namespace talus::lagrange {

/// Motion without impacts of a system whose constraints in contact are held at g = 0.
class SmoothMotion {
public:
    SmoothMotion(const MechanicalSystem& system, double tolerance, double max_step);

    /// Starts afresh at `state` with these contacts; their gaps and rates are put to zero first.
    void restart(const State& state, const std::vector<int>& contacts);
    /// One step of the integrator: known_until() moves on. @throws StateError if its step underflows.
    void advance();
    double known_until() const { return known_until_; }

    /// State at t in [last begin, known_until()], by the interpolation of the integrator (order four).
    State sample(double t);
    /// The same by one step of its own from the beginning of the last step: as exact as the steps.
    State locate(double t);
    /// Multipliers of the contacts, in their order [unit of force over unit of the gap's gradient].
    Vector multipliers(const State& state);
    const std::vector<int>& contacts() const { return contacts_; }
    long evaluations() const { return evaluations_; }

private:
    using Flat = std::vector<double>;  // q, then q'
    using Stepper = boost::numeric::odeint::runge_kutta_dopri5<Flat>;

    void derive(const Flat& x, Flat& slope, double t);
    State put_back(State state);
    /// Factors of M(q): one factorisation for all q where M is constant.
    const Eigen::LLT<Matrix>& metric(const Vector& q);
    Flat flat(const State& state) const;
    State state_of(double t, const Flat& x) const;

    const MechanicalSystem& system_;
    std::vector<int> contacts_;
    Eigen::LLT<Matrix> metric_;  ///< where it was asked for last
    boost::numeric::odeint::result_of::make_dense_output<Stepper>::type integrator_;
    double first_step_;
    double known_until_ = 0.0;
    State begin_;  ///< of the last step
    long evaluations_ = 0;
};

}  // namespace talus::lagrange
