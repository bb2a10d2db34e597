#include "talus/step/contact_projection.hpp"

#include <algorithm>
#include <cmath>

#include "clusters.hpp"
#include "impact_energy.hpp"
#include "stage_solver.hpp"
#include "talus/contact/contact_point.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

// Symbols as in the theory: h, u^n, v; the stages carry G, gap_rate is D/h.
struct ContactProjection::Rule {
    explicit Rule(const SolverOptions& given) : options(given), stages(given) {}

    void prepare(const ProjectionInput& in, const ContactList& contacts);
    ProjectionReport solve(const ProjectionInput& in, ContactList& contacts, Motion& after);
    double no_impact(const ProjectionInput& in, const Contact& c) const;
    bool closing_pairs(const ProjectionInput& in, const ContactList& contacts);
    bool bounce(const ProjectionInput& in, ContactList& contacts, Motion& after, ProjectionReport& report);
    bool impact(const ProjectionInput& in, ContactList& contacts, ProjectionReport& report);
    bool may_gain(const ProjectionInput& in, const ContactList& contacts) const;
    bool temper(const ProjectionInput& in, const ContactList& contacts, ProjectionReport& report);
    std::vector<EnergyBalance> balances(const ProjectionInput& in, const ContactList& contacts);
    void start(ContactList& contacts) const;
    void add_to(ContactList& contacts) const;
    void finish(ContactList& contacts) const;

    SolverOptions options;
    StageSolver stages;
    std::vector<double> gap_rate;       // D/h [m/s]
    std::vector<double> rate;           // of the stage at hand
    Impulses guess;                     // of the force of the step
    Impulses p;                         // of the stage at hand
    Impulses dull;                      // of the impact without restitution
    std::vector<double> bounced;        // what restitution adds to the first stage [N s]
    std::vector<std::uint8_t> closing;  // the set I
    std::vector<std::uint8_t> acting;   // contacts with an impulse
    Clusters clusters;                  // of these
    Motion stage, next;
};

ContactProjection::ContactProjection(const SolverOptions& options) : rule_(std::make_unique<Rule>(options)) {}

ContactProjection::~ContactProjection() = default;

void ProjectionReport::absorb(const SolverReport& report, double defect) {
    ++solves;
    solver.iterations += report.iterations;
    solver.bytes += report.bytes;
    solver.residual = std::max(solver.residual, report.residual);
    solver.map = std::max(solver.map, report.map);
    solver.overlap = std::max(solver.overlap, report.overlap);
    solver.complementarity = std::max(solver.complementarity, report.complementarity);
    if (report.status != Status::converged && solver.status != Status::infeasible)
        solver.status = report.status;
    if (report.jam) solver.jam = report.jam;
    energy_defect = std::max(energy_defect, defect);
}

ProjectionReport ContactProjection::project(const ProjectionInput& input, ContactList& contacts,
                                            Motion& after) {
    StageTimes times;
    {
        const StageTimer timer(times, Stage::prepare);
        rule_->prepare(input, contacts);
    }
    ProjectionReport report;
    {
        const StageTimer timer(times, Stage::solve);
        report = rule_->solve(input, contacts, after);
    }
    times[Stage::solve].bytes = report.solver.bytes;
    report.times = times;
    return report;
}

void ContactProjection::Rule::prepare(const ProjectionInput& in, const ContactList& contacts) {
    gap_rate.resize(contacts.size());
    guess.normal.resize(contacts.size());
    guess.tangential.resize(in.has_friction() ? contacts.size() : 0);
    guess.moment.resize(in.has_rolling() ? contacts.size() : 0);
    parallel_for(std::ssize(contacts), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[k];
        gap_rate[k] = c.gap / in.time_step;
        guess.normal[k] = c.sustained;
        if (!guess.tangential.empty()) guess.tangential[k] = sustained_share(c) * c.tangential;
        if (!guess.moment.empty()) guess.moment[k] = sustained_share(c) * c.moment;
    });
    stages.prepare(in, contacts, gap_rate, guess.normal);
}

// Impulses of the first stage, in place of what stands there.
void ContactProjection::Rule::start(ContactList& contacts) const {
    parallel_for(std::ssize(contacts), [&](std::ptrdiff_t k) {
        Contact& c = contacts[k];
        c.impulse = p.normal[k];
        c.tangential = p.tangential.empty() ? Vec3(Vec3::Zero()) : p.tangential[k];
        c.moment = p.moment.empty() ? Vec3(Vec3::Zero()) : p.moment[k];
    });
}

void ContactProjection::Rule::add_to(ContactList& contacts) const {
    parallel_for(std::ssize(contacts), [&](std::ptrdiff_t k) {
        Contact& c = contacts[k];
        c.impulse += p.normal[k];
        if (!p.tangential.empty()) c.tangential += p.tangential[k];
        if (!p.moment.empty()) c.moment += p.moment[k];
    });
}

// The last stage carries the force of the step.
void ContactProjection::Rule::finish(ContactList& contacts) const {
    const std::span<const std::uint8_t> sliding = stages.sliding();
    parallel_for(std::ssize(contacts), [&](std::ptrdiff_t k) {
        contacts[k].sustained = p.normal[k];
        if (!sliding.empty()) contacts[k].sliding = sliding[k] != 0;
    });
}

ProjectionReport ContactProjection::Rule::solve(const ProjectionInput& in, ContactList& contacts,
                                                Motion& after) {
    ProjectionReport report;
    if (closing_pairs(in, contacts)) {
        if (bounce(in, contacts, after, report)) return report;
        // The set of the impact alone can be empty where K is not (a piston that would have to overtake): no
        // bounce.
        report = {};
        stages.forget_stages();
        stages.set_friction(in, contacts, {});
    }
    std::swap(p, guess);
    stages.solve(in, gap_rate, {in.free_velocity, in.particles.angular_velocity}, p, after, report);
    start(contacts);
    finish(contacts);
    return report;
}

// What the force of the step and the error of u^n make of an approach: no impact. A body comes to exact rest
// within twice the approach that v - u^n makes, instead of bouncing ever faster and lower. Other contacts may
// keep a held body from following the force, or turn it aside; and of a held body each contact's error is
// within the natural map of all, and about within the overlap that was tolerated.
double ContactProjection::Rule::no_impact(const ProjectionInput& in, const Contact& c) const {
    const auto gain = [&](Index i) { return Vec3(in.free_velocity[i] - in.velocity_before[i]); };
    const Vec3 of_i = gain(c.i), of_j = c.j < 0 ? Vec3(Vec3::Zero()) : gain(c.j);
    const double by_force = 2.0 * std::abs(c.normal.dot(of_j - of_i));
    if (in.held[c.i] == 0 && (c.j < 0 || in.held[c.j] == 0)) return by_force;
    const double by_error =
        std::min(in.map_before * std::sqrt(inverse_reduced_mass(c, in.particles)),
                 options.overlap_tolerance * smaller_radius(c, in.particles) / in.time_step);
    return std::max({by_force, of_i.norm(), of_j.norm()}) + by_error;
}

// I = {k : e_k > 0, D_k + h G_k v < 0, w_k < -vc_k}: pairs that would close in this step and did approach at
// its start. w comes from u^n: with v a resting ball would bounce on the speed that gravity gives it within
// one step and gain energy.
bool ContactProjection::Rule::closing_pairs(const ProjectionInput& in, const ContactList& contacts) {
    if (!in.law.any_bounces()) return false;
    closing.resize(contacts.size());
    parallel_for(std::ssize(contacts), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[k];
        closing[k] = 0;
        if (in.law[c.law].restitution == 0.0) return;
        if (gap_rate[k] + stages.normal_velocity(k, in.free_velocity) >= 0.0) return;
        const double approach =
            (c.gap - c.gap_before) / in.time_step + stages.normal_velocity(k, in.velocity_before);
        closing[k] = approach < -no_impact(in, c);
    });
    return std::find(closing.begin(), closing.end(), 1) != closing.end();
}

// Newton's rule can create energy, with unequal e or with friction.
bool ContactProjection::Rule::may_gain(const ProjectionInput& in, const ContactList& contacts) const {
    if (in.has_friction()) return true;
    double lowest = 1.0, highest = 0.0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (p.normal[c] <= 0.0) continue;
        lowest = std::min(lowest, in.law[contacts[c].law].restitution);
        highest = std::max(highest, in.law[contacts[c].law].restitution);
    }
    return lowest < highest;
}

// Of the clusters that the impulses of either answer join.
std::vector<EnergyBalance> ContactProjection::Rule::balances(const ProjectionInput& in,
                                                             const ContactList& contacts) {
    acting.resize(contacts.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        acting[c] = p.normal[c] > 0.0 || dull.normal[c] > 0.0;
    }
    clusters.build(in.particles, contacts, acting);
    return energy_balances(in, contacts, clusters, {dull, view_of(next)}, {p, view_of(stage)});
}

// Mixes the bounce of each cluster with its answer of e = 0: as much of it as walls and u^n have energy for.
// Friction keeps its bounds in both, so it does in between.
bool ContactProjection::Rule::temper(const ProjectionInput& in, const ContactList& contacts,
                                     ProjectionReport& report) {
    std::vector<EnergyBalance> balance = balances(in, contacts);
    if (std::none_of(balance.begin(), balance.end(), [](const EnergyBalance& of) { return of.gains(); }))
        return true;
    if (in.has_friction()) {
        // Not the first stage, whose friction answers the bounce too.
        const MotionView before{in.velocity_before, in.particles.angular_velocity};
        if (!stages.solve(in, rate, before, dull, next, report)) return false;
        balance = balances(in, contacts);
    }
    std::vector<double> theta(balance.size());
    std::transform(balance.begin(), balance.end(), theta.begin(),
                   [](const EnergyBalance& of) { return of.affordable_part(); });
    const auto mix = [](auto& full, const auto& plain, double part) { full = plain + part * (full - plain); };
    for (std::size_t k = 0; k < contacts.size(); ++k) {
        const double part = theta[clusters.of(in.particles, contacts[k])];
        if (part == 1.0) continue;
        mix(p.normal[k], dull.normal[k], part);
        if (!p.tangential.empty()) mix(p.tangential[k], dull.tangential[k], part);
        if (!p.moment.empty()) mix(p.moment[k], dull.moment[k], part);
        bounced[k] *= part;
    }
    for (std::size_t i = 0; i < stage.velocity.size(); ++i) {
        const double part = theta[clusters.of(static_cast<Index>(i))];
        if (part == 1.0) continue;
        mix(stage.velocity[i], next.velocity[i], part);
        if (!stage.spin.empty()) mix(stage.spin[i], next.spin[i], part);
    }
    return true;
}

// 1. u1 = P_K0(u^n): pairs of I stop approaching, the others keep their gaps. Friction answers the whole
// normal impulse of an impact, of which the part e is yet to come. 2. u* = u1 + M^-1 G' (e p), tempered.
bool ContactProjection::Rule::impact(const ProjectionInput& in, ContactList& contacts,
                                     ProjectionReport& report) {
    const std::size_t count = contacts.size();
    rate = gap_rate;
    for (std::size_t c = 0; c < count; ++c) {
        if (closing[c]) rate[c] = (contacts[c].gap - contacts[c].gap_before) / in.time_step;
    }
    p = guess;
    p.clear();
    stages.set_friction(in, contacts, closing);
    const MotionView before{in.velocity_before, in.particles.angular_velocity};
    if (!stages.solve(in, rate, before, p, stage, report)) return false;
    const bool gain_possible = may_gain(in, contacts);
    if (gain_possible) {
        dull = p;
        next = stage;
    }
    bounced = p.normal;
    for (std::size_t c = 0; c < count; ++c) {
        bounced[c] *= in.law[contacts[c].law].restitution;
        p.normal[c] += bounced[c];
    }
    stages.add_impulses(in.particles, bounced, stage.velocity);
    stages.set_friction(in, contacts, {});
    if (gain_possible && !temper(in, contacts, report)) return false;
    start(contacts);
    return true;
}

// The four-step rule; contacts[k].impulse ends as the sum over the stages, so that u = v + M^-1 G' impulse.
bool ContactProjection::Rule::bounce(const ProjectionInput& in, ContactList& contacts, Motion& after,
                                     ProjectionReport& report) {
    const std::size_t count = contacts.size();
    if (!impact(in, contacts, report)) return false;

    // 3. u~ = P_K(u*): gaps respected
    p.clear();
    if (!stages.solve(in, gap_rate, view_of(stage), p, next, report)) return false;
    add_to(contacts);

    // 4. the force of the step, without undoing the bounce. u~ respects the gaps to the tolerance of stage 3
    // only; its normal velocities are admitted as they are, or this set could be empty. The relaxed law does
    // not lift again what u~ has lifted, unless that would let the gap close.
    for (std::size_t c = 0; c < count; ++c) {
        const double kept = -stages.normal_velocity(c, next.velocity);
        const double gap = std::max(gap_rate[c], kept);
        rate[c] = bounced[c] > 0.0 ? std::min(gap, kept + stages.lift(c, in, next)) : gap;
    }
    for (std::size_t i = 0; i < next.velocity.size(); ++i) {
        next.velocity[i] += in.free_velocity[i] - in.velocity_before[i];
    }
    p = guess;
    if (!stages.solve(in, rate, view_of(next), p, after, report)) return false;
    add_to(contacts);
    finish(contacts);
    return true;
}

}  // namespace talus
