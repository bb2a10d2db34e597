#include "contact_closing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "event_search.hpp"
#include "rounding.hpp"
#include "selection.hpp"

namespace talus::lagrange {

namespace {

/// Restitution closer to one is taken as this far from it: elastic bounces have no end.
constexpr double kLeastLoss = 1e-3;

}  // namespace

LinearProjection constrained_acceleration(const MechanicalSystem& system, const State& state,
                                          const std::vector<int>& held) {
    const auto& [t, q, v] = state;
    const Eigen::LLT<Matrix> metric = factorised_mass(system, q);
    const Matrix gradients = select_rows(system.gap_gradients(t, q), held);
    const Vector bending = select(system.gap_bending(t, q, v), held);
    return project_linear(metric, gradients, bending, metric.solve(system.force(t, q, v)));
}

ContactClosing::ContactClosing(const MechanicalSystem& system, Vector restitution, double accumulation_time)
    : system_(system),
      longest_flight_(accumulation_time * (1.0 - restitution.array()).cwiseMax(kLeastLoss)) {}

void ContactClosing::extend(const State& state, int released, std::vector<int>& held) const {
    for (;;) {
        const std::vector<int> found = closing(state, released, held);
        if (found.empty()) break;
        held.insert(held.end(), found.begin(), found.end());
    }
    std::sort(held.begin(), held.end());
}

std::vector<int> ContactClosing::closing(const State& state, int released,
                                         const std::vector<int>& held) const {
    const Matrix gradients = system_.gap_gradients(state.t, state.q);
    const Vector gaps = system_.gaps(state.t, state.q), rates = gap_speeds(system_, state);
    const Vector noise = kRounding * gradients.cwiseAbs() * state.q.cwiseAbs();
    const Vector pull = gradients * constrained_acceleration(system_, state, held).point +
                        system_.gap_bending(state.t, state.q, state.v);
    std::vector<int> found;
    for (int a = 0; a < gaps.size(); ++a) {
        if (a == released || pull[a] >= 0.0 || std::find(held.begin(), held.end(), a) != held.end()) continue;
        const double landing_square = rates[a] * rates[a] - 2.0 * pull[a] * std::max(0.0, gaps[a]);
        const bool is_short = 2.0 * std::sqrt(landing_square) <= -pull[a] * longest_flight_[a];
        const bool is_low = landing_square <= -2.0 * pull[a] * noise[a];
        if (is_short || is_low) found.push_back(a);
    }
    return found;
}

}  // namespace talus::lagrange
