#include "talus/lagrange/bernicot_lefebvre.hpp"

#include <algorithm>
#include <utility>

#include "impact_law.hpp"

namespace talus::lagrange {

namespace {

// One step in the symbols of docs/theory.md: gap_rate is g(t^{n+1}, q^n)/h, delta its part that is due to
// time.
struct Step {
    Eigen::LLT<Matrix> metric;
    Matrix G;
    Vector gap_rate, delta;
    Vector before, free;  // u^n, v
    StepReport report;

    /// argmin |u - from|_M with offset + G u >= 0; false if there is no such u.
    bool project(const Vector& offset, const Vector& from, Vector& u, Vector& p) {
        const LinearProjection solved = project_linear(metric, G, offset, from);
        report.absorb(solved.status, solved.iterations, 0.0);
        u = solved.point;
        p = solved.multipliers;
        return solved.status == Status::converged;
    }
};

/// I: pairs that close in this step and did approach at its start, faster than the force of one step
/// explains.
std::vector<char> closing(const Step& s, const Vector& e) {
    const Vector approach = s.delta + s.G * s.before;
    const Vector predicted = s.gap_rate + s.G * s.free;
    const Vector threshold = 2.0 * (s.G * (s.free - s.before)).cwiseAbs();
    std::vector<char> is_closing(static_cast<std::size_t>(e.size()));
    for (Eigen::Index k = 0; k < e.size(); ++k) {
        is_closing[k] = e[k] > 0.0 && predicted[k] < 0.0 && approach[k] < -threshold[k];
    }
    return is_closing;
}

/// The four-step rule; false where the set of the impact is empty (a piston that would have to overtake).
bool bounce(Step& s, const Vector& e, const std::vector<char>& is_closing, Vector& after) {
    Vector rate = s.gap_rate;
    for (Eigen::Index k = 0; k < e.size(); ++k) {
        if (is_closing[k]) rate[k] = s.delta[k];
    }
    Vector u, p;
    if (!s.project(rate, s.before, u, p)) return false;
    s.report.impulses = p;

    Vector bounced = e.cwiseProduct(p);
    bounced *= bounce_scale({s.metric, s.G, s.delta, e, s.before}, u, bounced);
    s.report.impulses += bounced;
    const Vector rebound = u + s.metric.solve(s.G.transpose() * bounced);

    if (!s.project(s.gap_rate, rebound, u, p)) return false;
    s.report.impulses += p;

    // The force of the step, without undoing the bounce. u respects the gaps to rounding only; it is admitted
    // as it is, or this set could be empty.
    const Vector kept = -s.G * u;
    for (Eigen::Index k = 0; k < e.size(); ++k) {
        rate[k] = bounced[k] > 0.0 ? kept[k] : std::max(s.gap_rate[k], kept[k]);
    }
    if (!s.project(rate, u + s.free - s.before, after, p)) return false;
    s.report.impulses += p;
    return true;
}

}  // namespace

BernicotLefebvre::BernicotLefebvre(const MechanicalSystem& system, State start, double h,
                                   const BernicotLefebvreOptions& options)
    : Scheme(system, std::move(start), h), restitution_(expanded(options.restitution, system)) {}

StepReport BernicotLefebvre::advance() {
    const auto& [t, q, u] = state_;
    const Vector gaps = system_.gaps(t + h_, q);
    Step s{factorised_mass(system_, q),
           system_.gap_gradients(t + h_, q),
           gaps / h_,
           (gaps - system_.gaps(t, q)) / h_,
           u,
           {},
           {}};
    s.free = u + h_ * s.metric.solve(system_.force(t + 0.5 * h_, q, u));

    const std::vector<char> is_closing = closing(s, restitution_);
    const bool any = std::find(is_closing.begin(), is_closing.end(), 1) != is_closing.end();
    Vector after;
    if (!any || !bounce(s, restitution_, is_closing, after)) {
        s.report = {};
        s.project(s.gap_rate, s.free, after, s.report.impulses);
    }
    state_.v = after;
    state_.q += h_ * after;
    return s.report;
}

}  // namespace talus::lagrange
