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
    double bounce_scale(const ProjectionInput& in, const ContactList& contacts) const;
    void start(ContactList& contacts) const;
    void add_to(ContactList& contacts) const;
    void finish(ContactList& contacts) const;

    SolverOptions options;
    StageSolver stages;
    std::vector<double> gap_rate;       // D/h [m/s]
    std::vector<double> rate;           // of the stage at hand
    Impulses guess;                     // of the force of the step
    Impulses p;                         // of the stage at hand
    std::vector<double> bounced;        // e p of the first stage [N s]
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
        if (!guess.tangential.empty()) guess.tangential[k] = c.tangential;
        if (!guess.moment.empty()) guess.moment[k] = c.moment;
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

// theta: with unequal e, or with friction, Newton's rule can create energy; the largest theta in [0, 1] with
// |u1 + theta M^-1 G' e p| <= |u^n|, spins included. Moving walls and changing radii do work of their own:
// then theta = 1.
double ContactProjection::Rule::bounce_scale(const ProjectionInput& in, const ContactList& contacts) const {
    double lowest = 1.0, highest = 0.0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (bounced[c] <= 0.0) continue;
        if (contacts[c].gap != contacts[c].gap_before) return 1.0;
        lowest = std::min(lowest, in.law[contacts[c].law].restitution);
        highest = std::max(highest, in.law[contacts[c].law].restitution);
    }
    if (lowest >= highest && !in.has_friction()) return 1.0;
    const Particles& particles = in.particles;
    std::vector<Vec3> change(stage.velocity.size(), Vec3::Zero());
    stages.add_impulses(particles, bounced, change);
    double a = 0.0, b = 0.0, c = 0.0;  // a theta^2 + 2 b theta + c <= 0
    for (Index i = 0; i < particles.size(); ++i) {
        if (particles.frozen(i)) continue;
        const double m = particles.mass[i];
        a += m * change[i].squaredNorm();
        b += m * change[i].dot(stage.velocity[i]);
        c += m * (stage.velocity[i].squaredNorm() - in.velocity_before[i].squaredNorm());
        const double inverse = particles.inverse_inertia[i];
        if (stage.spin.empty() || inverse == 0.0) continue;
        c += (stage.spin[i].squaredNorm() - particles.angular_velocity[i].squaredNorm()) / inverse;
    }
    if (a == 0.0 || a + 2.0 * b + c <= 0.0) return 1.0;
    const double discriminant = std::max(0.0, b * b - a * c);
    return std::clamp((std::sqrt(discriminant) - b) / a, 0.0, 1.0);
}

// The four-step rule; contacts[k].impulse ends as the sum over the stages, so that u = v + M^-1 G' impulse.
bool ContactProjection::Rule::bounce(const ProjectionInput& in, ContactList& contacts, Motion& after,
                                     ProjectionReport& report) {
    const std::size_t count = contacts.size();
    // 1. u1 = P_K0(u^n): the impact itself. Pairs of I stop approaching, the others keep their gaps. Friction
    // answers the whole normal impulse of an impact, of which the part e is yet to come.
    rate = gap_rate;
    for (std::size_t c = 0; c < count; ++c) {
        if (closing[c]) rate[c] = (contacts[c].gap - contacts[c].gap_before) / in.time_step;
    }
    p = guess;
    p.clear();
    stages.set_friction(in, contacts, closing);
    if (!stages.solve(in, rate, {in.velocity_before, in.particles.angular_velocity}, p, stage, report)) {
        return false;
    }
    start(contacts);

    // 2. u* = u1 + theta M^-1 G' (e p)
    bounced = p.normal;
    for (std::size_t c = 0; c < count; ++c) bounced[c] *= in.law[contacts[c].law].restitution;
    const double theta = bounce_scale(in, contacts);
    for (std::size_t c = 0; c < count; ++c) {
        bounced[c] *= theta;
        contacts[c].impulse += bounced[c];
    }
    stages.add_impulses(in.particles, bounced, stage.velocity);

    // 3. u~ = P_K(u*): gaps respected
    p.clear();
    stages.set_friction(in, contacts, {});
    if (!stages.solve(in, gap_rate, {stage.velocity, stage.spin}, p, next, report)) return false;
    add_to(contacts);

    // 4. the force of the step, without undoing the bounce. u~ respects the gaps to the tolerance of stage 3
    // only; it is admitted as it is, or this set could be empty.
    for (std::size_t c = 0; c < count; ++c) {
        const double kept = -stages.normal_velocity(c, next.velocity);
        rate[c] = bounced[c] > 0.0 ? kept : std::max(gap_rate[c], kept);
    }
    for (std::size_t i = 0; i < next.velocity.size(); ++i) {
        next.velocity[i] += in.free_velocity[i] - in.velocity_before[i];
    }
    p = guess;
    if (!stages.solve(in, rate, {next.velocity, next.spin}, p, after, report)) return false;
    add_to(contacts);
    finish(contacts);
    return true;
}

}  // namespace talus
