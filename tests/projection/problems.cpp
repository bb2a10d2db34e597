#include "projection/problems.hpp"

#include <algorithm>
#include <cmath>

#include "talus/core/random.hpp"

namespace talus::test {

Index Problem::add_body(const Vec3& at, double mass, const Vec3& speed) {
    centre.push_back(at);
    inverse_mass.push_back(std::isinf(mass) ? 0.0 : 1.0 / mass);
    velocity.push_back(speed);
    return static_cast<Index>(centre.size()) - 1;
}

void Problem::add_pair(Index i, Index j, double gap, double radius) {
    rows.push_back({i, j, (centre[j] - centre[i]).normalized(), radius});
    rate.push_back(gap / time_step);
}

void Problem::add_wall(Index i, const Vec3& normal_to_wall, double gap, double radius) {
    rows.push_back({i, -1, normal_to_wall, radius});
    rate.push_back(gap / time_step);
}

Answer solve(const Problem& problem, const SolverOptions& options, const std::vector<double>& guess) {
    Answer answer;
    answer.impulse = guess;
    answer.impulse.resize(problem.rows.size(), 0.0);
    answer.velocity.resize(problem.centre.size());
    const auto solver = make_solver(options);
    solver->prepare(problem.view());
    answer.report =
        solver->solve(problem.rate, problem.velocity, problem.time_step, answer.impulse, answer.velocity);
    return answer;
}

std::vector<Vec3> velocity_of(const Problem& problem, const std::vector<double>& impulse) {
    std::vector<Vec3> u = problem.velocity;
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        const Row& r = problem.rows[c];
        u[r.i] -= problem.inverse_mass[r.i] * impulse[c] * r.normal;
        if (r.j >= 0) u[r.j] += problem.inverse_mass[r.j] * impulse[c] * r.normal;
    }
    return u;
}

std::vector<double> slopes(const Problem& problem, const std::vector<Vec3>& velocity) {
    std::vector<double> slope = problem.rate;
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        const Row& r = problem.rows[c];
        slope[c] -= r.normal.dot(velocity[r.i]);
        if (r.j >= 0) slope[c] += r.normal.dot(velocity[r.j]);
    }
    return slope;
}

double speed_norm(const Problem& problem, const std::vector<Vec3>& u) {
    double sum = 0.0;
    for (std::size_t k = 0; k < u.size(); ++k) {
        if (problem.inverse_mass[k] > 0.0) sum += u[k].squaredNorm() / problem.inverse_mass[k];
    }
    return std::sqrt(sum);
}

double dual_objective(const Problem& problem, const std::vector<double>& impulse) {
    std::vector<Vec3> change = velocity_of(problem, impulse);
    for (std::size_t k = 0; k < change.size(); ++k) change[k] -= problem.velocity[k];
    const double norm = speed_norm(problem, change);
    const std::vector<double> b = slopes(problem, problem.velocity);
    double work = 0.0;
    for (std::size_t c = 0; c < b.size(); ++c) work += b[c] * impulse[c];
    return 0.5 * norm * norm + work;
}

Problem random_problem(int dimension, std::uint64_t seed) {
    Random random(seed, 0);
    Problem problem;
    const auto vector = [&](double size) {
        return Vec3(random.normal() * size, random.normal() * size,
                    dimension == 3 ? random.normal() * size : 0.0);
    };
    const Index bodies = 3 + static_cast<Index>(random.uniform(0.0, 6.0));
    std::vector<Vec3> admissible;
    for (Index k = 0; k < bodies; ++k) {
        const bool fixed = k > 0 && random.uniform() < 0.2;
        const double mass =
            fixed ? std::numeric_limits<double>::infinity() : std::pow(10.0, random.uniform(-3, 3));
        problem.add_body(vector(2.0), mass, vector(1.0));
        admissible.push_back(fixed ? problem.velocity.back() : vector(0.5));
    }
    const int rows = 2 + static_cast<int>(random.uniform(0.0, 22.0));
    for (int c = 0; c < rows; ++c) {
        const auto i = static_cast<Index>(random.uniform(0.0, bodies));
        const auto j = static_cast<Index>(random.uniform(0.0, bodies));
        const bool movable = problem.inverse_mass[i] > 0.0;
        if (movable && (i == j || random.uniform() < 0.2)) {
            problem.rows.push_back({i, -1, vector(1.0).normalized(), 0.5});
        } else if (i != j && (movable || problem.inverse_mass[j] > 0.0)) {
            problem.rows.push_back({i, j, (problem.centre[j] - problem.centre[i]).normalized(), 0.5});
        }
    }
    const std::size_t distinct = problem.rows.size();
    for (std::size_t c = 0; c < distinct; c += 3) problem.rows.push_back(problem.rows[c]);
    problem.rate.assign(problem.rows.size(), 0.0);
    const std::vector<double> least = slopes(problem, admissible);  // G u of an admissible u
    for (std::size_t c = 0; c < problem.rows.size(); ++c) {
        problem.rate[c] = (random.uniform() < 0.5 ? 0.0 : random.uniform()) - least[c];
    }
    return problem;
}

Problem column(Index count, double mass, double speed_of_gravity) {
    Problem problem;
    for (Index k = 0; k < count; ++k) {
        problem.add_body({0, 0, 0.5 + k}, mass, {0, 0, -speed_of_gravity});
        if (k == 0) problem.add_wall(0, {0, 0, -1}, 0.0);
        if (k > 0) problem.add_pair(k - 1, k, 0.0);
    }
    return problem;
}

Problem packing(Index count, std::uint64_t seed) {
    Random random(seed, 0);
    Problem problem;
    problem.time_step = 0.02;
    const int side = static_cast<int>(std::ceil(std::cbrt(0.5 * count)));
    std::vector<double> radius;
    for (Index k = 0; k < count; ++k) {
        // A jittered lattice: neighbours at 0.8 to 1.2 diameters, gaps of either sign cut off at zero.
        const Vec3 cell(k % side, (k / side) % side, k / (side * side));
        const Vec3 at =
            cell + Vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1));
        radius.push_back(random.uniform(0.4, 0.55));
        const double r = radius.back();
        problem.add_body(at, r * r * r, Vec3(random.normal(), random.normal(), random.normal() - 1.0) * 0.3);
        for (Index i = std::max(0, k - side * side - side - 1); i < k; ++i) {
            const double gap = (at - problem.centre[i]).norm() - r - radius[i];
            if (gap < 0.25) problem.add_pair(i, k, std::max(0.0, gap), std::min(r, radius[i]));
        }
        const auto wall = [&](const Vec3& normal, double distance) {
            if (distance < 0.5 + 0.25) problem.add_wall(k, normal, std::max(0.0, distance - r), r);
        };
        wall({0, 0, -1}, at.z() + 0.5);
        wall({-1, 0, 0}, at.x() + 0.5);
        wall({1, 0, 0}, side - 0.5 - at.x());
        wall({0, -1, 0}, at.y() + 0.5);
        wall({0, 1, 0}, side - 0.5 - at.y());
    }
    return problem;
}

SolverOptions options_of(SolverKind kind, double tolerance) {
    SolverOptions options;
    options.kind = kind;
    options.tolerance = tolerance;
    options.overlap_tolerance = tolerance;
    options.max_iterations = 200000;
    return options;
}

}  // namespace talus::test
