#include "talus/step/contact_projection.hpp"

#include <algorithm>
#include <cmath>

#include "talus/core/parallel.hpp"
#include "talus/projection/sweep_bytes.hpp"

namespace talus {

// Symbols as in the theory: h, u^n, v; the rows carry G, gap_rate_ is D/h.
struct ContactProjection::Setting {
    const Particles& particles;
    double h;
    const std::vector<Vec3>& before;  // u^n
    const std::vector<Vec3>& free;    // v
};

void ProjectionReport::absorb(const SolverReport& report) {
    ++solves;
    solver.iterations += report.iterations;
    solver.residual = std::max(solver.residual, report.residual);
    solver.overlap = std::max(solver.overlap, report.overlap);
    solver.complementarity = std::max(solver.complementarity, report.complementarity);
    if (report.status != Status::converged && solver.status != Status::infeasible)
        solver.status = report.status;
    if (report.jam) solver.jam = report.jam;
}

ContactProjection::ContactProjection(const SolverOptions& options)
    : solver_(make_solver(options)), options_(options) {}

double ContactProjection::relative_velocity(const Row& row, const std::vector<Vec3>& u) const {
    return row.normal.dot(row.j < 0 ? Vec3(-u[row.i]) : Vec3(u[row.j] - u[row.i]));
}

void ContactProjection::prepare(const Setting& s, const ContactList& contacts) {
    const Particles& particles = s.particles;
    rows_.resize(contacts.size());
    parallel_for(static_cast<std::ptrdiff_t>(contacts.size()), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[static_cast<std::size_t>(k)];
        const double own = particles.radius[c.i];
        const double radius = c.j < 0 ? own : std::min(own, particles.radius[c.j]);
        rows_[static_cast<std::size_t>(k)] = {c.i, c.j, c.normal, radius};
    });
    solver_->prepare({particles.inverse_mass, particles.position, rows_});
    gap_rate_.resize(contacts.size());
    impulse_.resize(contacts.size());
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        gap_rate_[c] = contacts[c].gap / s.h;
        impulse_[c] = contacts[c].sustained;
    }
}

// One projection: to = from + M^-1 G' impulse with rate + G to >= 0. False when no admissible velocity
// exists.
bool ContactProjection::stage(const Setting& s, const std::vector<double>& rate,
                              const std::vector<Vec3>& from, std::vector<double>& impulse,
                              std::vector<Vec3>& to, ProjectionReport& report) {
    const SolverReport solved = solver_->solve(rate, from, s.h, impulse, to);
    report.absorb(solved);
    if (solved.status == Status::infeasible) return false;
    const auto count = static_cast<std::ptrdiff_t>(rows_.size());
    const double slack_work = parallel_sum(count, [&](std::ptrdiff_t k) {
        const auto c = static_cast<std::size_t>(k);
        return impulse[c] * (rate[c] + relative_velocity(rows_[c], to));
    });
    const double energy = parallel_sum(s.particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        const double squared = std::max(from[i].squaredNorm(), to[i].squaredNorm());
        return s.particles.frozen(static_cast<Index>(k)) ? 0.0 : s.particles.mass[i] * squared;
    });
    if (energy > 0.0)
        report.energy_defect = std::max(report.energy_defect, 2.0 * std::abs(slack_work) / energy);
    return true;
}

ProjectionReport ContactProjection::project(const Particles& particles, double time_step,
                                            const std::vector<Vec3>& velocity_before,
                                            const std::vector<Vec3>& free_velocity, ContactList& contacts,
                                            std::vector<Vec3>& velocity) {
    const Setting s{particles, time_step, velocity_before, free_velocity};
    velocity.resize(particles.size());
    StageTimes times;
    {
        const StageTimer timer(times, Stage::prepare);
        prepare(s, contacts);
    }
    ProjectionReport report;
    {
        const StageTimer timer(times, Stage::solve);
        report = solve(s, contacts, velocity);
    }
    if (options_.kind == SolverKind::monotone_pgs) {
        times[Stage::solve].bytes = report.solver.iterations * sweep_bytes(rows_.size(), velocity.size());
    }
    report.times = times;
    return report;
}

ProjectionReport ContactProjection::solve(const Setting& s, ContactList& contacts,
                                          std::vector<Vec3>& velocity) {
    ProjectionReport report;
    if (closing_pairs(s, contacts)) {
        if (bounce(s, contacts, velocity, report)) return report;
        // The set of the impact alone can be empty where K is not (a piston that would have to overtake): no
        // bounce.
        report = {};
        for (std::size_t c = 0; c < contacts.size(); ++c) impulse_[c] = contacts[c].sustained;
    }
    stage(s, gap_rate_, s.free, impulse_, velocity, report);
    for (std::size_t c = 0; c < contacts.size(); ++c)
        contacts[c].impulse = contacts[c].sustained = impulse_[c];
    return report;
}

// I = {k : e_k > 0, D_k + h G_k v < 0, w_k < -vc_k}: pairs that would close in this step and did approach at
// its start. w comes from u^n: with v a resting ball would bounce on the speed that gravity gives it within
// one step and gain energy. vc_k = 2 |G_k (v - u^n)| lets a ball come to exact rest instead of bouncing ever
// faster and lower. Between two balls of a resting stack that is zero: there, an approach within the error
// that the solver leaves in the velocities is no impact either.
bool ContactProjection::closing_pairs(const Setting& s, const ContactList& contacts) {
    closing_.assign(contacts.size(), 0);
    const auto bounces = [](const Contact& c) { return c.restitution > 0.0; };
    if (std::none_of(contacts.begin(), contacts.end(), bounces)) return false;
    double violation = 0.0;  // what the solver starts from, and reduces to its tolerance
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        violation = std::max(violation, -(gap_rate_[c] + relative_velocity(rows_[c], s.free)));
    }
    bool any = false;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (!bounces(contacts[c])) continue;
        const double before = relative_velocity(rows_[c], s.before);
        const double free = relative_velocity(rows_[c], s.free);
        const double approach = (contacts[c].gap - contacts[c].gap_before) / s.h + before;
        const double threshold = 2.0 * std::abs(free - before) + options_.tolerance * violation;
        closing_[c] = gap_rate_[c] + free < 0.0 && approach < -threshold;
        any = any || closing_[c];
    }
    return any;
}

void ContactProjection::add_impulses(const Setting& s, const std::vector<double>& impulse,
                                     std::vector<Vec3>& u) const {
    const std::vector<double>& inverse_mass = s.particles.inverse_mass;
    for (std::size_t c = 0; c < rows_.size(); ++c) {
        const Row& row = rows_[c];
        u[row.i] -= inverse_mass[row.i] * impulse[c] * row.normal;
        if (row.j >= 0) u[row.j] += inverse_mass[row.j] * impulse[c] * row.normal;
    }
}

// theta: with unequal e Newton's rule can create energy; the largest theta in [0, 1] with |u1 + theta M^-1 G'
// e p| <= |u^n|. Moving walls and changing radii do work of their own: then theta = 1.
double ContactProjection::bounce_scale(const Setting& s, const ContactList& contacts) const {
    double lowest = 1.0, highest = 0.0;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        if (bounce_impulse_[c] <= 0.0) continue;
        if (contacts[c].gap != contacts[c].gap_before) return 1.0;
        lowest = std::min(lowest, contacts[c].restitution);
        highest = std::max(highest, contacts[c].restitution);
    }
    if (lowest >= highest) return 1.0;
    std::vector<Vec3> change(stage_velocity_.size(), Vec3::Zero());
    add_impulses(s, bounce_impulse_, change);
    double a = 0.0, b = 0.0, c = 0.0;  // a theta^2 + 2 b theta + c <= 0
    for (Index i = 0; i < s.particles.size(); ++i) {
        if (s.particles.frozen(i)) continue;
        const double m = s.particles.mass[i];
        a += m * change[i].squaredNorm();
        b += m * change[i].dot(stage_velocity_[i]);
        c += m * (stage_velocity_[i].squaredNorm() - s.before[i].squaredNorm());
    }
    if (a == 0.0 || a + 2.0 * b + c <= 0.0) return 1.0;
    const double discriminant = std::max(0.0, b * b - a * c);
    return std::clamp((std::sqrt(discriminant) - b) / a, 0.0, 1.0);
}

// The four-step rule; contacts[k].impulse ends as the sum over the stages, so that u = v + M^-1 G' impulse.
bool ContactProjection::bounce(const Setting& s, ContactList& contacts, std::vector<Vec3>& velocity,
                               ProjectionReport& report) {
    const std::size_t count = contacts.size();
    // 1. u1 = P_K0(u^n): the impact itself. Pairs of I stop approaching, the others keep their gaps.
    rate_ = gap_rate_;
    for (std::size_t c = 0; c < count; ++c) {
        if (closing_[c]) rate_[c] = (contacts[c].gap - contacts[c].gap_before) / s.h;
    }
    bounce_impulse_.assign(count, 0.0);
    stage_velocity_.resize(velocity.size());
    next_velocity_.resize(velocity.size());
    if (!stage(s, rate_, s.before, bounce_impulse_, stage_velocity_, report)) return false;
    for (std::size_t c = 0; c < count; ++c) contacts[c].impulse = bounce_impulse_[c];

    // 2. u* = u1 + theta M^-1 G' (e p)
    for (std::size_t c = 0; c < count; ++c) bounce_impulse_[c] *= contacts[c].restitution;
    const double theta = bounce_scale(s, contacts);
    for (std::size_t c = 0; c < count; ++c) {
        bounce_impulse_[c] *= theta;
        contacts[c].impulse += bounce_impulse_[c];
    }
    add_impulses(s, bounce_impulse_, stage_velocity_);

    // 3. u~ = P_K(u*): gaps respected
    std::fill(impulse_.begin(), impulse_.end(), 0.0);
    if (!stage(s, gap_rate_, stage_velocity_, impulse_, next_velocity_, report)) return false;
    for (std::size_t c = 0; c < count; ++c) contacts[c].impulse += impulse_[c];

    // 4. the force of the step, without undoing the bounce. u~ respects the gaps to the tolerance of stage 3
    // only; it is admitted as it is, or this set could be empty.
    for (std::size_t c = 0; c < count; ++c) {
        const double kept = -relative_velocity(rows_[c], next_velocity_);
        rate_[c] = bounce_impulse_[c] > 0.0 ? kept : std::max(gap_rate_[c], kept);
    }
    for (std::size_t i = 0; i < next_velocity_.size(); ++i) next_velocity_[i] += s.free[i] - s.before[i];
    for (std::size_t c = 0; c < count; ++c) impulse_[c] = contacts[c].sustained;
    if (!stage(s, rate_, next_velocity_, impulse_, velocity, report)) return false;
    for (std::size_t c = 0; c < count; ++c) {
        contacts[c].sustained = impulse_[c];
        contacts[c].impulse += impulse_[c];
    }
    return true;
}

}  // namespace talus
