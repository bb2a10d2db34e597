#pragma once

#include <cstdint>
#include <vector>

#include "talus/projection/solver.hpp"

namespace talus::test {

constexpr SolverKind kIterative[] = {SolverKind::monotone_pgs, SolverKind::clip_cg, SolverKind::apgd,
                                     SolverKind::uzawa};
constexpr SolverKind kEverySolver[] = {SolverKind::monotone_pgs, SolverKind::clip_cg, SolverKind::apgd,
                                       SolverKind::uzawa, SolverKind::exact};

/// A projection with everything it needs, owned.
struct Problem {
    std::vector<Vec3> centre;
    std::vector<double> inverse_mass;
    std::vector<Row> rows;
    std::vector<double> rate;
    std::vector<Vec3> velocity;
    std::vector<std::uint8_t> idle;  ///< of the rows, or empty
    double time_step = 1.0;

    ProjectionProblem view() const { return {inverse_mass, centre, rows, idle}; }
    Index add_body(const Vec3& at, double mass, const Vec3& speed);
    /// A row between two bodies whose surfaces are `gap` apart.
    void add_pair(Index i, Index j, double gap, double radius = 0.5);
    void add_wall(Index i, const Vec3& normal_to_wall, double gap, double radius = 0.5);
};

struct Answer {
    SolverReport report;
    std::vector<double> impulse;
    std::vector<Vec3> velocity;
};

/// Solves from no first guess, or from `guess`.
Answer solve(const Problem& problem, const SolverOptions& options, const std::vector<double>& guess = {});
/// 1/2 |u - v|_M^2 + p . (rate + G v) at p, by plain loops.
double dual_objective(const Problem& problem, const std::vector<double>& impulse);
/// v + M^-1 G' p by plain loops.
std::vector<Vec3> velocity_of(const Problem& problem, const std::vector<double>& impulse);
/// rate + G u by plain loops.
std::vector<double> slopes(const Problem& problem, const std::vector<Vec3>& velocity);
double speed_norm(const Problem& problem, const std::vector<Vec3>& u);

/// Bodies at random places joined by random rows: masses over six decades, some bodies that can not be moved,
/// walls, rows written twice, rows that depend on each other. Admissible: some velocity satisfies every row.
Problem random_problem(int dimension, std::uint64_t seed);
/// N spheres of radius 1/2 on each other on a floor that touch, at rest, under gravity for one time step.
Problem column(Index count, double mass, double speed_of_gravity);
/// Random spheres in a box with floor and walls, falling: a packing with `count` bodies.
Problem packing(Index count, std::uint64_t seed);

SolverOptions options_of(SolverKind kind, double tolerance);

}  // namespace talus::test
