#include "talus/step/contact_projection.hpp"

#include <algorithm>
#include <cmath>

#include "stage_solver.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

// Symbols as in the theory: h, u^n, v; the stages carry G, gap_rate is D/h.
struct ContactProjection::Rule {
    explicit Rule(const SolverOptions& given) : options(given), stages(given) {}

    void prepare(const ProjectionInput& in, const ContactList& contacts);
    ProjectionReport solve(const ProjectionInput& in, ContactList& contacts, Motion& after);
    bool closing_pairs(const ProjectionInput& in, const ContactList& contacts);
    bool bounce(const ProjectionInput& in, ContactList& contacts, Motion& after, ProjectionReport& report);
    bool impact(const ProjectionInput& in, ContactList& contacts, ProjectionReport& report);
    bool gains(const ProjectionInput& in, const ContactList& contacts) const;
    bool temper(const ProjectionInput& in, ProjectionReport& report);
    double product(const ProjectionInput& in, const MotionView& one, const MotionView& other) const;
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
    Motion stage, next;
};

ContactProjection::ContactProjection(const SolverOptions& options) : rule_(std::make_unique<Rule>(options)) {}

ContactProjection::~ContactProjection() = default;

void ProjectionReport::absorb(const SolverReport& report, double defect) {
    ++solves;
    solver.iterations += report.iterations;
    solver.bytes += report.bytes;
    solver.residual = std::max(solver.residual, report.residual);
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

// I = {k : e_k > 0, D_k + h G_k v < 0, w_k < -vc_k}: pairs that would close in this step and did approach at
// its start. w comes from u^n: with v a resting ball would bounce on the speed that gravity gives it within
// one step and gain energy. vc_k = 2 |G_k (v - u^n)| lets a ball come to exact rest instead of bouncing ever
// faster and lower. Between two balls of a resting stack that is zero: there, an approach within the error
// that the solver leaves in the velocities is no impact either.
bool ContactProjection::Rule::closing_pairs(const ProjectionInput& in, const ContactList& contacts) {
    if (!in.law.any_bounces()) return false;
    const auto rows = std::ssize(contacts);
    // What the solver starts from, and reduces to its tolerance.
    const double violation = parallel_max(rows, 0.0, [&](std::ptrdiff_t k) {
        return -(gap_rate[k] + stages.normal_velocity(k, in.free_velocity));
    });
    closing.resize(contacts.size());
    parallel_for(rows, [&](std::ptrdiff_t k) {
        const Contact& c = contacts[k];
        const double before = stages.normal_velocity(k, in.velocity_before);
        const double free = stages.normal_velocity(k, in.free_velocity);
        const double approach = (c.gap - c.gap_before) / in.time_step + before;
        const double threshold = 2.0 * std::abs(free - before) + options.tolerance * violation;
        closing[k] = in.law[c.law].restitution > 0.0 && gap_rate[k] + free < 0.0 && approach < -threshold;
    });
    return std::find(closing.begin(), closing.end(), 1) != closing.end();
}

// Sum of m u . u' and J omega . omega' over all that can move: twice the kinetic energy where both are one.
double ContactProjection::Rule::product(const ProjectionInput& in, const MotionView& one,
                                        const MotionView& other) const {
    const Particles& particles = in.particles;
    const bool turning = in.has_friction();
    return parallel_sum(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        if (particles.frozen(static_cast<Index>(k))) return 0.0;
        const double moving = particles.mass[i] * one.velocity[i].dot(other.velocity[i]);
        const double inverse = particles.inverse_inertia[i];
        return turning && inverse > 0.0 ? moving + one.spin[i].dot(other.spin[i]) / inverse : moving;
    });
}

// Newton's rule can create energy, with unequal e or with friction. Moving walls and changing radii do work
// of their own.
bool ContactProjection::Rule::gains(const ProjectionInput& in, const ContactList& contacts) const {
    double lowest = 1.0, highest = 0.0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (bounced[c] <= 0.0) continue;
        if (contacts[c].gap != contacts[c].gap_before) return false;
        lowest = std::min(lowest, in.law[contacts[c].law].restitution);
        highest = std::max(highest, in.law[contacts[c].law].restitution);
    }
    if (lowest >= highest && !in.has_friction()) return false;
    const MotionView before{in.velocity_before, in.particles.angular_velocity}, after = view_of(stage);
    return product(in, after, after) > product(in, before, before);
}

// Mixes the bounce with the answer of e = 0, as much of it as has no more energy than u^n. Friction keeps its
// bounds in both, so it does in between.
bool ContactProjection::Rule::temper(const ProjectionInput& in, ProjectionReport& report) {
    const MotionView before{in.velocity_before, in.particles.angular_velocity};
    if (!stages.solve(in, rate, before, dull, next, report)) return false;
    const MotionView from = view_of(next), to = view_of(stage);
    const double start = product(in, from, from), mixed = product(in, from, to), end = product(in, to, to);
    // a theta^2 + 2 b theta + c <= 0
    const double a = start - 2.0 * mixed + end, b = mixed - start, c = start - product(in, before, before);
    const double discriminant = std::max(0.0, b * b - a * c);
    const double theta = a > 0.0 ? std::clamp((std::sqrt(discriminant) - b) / a, 0.0, 1.0) : 0.0;
    const auto mix = [theta](auto& all, const auto& plain) {
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = plain[k] + theta * (all[k] - plain[k]);
    };
    mix(p.normal, dull.normal);
    mix(p.tangential, dull.tangential);
    mix(p.moment, dull.moment);
    mix(stage.velocity, next.velocity);
    mix(stage.spin, next.spin);
    for (double& impulse : bounced) impulse *= theta;
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
    dull = p;
    bounced = p.normal;
    for (std::size_t c = 0; c < count; ++c) {
        bounced[c] *= in.law[contacts[c].law].restitution;
        p.normal[c] += bounced[c];
    }
    stages.add_impulses(in.particles, bounced, stage.velocity);
    stages.set_friction(in, contacts, {});
    if (gains(in, contacts) && !temper(in, report)) return false;
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
    // only; it is admitted as it is, or this set could be empty. The lift of the relaxed law is part of u~.
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
