#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "capped_momentum.hpp"
#include "friction_meter.hpp"
#include "friction_rows.hpp"
#include "friction_sweep.hpp"
#include "iteration.hpp"
#include "jam_detector.hpp"

namespace talus {

namespace {

constexpr int kRebuildFrictionEvery = 50;  ///< iterations
/// Sweeps that the overlap left by an unsolved problem may take: it is reported if they are not enough.
constexpr int kMostToEndOverlap = 20000;

template <FrictionKind kind>
class SweepingFrictionSolver final : public FrictionSolver {
public:
    explicit SweepingFrictionSolver(const FrictionOptions& options) : options_(options), sweep_(rows_) {}

    void prepare(const FrictionProblem& problem) override;
    FrictionReport solve(const FrictionInput& input, const FrictionOutput& output) override;
    std::span<const std::uint8_t> sliding() const override { return sliding_; }

private:
    void check_sizes(const FrictionInput& input, const FrictionOutput& output) const;
    FrictionReport solve_on_team(const FrictionInput& input, const FrictionOutput& output);
    void first_guess(const FrictionOutput& given);
    Status iterate_sweeps();
    bool is_jammed(int iteration);
    Status end_overlap();
    bool is_solved();
    bool is_apart();
    double excess(const Optimality& reached) const;
    void write_motion(const FrictionInput& input, const FrictionOutput& output) const;

    FrictionOptions options_;
    FrictionRows rows_;
    FrictionSweep<kind> sweep_;
    FrictionMeter<kind> meter_;
    JamDetector jam_;
    ScaledImpulses best_;  ///< y of the least residual
    double least_residual_ = 1.0;
    double overlap_ = 0.0;  ///< when last measured
    std::vector<BodyMotion> fresh_;
    std::vector<std::uint8_t> sliding_;
    int iterations_ = 0;
};

template <FrictionKind kind>
void SweepingFrictionSolver<kind>::prepare(const FrictionProblem& problem) {
    with_team([&] { rows_.prepare(problem); }, std::ssize(problem.rows) / kRowsPerItem);
    const RowLayout& layout = rows_.layout();
    if (kind == FrictionKind::coulomb_relaxed && rows_.has_rolling()) {
        throw std::invalid_argument("projection: the relaxation of Coulomb's law has no rolling resistance");
    }
    sweep_.y.resize(static_cast<std::size_t>(rows_.group_count()), rows_.has_rolling());
    best_.resize(static_cast<std::size_t>(rows_.group_count()), rows_.has_rolling());
    sliding_.assign(layout.row.size(), 0);
    sweep_.motion.resize(layout.body.size());
    fresh_.resize(layout.body.size());
}

template <FrictionKind kind>
FrictionReport SweepingFrictionSolver<kind>::solve(const FrictionInput& input, const FrictionOutput& output) {
    check_sizes(input, output);
    FrictionReport report;
    with_team([&] { report = solve_on_team(input, output); }, rows_.layout().row_count() / kRowsPerItem);
    return report;
}

template <FrictionKind kind>
void SweepingFrictionSolver<kind>::check_sizes(const FrictionInput& input,
                                               const FrictionOutput& output) const {
    const std::size_t rows = rows_.problem().rows.size();
    const std::size_t bodies = rows_.problem().inverse_mass.size();
    const auto of_bodies = [&](std::span<const Vec3> values) { return values.size() == bodies; };
    const bool rows_fit = input.rate.size() == rows && output.impulse.size() == rows &&
                          (input.drift.empty() || input.drift.size() == rows) &&
                          (input.turning.empty() || input.turning.size() == rows) &&
                          (output.moment.size() == rows || (output.moment.empty() && !rows_.has_rolling()));
    if (!rows_fit || !of_bodies(input.free_velocity) || !of_bodies(input.free_spin) ||
        !of_bodies(output.velocity) || !of_bodies(output.spin)) {
        throw std::invalid_argument("projection: sizes of rates, impulses or motions are not the problem's");
    }
    if (!(input.time_step > 0.0) || !std::isfinite(input.time_step)) {
        throw std::invalid_argument("projection: the time step must be positive and finite");
    }
}

template <FrictionKind kind>
FrictionReport SweepingFrictionSolver<kind>::solve_on_team(const FrictionInput& input,
                                                           const FrictionOutput& output) {
    rows_.load(input);
    meter_.start(rows_, input.least_reference);
    FrictionReport report;
    iterations_ = 0;
    if (meter_.residual_at_zero() == 0.0) {
        sweep_.y.set_zero();
    } else {
        first_guess(output);
        jam_.start(rows_.layout(), input.rate, input.time_step, options_.overlap_tolerance);
        report.status = iterate_sweeps();
    }
    rows_.scatter(sweep_.y, sweep_.motion);
    const Optimality reached = meter_.measure(rows_, sweep_.y, sweep_.motion);
    // The residual may have been reached before, and the overlap after the sweeps that the law was given.
    if (report.status == Status::max_iterations && excess(reached) <= 1.0) report.status = Status::converged;
    report.iterations = iterations_;
    report.residual = reached.residual;
    report.map = reached.map;
    report.reference = meter_.reference();
    report.overlap = reached.overlap;
    if (report.status == Status::infeasible) report.jam = jam_.proof(rows_.layout());
    meter_.mark_sliding(rows_, sweep_.y, sweep_.motion, sliding_);
    rows_.write_impulses(sweep_.y, output);
    write_motion(input, output);
    return report;
}

/// Scales the given impulses by alpha = clip(-(b.y)/(y.A y), 0, 1): never above the relaxation's objective of
/// zero. At a solution of either law alpha is 1.
template <FrictionKind kind>
void SweepingFrictionSolver<kind>::first_guess(const FrictionOutput& given) {
    ScaledImpulses& y = sweep_.y;
    if (options_.warm_start) {
        rows_.read_impulses(given, y);
    } else {
        y.set_zero();
    }
    rows_.scatter(y, sweep_.motion);
    const double gain = -rows_.work(y);
    const double cost = 2.0 * rows_.energy(sweep_.motion);
    const double alpha = gain > 0.0 && cost > 0.0 ? std::min(1.0, gain / cost) : 0.0;
    y.scale(alpha);
    parallel_for(std::ssize(sweep_.motion), [&](std::ptrdiff_t k) {
        sweep_.motion[k].velocity.template head<3>() *= alpha;
        sweep_.motion[k].spin.template head<3>() *= alpha;
    });
}

/// Leaves the answer, or the best iterate seen, in sweep_.y.
template <FrictionKind kind>
Status SweepingFrictionSolver<kind>::iterate_sweeps() {
    using Guide = std::conditional_t<kind == FrictionKind::coulomb, CappedMomentum, MonotoneMomentum>;
    Guide momentum;
    sweep_.start();
    least_residual_ = meter_.residual_at_zero();
    const auto advance = [&] {
        momentum.advance([&](double beta) { return sweep_.sweep(beta); });
        sweep_.accept();
    };
    CheckSchedule check;
    const Status status =
        iterate(IterationParts{[&](int k) { return check.due(k); }, [&] { return is_solved(); },
                               [&](int k) { return is_jammed(k); }, advance, [&] { sweep_.rebuild(); },
                               kRebuildFrictionEvery},
                options_.max_iterations, iterations_);
    if (status != Status::max_iterations) return status;
    if (least_residual_ < meter_.residual_at_zero()) std::swap(sweep_.y, best_);
    return end_overlap();
}

/// A proof that the normal rows alone have no solution.
template <FrictionKind kind>
bool SweepingFrictionSolver<kind>::is_jammed(int iteration) {
    return overlap_ > options_.overlap_tolerance &&
           jam_.is_proven_from(rows_.layout(), iteration,
                               [&](std::span<double> slope) { rows_.normal_slopes(sweep_.motion, slope); });
}

/// Whatever the iterations left of the law, bodies do not overlap: where they would, normal impulses grow.
/// Half of the tolerated overlap stays, or every contact would take part, and the residual double.
template <FrictionKind kind>
Status SweepingFrictionSolver<kind>::end_overlap() {
    rows_.scatter(sweep_.y, sweep_.motion);
    jam_.restart();
    sweep_.start_pushing_apart(0.5 * options_.overlap_tolerance);
    MonotoneMomentum momentum;
    const auto advance = [&] {
        momentum.advance([&](double beta) { return sweep_.sweep(beta); });
        sweep_.accept();
    };
    int sweeps = 0;
    CheckSchedule check;
    const Status status =
        iterate(IterationParts{[&](int k) { return check.due(k); }, [&] { return is_apart(); },
                               [&](int k) { return is_jammed(k); }, advance, [&] { sweep_.rebuild(); },
                               kRebuildFrictionEvery},
                kMostToEndOverlap, sweeps);
    iterations_ += sweeps;
    return status == Status::infeasible ? status : Status::max_iterations;
}

template <FrictionKind kind>
bool SweepingFrictionSolver<kind>::is_apart() {
    overlap_ = meter_.measure(rows_, sweep_.y, sweep_.motion).overlap;
    return overlap_ <= options_.overlap_tolerance;
}

/// Measures; where (y, motion) passes, once more with the motion afresh, since it drifts by rounding.
template <FrictionKind kind>
bool SweepingFrictionSolver<kind>::is_solved() {
    const Optimality reached = meter_.measure(rows_, sweep_.y, sweep_.motion);
    overlap_ = reached.overlap;
    // Impulses no better than none are not worth keeping: if no others are found, the last ones are returned.
    if (reached.residual < least_residual_) {
        least_residual_ = reached.residual;
        best_ = sweep_.y;
    }
    if (excess(reached) > 1.0) return false;
    rows_.scatter(sweep_.y, fresh_);
    return excess(meter_.measure(rows_, sweep_.y, fresh_)) <= 1.0;
}

/// Residual and overlap over what is allowed: solved where it is at most 1.
template <FrictionKind kind>
double SweepingFrictionSolver<kind>::excess(const Optimality& reached) const {
    return std::max(reached.residual / options_.tolerance, reached.overlap / options_.overlap_tolerance);
}

template <FrictionKind kind>
void SweepingFrictionSolver<kind>::write_motion(const FrictionInput& input,
                                                const FrictionOutput& output) const {
    const RowLayout& layout = rows_.layout();
    parallel_for(std::ssize(output.velocity), [&](std::ptrdiff_t k) {
        output.velocity[k] = input.free_velocity[k];
        output.spin[k] = input.free_spin[k];
    });
    parallel_for(layout.body_count(), [&](std::ptrdiff_t k) {
        output.velocity[layout.body[k]] += sweep_.motion[k].velocity.template head<3>();
        output.spin[layout.body[k]] += sweep_.motion[k].spin.template head<3>();
    });
}

void check_options(const FrictionOptions& options) {
    const auto positive = [](const char* name, double value) {
        if (value > 0.0) return;
        throw std::invalid_argument(
            fmt::format("friction solver {} is {}, a positive number is needed", name, value));
    };
    positive("tolerance", options.tolerance);
    positive("overlap_tolerance", options.overlap_tolerance);
    positive("max_iterations", options.max_iterations);
}

}  // namespace

std::unique_ptr<FrictionSolver> make_friction_solver(const FrictionOptions& options) {
    check_options(options);
    switch (options.kind) {
        case FrictionKind::coulomb:
            return std::make_unique<SweepingFrictionSolver<FrictionKind::coulomb>>(options);
        case FrictionKind::coulomb_relaxed:
            return std::make_unique<SweepingFrictionSolver<FrictionKind::coulomb_relaxed>>(options);
    }
    throw std::invalid_argument("friction kind is not one of the known ones");
}

}  // namespace talus
