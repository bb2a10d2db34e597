#pragma once

#include <span>
#include <vector>

#include "iteration.hpp"
#include "jam_detector.hpp"
#include "overlap_mender.hpp"
#include "talus/projection/optimality.hpp"
#include "talus/projection/row_layout.hpp"
#include "talus/projection/solver.hpp"

namespace talus {

/// The frame of every solver that works on the rows: sorts and scales them, makes the first guess, lets the
/// derived class minimise f(y) = 1/2 y' A y + b' y over y >= 0, measures what it reached and writes the
/// answer in the caller's order.
class DualSolver : public ProjectionSolver {
public:
    explicit DualSolver(const SolverOptions& options) : options_(options) {}

    void prepare(const ProjectionProblem& problem) override;
    SolverReport solve(std::span<const double> rate, std::span<const Vec3> free_velocity, double time_step,
                       std::span<double> impulse, std::span<Vec3> velocity) override;

protected:
    /// Minimises from y_ with w_ = M^-1 G' S y_, leaves the answer in y_ (w_ may be anything). Sets
    /// iterations_.
    virtual Status minimise() = 0;

    /// Whether it is time to measure the residual. Asked while iterating.
    virtual bool is_check_due(int iteration) { return check_.due(iteration); }
    /// Iterates from (y_, w_) until they solve the problem, a jam is proven or the iterations run out.
    /// @param advance makes one iteration. @param rebuild forms afresh what drifts by rounding while it is
    /// updated, now and then. @param scratch (k) that neither of them needs to find again.
    Status iterate(FunctionRef<void()> advance, FunctionRef<void()> rebuild, std::vector<Packed>& scratch);
    /// True if (y, w) solves the problem to both tolerances.
    bool is_solved(std::span<const double> y, std::span<const Packed> w);
    /// The same with w formed afresh from y: w that is updated for many sweeps drifts by rounding.
    bool is_solved_afresh(std::span<const double> y, std::span<Packed> w);
    /// 1/2 sum m |w|^2. @param w (k)
    double kinetic(std::span<const Packed> w);
    /// b . y. @param y (m)
    double work(std::span<const double> y);
    /// Gershgorin's bound of the largest eigenvalue of A = S G M^-1 G' S [-], at least 1.
    double eigenvalue_bound();
    /// Sum over blocks or body chunks, in order.
    double sum_of(std::size_t count) const;

    SolverOptions options_;
    RowLayout layout_;
    OptimalityMeter meter_;
    JamDetector jam_;
    std::vector<double> y_;
    std::vector<Packed> w_;
    std::vector<double> partial_;
    std::vector<double> body_sum_;
    int iterations_ = 0;
    double bytes_ = 0.0;  ///< of the iterations, where they are counted

private:
    void check_sizes(std::span<const double> rate, std::span<const Vec3> free_velocity, double time_step,
                     std::span<const double> impulse, std::span<const Vec3> velocity) const;
    SolverReport solve_on_team(std::span<const double> rate, std::span<const Vec3> free_velocity,
                               double time_step, std::span<double> impulse, std::span<Vec3> velocity);
    /// As is_solved(y_, w_); where a few rows alone overlap too much, y_ becomes one without.
    bool is_solved_or_mended(std::vector<Packed>& scratch);
    bool is_mended(double overlap, std::vector<Packed>& scratch);
    void first_guess(std::span<const double> impulse);
    void write_answer(std::span<const Vec3> free_velocity, std::span<double> impulse,
                      std::span<Vec3> velocity) const;

    CheckSchedule check_;
    OverlapMender mender_;
    std::vector<double> y_mended_;
    int next_mending_ = 0;  ///< iteration: not again soon where it was in vain
    ProjectionProblem problem_;
    RowLayoutBuilder builder_;
};

}  // namespace talus
