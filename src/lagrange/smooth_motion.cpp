#include "smooth_motion.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "selection.hpp"
#include "talus/core/error.hpp"

namespace talus::lagrange {

namespace {

/// Steps of the integrator shorter than this part of the time are rounding: it runs into a singularity.
constexpr double kShortest = 1e-14;

/// x with G M^-1 G' x = b; of those the shortest where contacts depend on each other.
Vector solve_contacts(const Matrix& gradients, const Matrix& inverse_times_gradients, const Vector& b) {
    const Matrix matrix = gradients * inverse_times_gradients;
    return matrix.completeOrthogonalDecomposition().solve(b);
}

}  // namespace

SmoothMotion::SmoothMotion(const MechanicalSystem& system, double tolerance, double max_step)
    : system_(system),
      integrator_(boost::numeric::odeint::make_dense_output(tolerance, tolerance, max_step, Stepper())),
      first_step_(1e-3 * max_step) {}

SmoothMotion::Flat SmoothMotion::flat(const State& state) const {
    Flat x(state.q.begin(), state.q.end());
    x.insert(x.end(), state.v.begin(), state.v.end());
    return x;
}

State SmoothMotion::state_of(double t, const Flat& x) const {
    const Eigen::Index n = system_.coordinate_count();
    const Eigen::Map<const Vector> all(x.data(), 2 * n);
    return {t, all.head(n), all.tail(n)};
}

const Eigen::LLT<Matrix>& SmoothMotion::metric(const Vector& q) {
    if (metric_.rows() == 0 || !system_.constant_mass()) metric_ = factorised_mass(system_, q);
    return metric_;
}

void SmoothMotion::restart(const State& state, const std::vector<int>& contacts) {
    contacts_ = contacts;
    begin_ = put_back(state);
    known_until_ = state.t;
    integrator_.initialize(flat(begin_), state.t, first_step_);
}

void SmoothMotion::advance() {
    if (!contacts_.empty() && known_until_ > begin_.t) restart(sample(known_until_), contacts_);
    try {
        const auto slope = [this](const Flat& x, Flat& dx, double t) { derive(x, dx, t); };
        const auto [from, to] = integrator_.do_step(slope);
        if (!(to - from > kShortest * std::abs(to))) {
            throw StateError(fmt::format("t = {:g}: the integrator's steps have shrunk to rounding", to));
        }
        begin_ = state_of(from, integrator_.previous_state());
        known_until_ = to;
        first_step_ = std::max(to - from, integrator_.current_time_step());
    } catch (const boost::numeric::odeint::odeint_error& error) {
        throw StateError(
            fmt::format("t = {:g}: the integrator does not advance ({})", known_until_, error.what()));
    }
}

State SmoothMotion::sample(double t) {
    if (t == begin_.t) return begin_;
    Flat x(2 * begin_.q.size());
    integrator_.calc_state(t, x);
    return state_of(t, x);
}

State SmoothMotion::locate(double t) {
    if (t == begin_.t) return begin_;
    Flat x = flat(begin_);
    Stepper().do_step([this](const Flat& at, Flat& dx, double time) { derive(at, dx, time); }, x, begin_.t,
                      t - begin_.t);
    return state_of(t, x);
}

Vector SmoothMotion::multipliers(const State& state) {
    if (contacts_.empty()) return {};
    const auto& [t, q, v] = state;
    const Eigen::LLT<Matrix>& factors = metric(q);
    const Matrix gradients = select_rows(system_.gap_gradients(t, q), contacts_);
    const Vector free = factors.solve(system_.force(t, q, v));
    const Vector lack = -select(system_.gap_bending(t, q, v), contacts_) - gradients * free;
    return solve_contacts(gradients, factors.solve(gradients.transpose()), lack);
}

void SmoothMotion::derive(const Flat& x, Flat& slope, double t) {
    ++evaluations_;
    const State state = state_of(t, x);
    Vector force = system_.force(t, state.q, state.v);
    if (!contacts_.empty()) {
        const Matrix gradients = select_rows(system_.gap_gradients(t, state.q), contacts_);
        force += gradients.transpose() * multipliers(state);
    }
    const Vector acceleration = metric(state.q).solve(force);
    slope.resize(x.size());
    std::copy(state.v.begin(), state.v.end(), slope.begin());
    std::copy(acceleration.begin(), acceleration.end(), slope.begin() + state.v.size());
}

/// One Newton step each for gaps and rates of the contacts, along M^-1 G': the drift of one step is small.
State SmoothMotion::put_back(State state) {
    if (contacts_.empty()) return state;
    const double t = state.t;
    Vector& q = state.q;
    Vector& v = state.v;
    const auto correct = [&](Vector& what, const Vector& lack) {
        const Matrix gradients = select_rows(system_.gap_gradients(t, q), contacts_);
        const Matrix directions = metric(q).solve(gradients.transpose());
        what -= directions * solve_contacts(gradients, directions, lack);
    };
    correct(q, select(system_.gaps(t, q), contacts_));
    const Vector rates = system_.gap_gradients(t, q) * v + system_.gap_rates(t, q);
    correct(v, select(rates, contacts_));
    return state;
}

}  // namespace talus::lagrange
