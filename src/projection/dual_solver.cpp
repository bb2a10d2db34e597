#include "dual_solver.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "row_kernels.hpp"

namespace talus {

namespace {
constexpr int kRebuildEvery = 100;  ///< iterations
}

void DualSolver::prepare(const ProjectionProblem& problem) {
    problem_ = problem;
    with_team([&] { builder_.build(problem, layout_); }, std::ssize(problem.rows) / kRowsPerItem);
    y_.resize(layout_.row.size());
    w_.resize(layout_.body.size());
    partial_.resize(std::max<std::size_t>(layout_.blocks.size(), layout_.body_chunk_count()));
}

SolverReport DualSolver::solve(std::span<const double> rate, std::span<const Vec3> free_velocity,
                               double time_step, std::span<double> impulse, std::span<Vec3> velocity) {
    check_sizes(rate, free_velocity, time_step, impulse, velocity);
    SolverReport report;
    with_team([&] { report = solve_on_team(rate, free_velocity, time_step, impulse, velocity); },
              layout_.row_count() / kRowsPerItem);
    return report;
}

SolverReport DualSolver::solve_on_team(std::span<const double> rate, std::span<const Vec3> free_velocity,
                                       double time_step, std::span<double> impulse,
                                       std::span<Vec3> velocity) {
    layout_.load(problem_, rate, free_velocity, time_step);
    meter_.start(layout_);
    SolverReport report;
    iterations_ = 0;
    bytes_ = 0.0;
    if (meter_.reference() == 0.0) {
        std::fill(y_.begin(), y_.end(), 0.0);
    } else {
        first_guess(impulse);
        jam_.start(layout_, rate, time_step, options_.overlap_tolerance);
        report.status = minimise();
    }
    layout_.scatter(y_, w_);
    const Optimality reached = meter_.measure(layout_, y_, w_);
    report.iterations = iterations_;
    report.bytes = bytes_;
    report.residual = reached.residual;
    report.map = reached.map;
    report.overlap = reached.overlap;
    report.complementarity = meter_.complementarity(layout_, y_, w_);
    if (report.status == Status::infeasible) report.jam = jam_.proof(layout_);
    write_answer(free_velocity, impulse, velocity);
    return report;
}

void DualSolver::check_sizes(std::span<const double> rate, std::span<const Vec3> free_velocity,
                             double time_step, std::span<const double> impulse,
                             std::span<const Vec3> velocity) const {
    const std::size_t rows = problem_.rows.size();
    const std::size_t bodies = problem_.inverse_mass.size();
    if (rate.size() != rows || impulse.size() != rows || free_velocity.size() != bodies ||
        velocity.size() != bodies) {
        throw std::invalid_argument("projection: sizes of rate, impulse or velocities are not the problem's");
    }
    if (!(time_step > 0.0) || !std::isfinite(time_step)) {
        throw std::invalid_argument("projection: the time step must be positive and finite");
    }
}

/// Scales the given impulses by alpha = clip(-(b.y)/(y.A y), 0, 1): never above the objective of zero.
void DualSolver::first_guess(std::span<const double> impulse) {
    parallel_for(layout_.row_count(), [&](std::ptrdiff_t c) {
        const double y = impulse[layout_.row[c]] / layout_.scale[c];
        y_[c] = options_.warm_start && std::isfinite(y) ? std::max(0.0, y) : 0.0;
    });
    layout_.scatter(y_, w_);
    const double gain = -work(y_);
    const double cost = 2.0 * kinetic(w_);
    const double alpha = gain > 0.0 && cost > 0.0 ? std::min(1.0, gain / cost) : 0.0;
    parallel_for(layout_.row_count(), [&](std::ptrdiff_t c) { y_[c] *= alpha; });
    parallel_for(layout_.body_count(), [&](std::ptrdiff_t k) { w_[k].head<3>() *= alpha; });
}

Status DualSolver::iterate(FunctionRef<void()> advance, FunctionRef<void()> rebuild,
                           std::vector<Packed>& scratch) {
    check_ = {};
    next_mending_ = 0;
    return talus::iterate(
        IterationParts{[&](int k) { return is_check_due(k); }, [&] { return is_solved_or_mended(scratch); },
                       [&](int k) { return jam_.is_proven(layout_, k, y_); }, advance, rebuild,
                       kRebuildEvery},
        options_.max_iterations, iterations_);
}

bool DualSolver::is_solved(std::span<const double> y, std::span<const Packed> w) {
    const Optimality reached = meter_.measure(layout_, y, w);
    return reached.residual <= options_.tolerance && reached.overlap <= options_.overlap_tolerance;
}

// w that is updated for many sweeps drifts by rounding: what counts is measured with one formed afresh.
bool DualSolver::is_solved_or_mended(std::vector<Packed>& scratch) {
    const Optimality reached = meter_.measure(layout_, y_, w_);
    if (reached.residual > options_.tolerance) return false;
    if (reached.overlap <= options_.overlap_tolerance) return is_solved_afresh(y_, scratch);
    const bool is_last = iterations_ == options_.max_iterations;
    return (is_last || iterations_ >= next_mending_) && is_mended(reached.overlap, scratch);
}

// On a copy, so that where it fails the iteration goes on as if nothing had been tried.
bool DualSolver::is_mended(double overlap, std::vector<Packed>& scratch) {
    constexpr int kRounds = 4;
    constexpr double kWorthwhile = 0.7;  // part of the overlap that a round may leave
    mender_.start(layout_);
    if (!mender_.add_blocks(layout_, meter_, options_.overlap_tolerance)) return false;
    y_mended_ = y_;
    layout_.scatter(y_mended_, scratch);
    for (int round = 0; round < kRounds; ++round) {
        mender_.sweep(layout_, y_mended_, scratch);
        layout_.scatter(y_mended_, scratch);
        const Optimality reached = meter_.measure(layout_, y_mended_, scratch);
        if (reached.residual <= options_.tolerance && reached.overlap <= options_.overlap_tolerance) {
            y_.swap(y_mended_);
            w_.swap(scratch);
            return true;
        }
        if (reached.overlap > kWorthwhile * overlap) break;
        overlap = reached.overlap;
        if (!mender_.add_blocks(layout_, meter_, options_.overlap_tolerance)) break;
    }
    next_mending_ = iterations_ + iterations_ / 2 + 30;
    return false;
}

bool DualSolver::is_solved_afresh(std::span<const double> y, std::span<Packed> w) {
    layout_.scatter(y, w);
    return is_solved(y, w);
}

double DualSolver::kinetic(std::span<const Packed> w) {
    layout_.body_chunks([&](std::ptrdiff_t chunk, std::ptrdiff_t begin, std::ptrdiff_t end) {
        double sum = 0.0;
        for (std::ptrdiff_t k = begin; k < end; ++k) sum += layout_.mass[k] * dot3(w[k], w[k]);
        partial_[chunk] = sum;
    });
    return 0.5 * sum_of(layout_.body_chunk_count());
}

double DualSolver::work(std::span<const double> y) {
    layout_.read_blocks([&](std::ptrdiff_t number, const RowLayout::Block& block) {
        double sum = 0.0;
        for (Index c = block.begin; c < block.end; ++c) sum += layout_.direction[c][3] * y[c];
        partial_[number] = sum;
    });
    return sum_of(layout_.blocks.size());
}

double DualSolver::sum_of(std::size_t count) const {
    double sum = 0.0;
    for (std::size_t k = 0; k < count; ++k) sum += partial_[k];
    return sum;
}

double DualSolver::eigenvalue_bound() {
    // |A_cd| <= s_c s_d / m_k for rows that share body k, so row c sums to s_c sum_k (1/m_k) sum_d s_d.
    body_sum_.assign(layout_.body.size(), 0.0);
    for (Index c = 0; c < layout_.row_count(); ++c) {
        const auto [i, j] = layout_.ends[c];
        body_sum_[i] += layout_.scale[c] / layout_.mass[i];
        if (j >= 0) body_sum_[j] += layout_.scale[c] / layout_.mass[j];
    }
    double bound = 1.0;
    for (Index c = 0; c < layout_.row_count(); ++c) {
        const auto [i, j] = layout_.ends[c];
        bound = std::max(bound, layout_.scale[c] * (body_sum_[i] + (j < 0 ? 0.0 : body_sum_[j])));
    }
    return bound;
}

void DualSolver::write_answer(std::span<const Vec3> free_velocity, std::span<double> impulse,
                              std::span<Vec3> velocity) const {
    const auto bodies = static_cast<std::ptrdiff_t>(velocity.size());
    parallel_for(bodies, [&](std::ptrdiff_t k) { velocity[k] = free_velocity[k]; });
    parallel_for(layout_.body_count(),
                 [&](std::ptrdiff_t k) { velocity[layout_.body[k]] += w_[k].head<3>(); });
    parallel_for(layout_.row_count(),
                 [&](std::ptrdiff_t c) { impulse[layout_.row[c]] = layout_.scale[c] * y_[c]; });
}

}  // namespace talus
