#include "stage_solver.hpp"

#include <algorithm>
#include <cmath>

#include "talus/contact/contact_point.hpp"
#include "talus/core/parallel.hpp"

namespace talus {

namespace {

FrictionOptions friction_options(const SolverOptions& options, FrictionLaw law) {
    return {.kind = law == FrictionLaw::coulomb ? FrictionKind::coulomb : FrictionKind::coulomb_relaxed,
            .tolerance = options.friction_tolerance,
            .overlap_tolerance = options.overlap_tolerance,
            .max_iterations = options.friction_iterations,
            .warm_start = options.warm_start};
}

}  // namespace

StageSolver::StageSolver(const SolverOptions& options) : options_(options), solver_(make_solver(options)) {}

void StageSolver::prepare(const ProjectionInput& input, const ContactList& contacts,
                          std::span<const double> rate, std::span<const double> guess) {
    const Particles& particles = input.particles;
    rows_.resize(contacts.size());
    parallel_for(std::ssize(contacts), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[k];
        rows_[k] = {c.i, c.j, c.normal, smaller_radius(c, particles)};
    });
    expect_idle_rows(rows_, rate, input.free_velocity, guess, idle_);
    with_friction_ = input.has_friction();
    forget_stages();
    if (!with_friction_) {
        solver_->prepare({particles.inverse_mass, particles.position, rows_, idle_});
        return;
    }
    if (made_for_ != input.friction) {
        friction_solver_ = make_friction_solver(friction_options(options_, input.friction));
        made_for_ = input.friction;
    }
    set_friction(input, contacts, {});
}

void StageSolver::set_friction(const ProjectionInput& input, const ContactList& contacts,
                               std::span<const std::uint8_t> closing) {
    if (!with_friction_) return;
    const Particles& particles = input.particles;
    friction_.resize(contacts.size());
    parallel_for(std::ssize(contacts), [&](std::ptrdiff_t k) {
        const Contact& c = contacts[k];
        const PairLaw& law = input.law[c.law];
        const ContactArms arms = contact_arms(c, particles);
        const double factor = !closing.empty() && closing[k] != 0 ? 1.0 + law.restitution : 1.0;
        const bool turns =
            particles.inverse_inertia[c.i] > 0.0 || (c.j >= 0 && particles.inverse_inertia[c.j] > 0.0);
        const double rolling = turns ? law.rolling_friction * reduced_radius(c, particles) : 0.0;
        friction_[k] = {arms.i, arms.j, factor * law.friction, factor * rolling};
    });
    friction_solver_->prepare(
        {particles.inverse_mass, particles.inverse_inertia, particles.position, rows_, friction_, idle_});
}

bool StageSolver::solve(const ProjectionInput& input, std::span<const double> rate, const MotionView& from,
                        Impulses& p, Motion& to, ProjectionReport& report) {
    to.velocity.resize(from.velocity.size());
    to.spin.resize(with_friction_ ? from.spin.size() : 0);
    const SolverReport solved =
        with_friction_ ? solve_with_friction(input, rate, from, p, to)
                       : solver_->solve(rate, from.velocity, input.time_step, p.normal, to.velocity);
    const bool feasible = solved.status != Status::infeasible;
    report.absorb(solved, feasible ? energy_defect(input, rate, from, p, to) : 0.0);
    return feasible;
}

SolverReport StageSolver::solve_with_friction(const ProjectionInput& input, std::span<const double> rate,
                                              const MotionView& from, Impulses& p, Motion& to) {
    impulse_.resize(rows_.size());
    parallel_for(std::ssize(rows_),
                 [&](std::ptrdiff_t c) { impulse_[c] = p.normal[c] * rows_[c].normal + p.tangential[c]; });
    // What a bounce leaves to correct is small beside the impact.
    const FrictionReport reached =
        friction_solver_->solve({rate, input.surface_velocity, from.velocity, from.spin, input.time_step,
                                 input.wall_spin, reference_},
                                {impulse_, to.velocity, to.spin, p.moment});
    reference_ = reached.reference;
    parallel_for(std::ssize(rows_), [&](std::ptrdiff_t c) {
        p.normal[c] = rows_[c].normal.dot(impulse_[c]);
        p.tangential[c] = impulse_[c] - p.normal[c] * rows_[c].normal;
    });
    SolverReport report;
    report.status = reached.status;
    report.iterations = reached.iterations;
    report.residual = reached.residual;
    report.map = reached.map;
    report.overlap = reached.overlap;
    report.jam = reached.jam;
    report.complementarity = complementarity(rate, from, p, to);
    return report;
}

double StageSolver::normal_velocity(std::size_t row, std::span<const Vec3> u) const {
    const Row& r = rows_[row];
    return r.normal.dot(r.j < 0 ? Vec3(-u[r.i]) : Vec3(u[r.j] - u[r.i]));
}

// w_T, the relative velocity of the surfaces across the normal.
Vec3 StageSolver::slip(std::size_t row, const ProjectionInput& input, const Motion& u) const {
    const Row& r = rows_[row];
    const RowFriction& of = friction_[row];
    Vec3 w = input.surface_velocity.empty() ? Vec3(Vec3::Zero()) : input.surface_velocity[row];
    w -= u.velocity[r.i] + (of.arm_i * u.spin[r.i]).cross(r.normal);
    if (r.j >= 0) w += u.velocity[r.j] - (of.arm_j * u.spin[r.j]).cross(r.normal);
    return w - r.normal.dot(w) * r.normal;
}

double StageSolver::lift(std::size_t row, const ProjectionInput& input, const Motion& u) const {
    if (!with_friction_ || input.friction != FrictionLaw::coulomb_relaxed) return 0.0;
    return friction_[row].friction * slip(row, input, u).norm();
}

// omega_r, the relative spin across the normal.
Vec3 StageSolver::rolling(std::size_t row, const ProjectionInput& input, const Motion& u) const {
    const Row& r = rows_[row];
    Vec3 w = input.wall_spin.empty() ? Vec3(Vec3::Zero()) : input.wall_spin[row];
    w -= u.spin[r.i];
    if (r.j >= 0) w += u.spin[r.j];
    return w - r.normal.dot(w) * r.normal;
}

// What tangential impulse and moment do beyond what sliding and rolling dissipate: 0 for the exact answer.
double StageSolver::frictional_work(std::size_t row, const ProjectionInput& input, const Impulses& p,
                                    const Motion& u) const {
    const Vec3 w = slip(row, input, u);
    const double sliding = p.tangential[row].dot(w) + friction_[row].friction * p.normal[row] * w.norm();
    if (p.moment.empty()) return sliding;
    const Vec3 omega = rolling(row, input, u);
    return sliding + p.moment[row].dot(omega) + friction_[row].rolling * p.normal[row] * omega.norm();
}

// What the impulses do beyond rate and friction, over the energy: 0 for the exact answer.
double StageSolver::energy_defect(const ProjectionInput& input, std::span<const double> rate,
                                  const MotionView& from, const Impulses& p, const Motion& to) const {
    const double work = parallel_sum(std::ssize(rows_), [&](std::ptrdiff_t k) {
        const auto c = static_cast<std::size_t>(k);
        const double pushing = p.normal[c] * (rate[c] + normal_velocity(c, to.velocity));
        return with_friction_ ? pushing + frictional_work(c, input, p, to) : pushing;
    });
    const Particles& particles = input.particles;
    const double energy = parallel_sum(particles.size(), [&](std::ptrdiff_t k) {
        const auto i = static_cast<std::size_t>(k);
        if (particles.frozen(static_cast<Index>(k))) return 0.0;
        const double moving =
            particles.mass[i] * std::max(from.velocity[i].squaredNorm(), to.velocity[i].squaredNorm());
        const double inverse = particles.inverse_inertia[i];
        if (!with_friction_ || inverse == 0.0) return moving;
        return moving + std::max(from.spin[i].squaredNorm(), to.spin[i].squaredNorm()) / inverse;
    });
    return energy > 0.0 ? 2.0 * std::abs(work) / energy : 0.0;
}

// As SolverReport defines it, of the normal parts.
double StageSolver::complementarity(std::span<const double> rate, const MotionView& from, const Impulses& p,
                                    const Motion& to) const {
    const auto rows = std::ssize(rows_);
    const double work = parallel_sum(
        rows, [&](std::ptrdiff_t c) { return p.normal[c] * (rate[c] + normal_velocity(c, to.velocity)); });
    const double impulse = parallel_sum(rows, [&](std::ptrdiff_t c) { return p.normal[c] * p.normal[c]; });
    const double lack = parallel_sum(rows, [&](std::ptrdiff_t c) {
        const double free = std::min(0.0, rate[c] + normal_velocity(c, from.velocity));
        return free * free;
    });
    const double size = std::sqrt(impulse) * std::sqrt(lack);
    return size > 0.0 ? std::abs(work) / size : 0.0;
}

void StageSolver::add_impulses(const Particles& particles, std::span<const double> normal,
                               std::vector<Vec3>& u) const {
    for (std::size_t c = 0; c < rows_.size(); ++c) {
        const Row& row = rows_[c];
        u[row.i] -= particles.inverse_mass[row.i] * normal[c] * row.normal;
        if (row.j >= 0) u[row.j] += particles.inverse_mass[row.j] * normal[c] * row.normal;
    }
}

std::span<const std::uint8_t> StageSolver::sliding() const {
    return with_friction_ ? friction_solver_->sliding() : std::span<const std::uint8_t>{};
}

}  // namespace talus
