#include "projection/friction_problems.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "projection/problems.hpp"
#include "talus/core/random.hpp"

namespace talus::test {

Index FrictionSystem::add_body(const Vec3& at, double mass, double inertia, const Vec3& speed,
                               const Vec3& turn) {
    centre.push_back(at);
    inverse_mass.push_back(std::isinf(mass) ? 0.0 : 1.0 / mass);
    inverse_inertia.push_back(std::isinf(inertia) ? 0.0 : 1.0 / inertia);
    velocity.push_back(speed);
    spin.push_back(turn);
    return static_cast<Index>(centre.size()) - 1;
}

void FrictionSystem::add_pair(Index i, Index j, double radius_i, double radius_j, double mu) {
    const Vec3 between = centre[j] - centre[i];
    const double gap = between.norm() - radius_i - radius_j;
    rows.push_back({i, j, between.normalized(), std::min(radius_i, radius_j)});
    friction.push_back({radius_i + 0.5 * gap, radius_j + 0.5 * gap, mu});
    rate.push_back(gap / time_step);
    drift.push_back(Vec3::Zero());
}

void FrictionSystem::add_wall(Index i, const Vec3& normal_to_wall, double gap, double radius, double mu) {
    rows.push_back({i, -1, normal_to_wall, radius});
    friction.push_back({radius + 0.5 * gap, 0.0, mu});
    rate.push_back(gap / time_step);
    drift.push_back(Vec3::Zero());
}

FrictionAnswer solve(const FrictionSystem& system, const FrictionOptions& options,
                     const std::vector<Vec3>& guess, const std::vector<Vec3>& moments) {
    FrictionAnswer answer;
    answer.impulse = guess;
    answer.impulse.resize(system.rows.size(), Vec3::Zero());
    answer.moment = moments;
    answer.moment.resize(system.rows.size(), Vec3::Zero());
    answer.velocity.resize(system.centre.size());
    answer.spin.resize(system.centre.size());
    const auto solver = make_friction_solver(options);
    solver->prepare(system.view());
    answer.report = solver->solve({system.rate, system.drift, system.velocity, system.spin, system.time_step},
                                  {answer.impulse, answer.velocity, answer.spin, answer.moment});
    answer.sliding.assign(solver->sliding().begin(), solver->sliding().end());
    return answer;
}

FrictionOptions friction_options(FrictionKind kind, double tolerance) {
    FrictionOptions options;
    options.kind = kind;
    options.tolerance = tolerance;
    options.overlap_tolerance = tolerance;
    options.max_iterations = 50000;
    return options;
}

Vec3 contact_velocity(const FrictionSystem& system, std::size_t c, const std::vector<Vec3>& velocity,
                      const std::vector<Vec3>& spin) {
    const Row& r = system.rows[c];
    const RowFriction& of = system.friction[c];
    Vec3 w = system.drift[c] - velocity[r.i] - of.arm_i * spin[r.i].cross(r.normal);
    if (r.j >= 0) w += velocity[r.j] - of.arm_j * spin[r.j].cross(r.normal);
    return w;
}

double kinetic_energy(const FrictionSystem& system, const std::vector<Vec3>& velocity,
                      const std::vector<Vec3>& spin) {
    double sum = 0.0;
    for (std::size_t k = 0; k < velocity.size(); ++k) {
        if (system.inverse_mass[k] == 0.0) continue;
        sum += 0.5 * velocity[k].squaredNorm() / system.inverse_mass[k];
        if (system.inverse_inertia[k] > 0.0) sum += 0.5 * spin[k].squaredNorm() / system.inverse_inertia[k];
    }
    return sum;
}

FrictionSystem without_walls(const FrictionSystem& system) {
    FrictionSystem kept = system;
    kept.rows.clear();
    kept.friction.clear();
    kept.rate.clear();
    for (std::size_t c = 0; c < system.rows.size(); ++c) {
        if (system.rows[c].j < 0) continue;
        kept.rows.push_back(system.rows[c]);
        kept.friction.push_back(system.friction[c]);
        kept.rate.push_back(system.rate[c]);
    }
    kept.drift.resize(kept.rows.size());
    return kept;
}

FrictionSystem friction_packing(Index count, std::uint64_t seed, double friction) {
    const Problem plain = packing(count, seed);
    Random random(seed, 1);
    FrictionSystem system;
    system.time_step = plain.time_step;
    for (std::size_t k = 0; k < plain.centre.size(); ++k) {
        const double mass = 1.0 / plain.inverse_mass[k];
        const double radius = std::cbrt(mass);  // as test::packing makes them
        const Vec3 turn = Vec3(random.normal(), random.normal(), random.normal()) * 0.3;
        system.add_body(plain.centre[k], mass, 0.4 * mass * radius * radius, plain.velocity[k], turn);
    }
    for (std::size_t c = 0; c < plain.rows.size(); ++c) {
        const Row& r = plain.rows[c];
        const double distance = r.j < 0 ? 0.0 : (plain.centre[r.j] - plain.centre[r.i]).norm();
        const double radius_i = std::cbrt(1.0 / plain.inverse_mass[r.i]);
        const double half_gap = 0.5 * plain.rate[c] * plain.time_step;
        const double arm_i = radius_i + half_gap;
        system.rows.push_back(r);
        system.friction.push_back({arm_i, r.j < 0 ? 0.0 : distance - arm_i, friction});
        system.rate.push_back(plain.rate[c]);
        system.drift.push_back(Vec3::Zero());
    }
    return system;
}

FrictionSystem on_floor(double factor, const Vec3& v, double friction) {
    FrictionSystem system;
    const double mass = 2.0;
    const double inertia =
        factor > 1.0 ? mass * 0.25 / (factor - 1.0) : std::numeric_limits<double>::infinity();
    system.add_body({0, 0, 0.5}, mass, inertia, v);
    system.add_wall(0, {0, 0, -1}, 0.0, 0.5, friction);
    return system;
}

bool same_bits(const FrictionAnswer& a, const FrictionAnswer& b) {
    return a.impulse == b.impulse && a.velocity == b.velocity && a.spin == b.spin && a.sliding == b.sliding &&
           a.report.iterations == b.report.iterations && a.report.residual == b.report.residual;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double largest = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, (a[k] - b[k]).norm());
    return largest;
}

}  // namespace talus::test
