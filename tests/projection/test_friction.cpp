#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "projection/friction_problems.hpp"
#include "projection/problems.hpp"
#include "talus/core/parallel.hpp"
#include "talus/core/random.hpp"

using namespace talus;
using namespace talus::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kTight = 1e-10;

/// A body of mass 2 and radius 1/2 that touches the floor z = 0 with velocity v. @param factor 1 + m r^2 / J:
/// 3.5 for a solid sphere, 3 for a disc, 1 for a body that can not be turned.
FrictionSystem on_floor(double factor, const Vec3& v, double friction) {
    FrictionSystem system;
    const double mass = 2.0;
    const double inertia = factor > 1.0 ? mass * 0.25 / (factor - 1.0) : kInfinity;
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

FrictionSystem turned(const FrictionSystem& system, const Eigen::Matrix3d& rotation) {
    FrictionSystem other = system;
    for (auto* vectors : {&other.centre, &other.velocity, &other.spin, &other.drift}) {
        for (Vec3& x : *vectors) x = rotation * x;
    }
    for (Row& row : other.rows) row.normal = rotation * row.normal;
    return other;
}

/// Bodies and rows in the reverse order, pairs seen from the other side.
FrictionSystem reversed(const FrictionSystem& system) {
    FrictionSystem other = system;
    std::reverse(other.centre.begin(), other.centre.end());
    std::reverse(other.velocity.begin(), other.velocity.end());
    std::reverse(other.spin.begin(), other.spin.end());
    std::reverse(other.inverse_mass.begin(), other.inverse_mass.end());
    std::reverse(other.inverse_inertia.begin(), other.inverse_inertia.end());
    std::reverse(other.rows.begin(), other.rows.end());
    std::reverse(other.friction.begin(), other.friction.end());
    std::reverse(other.rate.begin(), other.rate.end());
    const auto last = static_cast<Index>(system.centre.size()) - 1;
    for (std::size_t c = 0; c < other.rows.size(); ++c) {
        Row& r = other.rows[c];
        if (r.j < 0) {
            r.i = last - r.i;
        } else {
            r = {last - r.j, last - r.i, -r.normal, r.radius};
            std::swap(other.friction[c].arm_i, other.friction[c].arm_j);
        }
    }
    return other;
}

FrictionSystem in_other_units(const FrictionSystem& system, double length, double mass, double time) {
    FrictionSystem other = system;
    for (Vec3& x : other.centre) x *= length;
    for (double& m : other.inverse_mass) m /= mass;
    for (double& inertia : other.inverse_inertia) inertia /= mass * length * length;
    for (Vec3& v : other.velocity) v *= length / time;
    for (Vec3& v : other.spin) v /= time;
    for (double& r : other.rate) r *= length / time;
    for (Row& row : other.rows) row.radius *= length;
    for (RowFriction& of : other.friction) {
        of.arm_i *= length;
        of.arm_j *= length;
    }
    other.time_step *= time;
    return other;
}

/// 1/2 sum m |u - v|^2 + J |omega - omega_0|^2 + p . (rate n + w) at impulses p, by plain loops.
double relaxed_objective(const FrictionSystem& system, const std::vector<Vec3>& impulse) {
    std::vector<Vec3> u(system.centre.size(), Vec3::Zero());
    std::vector<Vec3> omega = u;
    double work = 0.0;
    for (std::size_t c = 0; c < system.rows.size(); ++c) {
        const Row& r = system.rows[c];
        const RowFriction& of = system.friction[c];
        const Vec3& p = impulse[c];
        u[r.i] -= system.inverse_mass[r.i] * p;
        omega[r.i] -= system.inverse_inertia[r.i] * of.arm_i * r.normal.cross(p);
        if (r.j >= 0) {
            u[r.j] += system.inverse_mass[r.j] * p;
            omega[r.j] -= system.inverse_inertia[r.j] * of.arm_j * r.normal.cross(p);
        }
        work += p.dot(system.rate[c] * r.normal + contact_velocity(system, c, system.velocity, system.spin));
    }
    return kinetic_energy(system, u, omega) + work;
}

}  // namespace

TEST_CASE("a body that touches a floor sticks and rolls at once where Coulomb's bound allows it") {
    const double fall = 0.3;
    const double friction = 0.4;
    for (const double factor : {3.5, 3.0, 1.0}) {
        // The impulse that stops the contact is m v / factor, of at most mu m fall.
        const double v = 0.9 * friction * fall * factor;
        const FrictionSystem system = on_floor(factor, {v, 0, -fall}, friction);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, kTight));
        CAPTURE(factor);
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.velocity[0].x() == doctest::Approx(v * (1.0 - 1.0 / factor)).epsilon(1e-9));
        CHECK(std::abs(answer.velocity[0].z()) < 1e-9);
        CHECK(contact_velocity(system, 0, answer.velocity, answer.spin).norm() < 1e-9);
        // Rolls forward: the spin is along +y for a motion along +x.
        CHECK(answer.spin[0].y() == doctest::Approx(factor > 1.0 ? answer.velocity[0].x() / 0.5 : 0.0));
        CHECK(answer.impulse[0].x() == doctest::Approx(2.0 * v / factor).epsilon(1e-9));  // on the wall
        CHECK(answer.impulse[0].z() == doctest::Approx(-2.0 * fall).epsilon(1e-9));
        CHECK(answer.sliding[0] == 0);
    }
}

TEST_CASE("a faster one slides under mu times the normal impulse, and does not leave the floor") {
    const double fall = 0.3;
    const double friction = 0.4;
    for (const double factor : {3.5, 3.0, 1.0}) {
        const double v = 1.1 * friction * fall * factor;
        const FrictionSystem system = on_floor(factor, {0, v, -fall}, friction);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, kTight));
        CAPTURE(factor);
        CHECK(answer.report.status == Status::converged);
        CHECK(answer.velocity[0].y() == doctest::Approx(v - friction * fall).epsilon(1e-9));
        CHECK(std::abs(answer.velocity[0].z()) < 1e-9);
        // J omega = r mu m fall with J = m r^2 / (factor - 1)
        CHECK(answer.spin[0].x() == doctest::Approx(-(factor - 1.0) * friction * fall / 0.5).epsilon(1e-9));
        CHECK(answer.impulse[0].y() == doctest::Approx(friction * 2.0 * fall).epsilon(1e-9));
        CHECK(answer.sliding[0] == 1);
    }
}

TEST_CASE("friction opposes sliding in every direction alike") {
    const double fall = 0.1;
    for (int k = 0; k < 12; ++k) {
        const double angle = 0.1 + k * std::numbers::pi / 6.0;
        const Vec3 along(std::cos(angle), std::sin(angle), 0.0);
        const FrictionAnswer answer = solve(on_floor(3.5, along - Vec3(0, 0, fall), 0.5),
                                            friction_options(FrictionKind::coulomb, kTight));
        CHECK((answer.velocity[0] - (1.0 - 0.5 * fall) * along).norm() < 1e-14);
    }
}

TEST_CASE("the relaxation lifts what starts to slide by mu v / (1 + mu^2), Coulomb's law does not") {
    for (const double friction : {0.2, 0.5, 1.5}) {
        const FrictionSystem system = on_floor(1.0, {1, 0, 0}, friction);
        const FrictionAnswer relaxed = solve(system, friction_options(FrictionKind::coulomb_relaxed, kTight));
        CHECK(relaxed.report.status == Status::converged);
        CHECK(relaxed.velocity[0].z() ==
              doctest::Approx(friction / (1.0 + friction * friction)).epsilon(1e-9));
        CHECK(relaxed.velocity[0].x() == doctest::Approx(1.0 / (1.0 + friction * friction)).epsilon(1e-9));
        const FrictionAnswer exact = solve(system, friction_options(FrictionKind::coulomb, kTight));
        CHECK(exact.velocity[0] == Vec3(1, 0, 0));
    }
}

TEST_CASE("the relaxation slides on steadily at the height h mu |w_T| with Coulomb's impulse") {
    const double kick = 0.01;  // g h
    for (const double friction : {0.2, 0.8}) {
        FrictionSystem system = on_floor(1.0, {1, 0, -kick}, friction);
        const double after = 1.0 - friction * kick;
        system.rate[0] = friction * after;
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb_relaxed, kTight));
        CHECK(answer.velocity[0].x() == doctest::Approx(after).epsilon(1e-10));
        CHECK(std::abs(answer.velocity[0].z()) < 1e-10);
        CHECK(answer.impulse[0].x() == doctest::Approx(friction * 2.0 * kick).epsilon(1e-8));
        CHECK(answer.sliding[0] == 1);
    }
}

TEST_CASE("a wall that moves along itself drags the sphere on it") {
    const double fall = 0.1;
    const double friction = 0.5;
    for (const double speed : {0.1, 5.0}) {
        FrictionSystem system = on_floor(3.5, {0, 0, -fall}, friction);
        system.drift[0] = {speed, 0, 7.0};  // the normal part belongs to the rate and is not used
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, kTight));
        const double gained = std::min(speed / 3.5, friction * fall);
        CHECK(answer.velocity[0].x() == doctest::Approx(gained).epsilon(1e-9));
        CHECK(answer.spin[0].y() == doctest::Approx(-2.5 * gained / 0.5).epsilon(1e-9));
        CHECK(answer.sliding[0] == (speed > 1.0 ? 1 : 0));
    }
}

TEST_CASE("a wall, and a frozen body on either side of the row, act alike") {
    const Vec3 v(0.7, -0.2, -0.3);
    for (const FrictionKind kind : kBothLaws) {
        const FrictionSystem wall = on_floor(3.5, v, 0.3);
        const FrictionAnswer expected = solve(wall, friction_options(kind, kTight));
        for (const bool sphere_first : {true, false}) {
            FrictionSystem system;
            system.add_body({0, 0, -0.5}, kInfinity, 1.0, Vec3::Zero(), Vec3::Zero());
            system.add_body({0, 0, 0.5}, 2.0, 0.2, v);
            system.add_pair(sphere_first ? 1 : 0, sphere_first ? 0 : 1, 0.5, 0.5, 0.3);
            const FrictionAnswer answer = solve(system, friction_options(kind, kTight));
            CHECK((answer.velocity[1] - expected.velocity[0]).norm() < 1e-12);
            CHECK((answer.spin[1] - expected.spin[0]).norm() < 1e-12);
            const double sign = sphere_first ? 1.0 : -1.0;
            CHECK((sign * answer.impulse[0] - expected.impulse[0]).norm() < 1e-12);
            CHECK(answer.velocity[0] == Vec3(0, 0, 0));
            CHECK(answer.spin[0] == Vec3(0, 0, 0));
        }
    }
}

TEST_CASE("two spheres that graze each other exchange the impulse of their common mass") {
    // Equal spheres, normal approach a, tangential speed v: m/2 a is the normal impulse; sticking needs
    // m/2 v / 3.5.
    const double approach = 0.4;
    for (const double v : {0.3, 3.0}) {
        FrictionSystem system;
        system.add_body({0, 0, 0}, 1.0, 0.1, {approach, v, 0});
        system.add_body({1, 0, 0}, 1.0, 0.1);
        system.add_pair(0, 1, 0.5, 0.5, 0.5);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, kTight));
        const double tangential = std::min(0.5 * v / 3.5, 0.5 * 0.5 * approach);
        CHECK(answer.impulse[0].x() == doctest::Approx(0.5 * approach).epsilon(1e-9));
        CHECK(answer.impulse[0].y() == doctest::Approx(tangential).epsilon(1e-9));
        CHECK(answer.velocity[1].y() == doctest::Approx(tangential).epsilon(1e-9));
        CHECK(answer.spin[0].z() == doctest::Approx(-0.5 * tangential / 0.1).epsilon(1e-9));
        CHECK(answer.spin[1].z() == doctest::Approx(-0.5 * tangential / 0.1).epsilon(1e-9));
    }
}

TEST_CASE("in packings every contact satisfies Coulomb's law") {
    int stuck = 0;
    int slipping = 0;
    for (const double friction : {0.1, 0.3, 0.8}) {
        const FrictionSystem system = friction_packing(200, 21, friction);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb, 1e-8));
        REQUIRE(answer.report.status == Status::converged);
        for (std::size_t c = 0; c < system.rows.size(); ++c) {
            const Vec3& n = system.rows[c].normal;
            const Vec3 w = contact_velocity(system, c, answer.velocity, answer.spin);
            const double p_n = n.dot(answer.impulse[c]);
            const double open = system.rate[c] + n.dot(w);
            const Vec3 p_t = answer.impulse[c] - p_n * n;
            const Vec3 w_t = w - n.dot(w) * n;
            // Speeds and impulses are of order 0.1.
            CHECK(p_n >= -1e-16);
            CHECK(open >= -1e-6);
            CHECK(p_n * open <= 1e-7);
            CHECK(p_t.norm() <= friction * p_n + 1e-14);
            CHECK((w_t.norm() * p_t + friction * p_n * w_t).norm() <= 1e-7);
            stuck += p_n > 1e-3 && answer.sliding[c] == 0 ? 1 : 0;
            slipping += p_n > 1e-3 && answer.sliding[c] == 1 ? 1 : 0;
            if (answer.sliding[c] == 1) CHECK(p_t.norm() >= friction * p_n - 1e-6);
            if (p_n > 1e-3 && answer.sliding[c] == 0) CHECK(w_t.norm() <= 1e-6);
        }
    }
    CHECK(stuck >= 50);
    CHECK(slipping >= 50);
}

TEST_CASE("in packings every contact satisfies the relaxed law") {
    for (const double friction : {0.1, 0.5, 1.5}) {
        const FrictionSystem system = friction_packing(200, 22, friction);
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb_relaxed, 1e-7));
        REQUIRE(answer.report.status == Status::converged);
        for (std::size_t c = 0; c < system.rows.size(); ++c) {
            const Vec3& n = system.rows[c].normal;
            const Vec3 w = contact_velocity(system, c, answer.velocity, answer.spin);
            const double p_n = n.dot(answer.impulse[c]);
            const double open = system.rate[c] + n.dot(w);
            const Vec3 p_t = answer.impulse[c] - p_n * n;
            const Vec3 w_t = w - n.dot(w) * n;
            CHECK(p_t.norm() <= friction * p_n + 1e-14);
            CHECK(open >= friction * w_t.norm() - 1e-5);
            // Speeds are of order 0.1, impulses too but where friction wedges grains.
            CHECK(std::abs(p_n * open + p_t.dot(w_t)) <= 1e-5 * std::max(0.1, answer.impulse[c].norm()));
        }
    }
}

TEST_CASE("the cone projection of one contact is the nearest point of the cone") {
    // One body, rate and velocity at random: p solves min 1/2 |p|^2_(1/m) + p . b over the cone, so the slope
    // lies in the dual cone and is orthogonal to p.
    Random random(3, 0);
    for (int trial = 0; trial < 300; ++trial) {
        const double friction = trial % 10 == 0 ? 0.0 : random.uniform(0.0, 2.0);
        const Vec3 v(random.normal(), random.normal(), random.normal());
        FrictionSystem system = on_floor(trial % 2 == 0 ? 3.5 : 1.0, v, friction);
        system.rate[0] = random.normal();
        const FrictionAnswer answer = solve(system, friction_options(FrictionKind::coulomb_relaxed, 1e-13));
        const Vec3 w = contact_velocity(system, 0, answer.velocity, answer.spin);
        const double open = system.rate[0] - w.z();
        const double slip = std::hypot(w.x(), w.y());
        const double p_n = -answer.impulse[0].z();
        CHECK(answer.report.iterations <= 2);
        CHECK(p_n >= 0.0);
        CHECK(std::hypot(answer.impulse[0].x(), answer.impulse[0].y()) <= friction * p_n + 1e-14);
        CHECK(open >= friction * slip - 1e-12);
        CHECK(std::abs(p_n * open + answer.impulse[0].x() * w.x() + answer.impulse[0].y() * w.y()) <= 1e-12);
    }
}

TEST_CASE("neither law ever adds kinetic energy where gaps are open and walls at rest") {
    // |u|^2 - |v|^2 = 2 p.w - |u - v|^2, and p.w = -p_N rate + p_T.w_T <= 0 (Coulomb), = -p_N rate (relaxed).
    for (const FrictionKind kind : kBothLaws) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const FrictionSystem system = friction_packing(60, seed, 0.4);
            const FrictionAnswer answer = solve(system, friction_options(kind, 1e-4));
            const double before = kinetic_energy(system, system.velocity, system.spin);
            CHECK(kinetic_energy(system, answer.velocity, answer.spin) <= before);
        }
    }
}

TEST_CASE("with friction too, unconverged iterates keep momentum and angular momentum to rounding") {
    const FrictionSystem system = without_walls(friction_packing(2000, 9, 0.5));
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-9);
        options.max_iterations = 7;
        const FrictionAnswer answer = solve(system, options);
        CHECK(answer.report.status == Status::max_iterations);
        Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero();
        double size = 0.0;
        for (std::size_t k = 0; k < system.centre.size(); ++k) {
            const double m = 1.0 / system.inverse_mass[k];
            const Vec3 change = answer.velocity[k] - system.velocity[k];
            momentum += m * change;
            angular += m * system.centre[k].cross(change) +
                       (answer.spin[k] - system.spin[k]) / system.inverse_inertia[k];
            size += m * change.norm();
        }
        CHECK(size > 10.0);
        CHECK(momentum.norm() <= 1e-14 * size);
        CHECK(angular.norm() <= 1e-13 * size * 13.0);  // 13: side of the packing
    }
}

TEST_CASE("turning the whole problem turns the answer") {
    const Eigen::Matrix3d rotation =
        Eigen::AngleAxisd(0.7, Vec3(0.3, -0.5, 0.8).normalized()).toRotationMatrix();
    for (const FrictionKind kind : kBothLaws) {
        const FrictionSystem system = friction_packing(200, 24, 0.2);
        const FrictionAnswer answer = solve(system, friction_options(kind, 1e-8));
        const FrictionAnswer other = solve(turned(system, rotation), friction_options(kind, 1e-8));
        std::vector<Vec3> expected = answer.velocity;
        for (Vec3& u : expected) u = rotation * u;
        CHECK(largest_difference(other.velocity, expected) < 1e-5);  // speeds are of order 0.3
    }
}

TEST_CASE("the order of contacts and bodies, and the side a pair is seen from, do not matter") {
    for (const FrictionKind kind : kBothLaws) {
        const FrictionSystem system = friction_packing(200, 25, 0.2);
        const FrictionAnswer answer = solve(system, friction_options(kind, 1e-8));
        FrictionAnswer other = solve(reversed(system), friction_options(kind, 1e-8));
        std::reverse(other.velocity.begin(), other.velocity.end());
        std::reverse(other.spin.begin(), other.spin.end());
        CHECK(largest_difference(other.velocity, answer.velocity) < 1e-5);
        CHECK(largest_difference(other.spin, answer.spin) < 1e-4);
    }
}

TEST_CASE("without friction both laws give the velocities of the exact frictionless solver") {
    for (const FrictionKind kind : kBothLaws) {
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            const Problem plain = random_problem(seed % 2 == 0 ? 2 : 3, seed);
            FrictionSystem system;
            system.centre = plain.centre;
            system.inverse_mass = plain.inverse_mass;
            system.inverse_inertia = plain.inverse_mass;
            system.rate = plain.rate;
            system.velocity = plain.velocity;
            system.spin.assign(plain.centre.size(), Vec3(1, 2, 3));
            system.rows = plain.rows;
            system.friction.assign(plain.rows.size(), {0.5, 0.5, 0.0});
            system.drift.assign(system.rows.size(), Vec3(1, 1, 1));
            const Answer exact = solve(plain, options_of(SolverKind::exact, 1e-9));
            const FrictionAnswer answer = solve(system, friction_options(kind, 1e-9));
            if (answer.report.status != Status::converged) continue;  // masses over six decades
            std::vector<Vec3> difference = answer.velocity;
            for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= exact.velocity[k];
            CAPTURE(seed);
            CHECK(speed_norm(plain, difference) <= 1e-4 * (1.0 + speed_norm(plain, exact.velocity)));
            CHECK(largest_difference(answer.spin, system.spin) == 0.0);
        }
    }
}

TEST_CASE("with friction, 1, 2, 3 and 8 threads give the same bits") {
    const FrictionSystem system = friction_packing(2000, 6, 0.5);
    set_small_loop(1);  // or a problem this small would stay on one thread
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-6);
        options.max_iterations = 70;  // beyond the first rebuild
        const FrictionAnswer one = solve(system, options);
        for (const int threads : {2, 3, 8}) {
            set_thread_count(threads);
            const FrictionAnswer more = solve(system, options);
            set_thread_count(1);
            CAPTURE(threads);
            CHECK(same_bits(one, more));
        }
    }
    set_small_loop(8192);
}

TEST_CASE("with friction, units that differ by powers of two give the same iterations and bits") {
    const FrictionSystem system = friction_packing(300, 7, 0.4);
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-6);
        options.max_iterations = 120;
        const FrictionAnswer answer = solve(system, options);
        for (const auto& [length, mass, time] :
             {std::tuple(0x1p-10, 0x1p-28, 0x1p-8), std::tuple(0x1p20, 1.0, 1.0),
              std::tuple(1.0, 0x1p14, 0x1p6)}) {
            const FrictionAnswer other = solve(in_other_units(system, length, mass, time), options);
            CHECK(other.report.iterations == answer.report.iterations);
            CHECK(other.report.residual == answer.report.residual);
            CHECK(other.sliding == answer.sliding);
            bool equal = true;
            for (std::size_t c = 0; c < answer.impulse.size(); ++c) {
                equal = equal && other.impulse[c] == answer.impulse[c] * (mass * length / time);
            }
            for (std::size_t k = 0; k < answer.spin.size(); ++k) {
                equal = equal && other.spin[k] == answer.spin[k] / time;
            }
            CHECK(equal);
        }
    }
}

TEST_CASE("the answer as first guess needs no iteration, a wild one does no harm") {
    const FrictionSystem system = friction_packing(300, 11, 0.3);
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-5);
        const FrictionAnswer cold = solve(system, options);
        REQUIRE(cold.report.status == Status::converged);
        CHECK(cold.report.iterations > 10);
        options.tolerance *= 1.01;  // the guess is the answer but for rounding
        CHECK(solve(system, options, cold.impulse).report.iterations == 0);
        std::vector<Vec3> wild = cold.impulse;
        for (Vec3& p : wild) p = 100.0 * p + Vec3(1, 1, 1);
        wild[0] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
        const FrictionAnswer other = solve(system, options, wild);
        CHECK(other.report.status == Status::converged);
        CHECK(largest_difference(other.velocity, cold.velocity) < 1e-2);
        options.warm_start = false;
        CHECK(same_bits(solve(system, options, wild), solve(system, options)));
    }
}

TEST_CASE("the objective of the relaxation never rises with the iterations") {
    const FrictionSystem system = friction_packing(100, 10, 0.6);
    double last = 0.0;
    // The best iterate by residual is returned, which need not be the last: so the sequence is looked at
    // where the residual falls.
    double residual = kInfinity;
    int seen = 0;
    for (int iterations = 1; iterations <= 120; ++iterations) {
        FrictionOptions options = friction_options(FrictionKind::coulomb_relaxed, 1e-14);
        options.max_iterations = iterations;
        options.overlap_tolerance = kInfinity;  // or normal impulses would be changed at the end
        const FrictionAnswer answer = solve(system, options);
        const double objective = relaxed_objective(system, answer.impulse);
        if (answer.report.residual < residual) {
            CHECK(objective <= last + 1e-13 * std::abs(last));
            last = objective;
            residual = answer.report.residual;
            ++seen;
        }
    }
    CHECK(seen > 20);
}

TEST_CASE("a solve that runs out of iterations returns the best iterate it has measured") {
    const FrictionSystem system =
        friction_packing(300, 13, 2.5);  // so strong that residuals rise now and then
    double best = 1.0;
    // At iterations where longer solves measure too.
    for (int iterations = 1; iterations <= 100; iterations += 1 + std::min(iterations / 8, 9)) {
        FrictionOptions options = friction_options(FrictionKind::coulomb, 1e-12);
        options.max_iterations = iterations;
        options.overlap_tolerance = kInfinity;
        const FrictionReport report = solve(system, options).report;
        CHECK(report.status == Status::max_iterations);
        CHECK(report.iterations == iterations);
        if (best < 1.0) CHECK(report.residual <= best * (1.0 + 1e-9));  // before, all were worse than none
        best = std::min(best, report.residual);
    }
    CHECK(best < 0.5);
}

TEST_CASE("a solve that runs out of iterations leaves no overlap") {
    const FrictionSystem system = friction_packing(300, 13, 0.8);
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-12);
        options.overlap_tolerance = 1e-7;
        options.max_iterations = 3;
        const FrictionAnswer answer = solve(system, options);
        CHECK(answer.report.status == Status::max_iterations);
        CHECK(answer.report.residual > 1e-3);
        CHECK(answer.report.overlap <= 1e-7);
        for (std::size_t c = 0; c < system.rows.size(); ++c) {
            const Vec3& n = system.rows[c].normal;
            const Vec3 w = contact_velocity(system, c, answer.velocity, answer.spin);
            CHECK(system.rate[c] + n.dot(w) >= -1.001e-7 * system.rows[c].radius / system.time_step);
            CHECK(n.dot(answer.impulse[c]) >= -1e-15);
        }
    }
}

TEST_CASE("what 200 sweeps do not solve is solved by following the slip") {
    const FrictionSystem system = friction_packing(3000, 15, 1.5);
    FrictionOptions options = friction_options(FrictionKind::coulomb, 1e-6);
    options.overlap_tolerance = 1e-3;
    options.max_iterations = 2500;
    const FrictionReport report = solve(system, options).report;
    CHECK(report.iterations > 200);
    CHECK(report.residual < 1e-3);  // without, it stays at 8e-3, after 5000 too
}

TEST_CASE("a plane scene stays plane") {
    FrictionSystem system;
    for (Index k = 0; k < 20; ++k) {
        const Vec3 at(0.97 * (k % 5) + 0.2 * ((k / 5) % 2), 0.98 * (k / 5), 0);
        system.add_body(at, 1.0, 0.125, {0.1 * (k % 3), -0.3, 0}, {0, 0, 0.1 * (k % 4)});
        for (Index i = 0; i < k; ++i) {
            if ((at - system.centre[i]).norm() < 1.2) system.add_pair(i, k, 0.47, 0.47, 0.5);
        }
        if (k < 5) system.add_wall(k, {0, -1, 0}, 0.0, 0.47, 0.5);
    }
    for (const FrictionKind kind : kBothLaws) {
        const FrictionAnswer answer = solve(system, friction_options(kind, 1e-6));
        CHECK(kinetic_energy(system, answer.velocity, answer.spin) > 0.0);
        for (std::size_t k = 0; k < system.centre.size(); ++k) {
            CHECK(answer.velocity[k].z() == 0.0);
            CHECK(answer.spin[k].x() == 0.0);
            CHECK(answer.spin[k].y() == 0.0);
        }
    }
}

TEST_CASE("with friction, a row of spheres longer than the room between its walls is proven to be jammed") {
    FrictionSystem system;
    for (Index k = 0; k < 3; ++k) {
        system.add_body({1.0 * k, 0, 0}, 1.0, 0.1, {0.1, -0.2, 0});
        if (k > 0) system.add_pair(k - 1, k, 0.5, 0.5, 0.5);
    }
    system.add_wall(0, {-1, 0, 0}, 0.0, 0.5, 0.5);
    system.add_wall(2, {1, 0, 0}, -1e-2, 0.5, 0.5);
    for (const FrictionKind kind : kBothLaws) {
        const FrictionAnswer answer = solve(system, friction_options(kind, 1e-6));
        CHECK(answer.report.status == Status::infeasible);
        REQUIRE(answer.report.jam.has_value());
        for (const double weight : answer.report.jam->weights) CHECK(weight == doctest::Approx(1.0));
    }
}

TEST_CASE("rows that hold already get no impulse, whatever they slide, and motions keep their bits") {
    FrictionSystem system = on_floor(3.5, {3, 0, 0.1}, 0.5);
    const FrictionAnswer answer =
        solve(system, friction_options(FrictionKind::coulomb, kTight), {Vec3(1, 2, -3)});
    CHECK(answer.impulse[0] == Vec3(0, 0, 0));
    CHECK(answer.report.iterations == 0);
    CHECK(answer.report.residual == 0.0);
    CHECK(answer.velocity[0] == system.velocity[0]);
    CHECK(answer.sliding[0] == 0);
}

TEST_CASE("friction solvers refuse what makes no sense") {
    FrictionOptions options;
    options.tolerance = 0.0;
    CHECK_THROWS_AS(make_friction_solver(options), std::invalid_argument);
    const FrictionOptions good = friction_options(FrictionKind::coulomb, 1e-6);
    FrictionSystem system = on_floor(3.5, {1, 0, -1}, -0.1);
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
    system = on_floor(3.5, {1, 0, -1}, 0.1);
    system.spin[0].x() = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
    system = on_floor(3.5, {1, 0, -1}, 0.1);
    system.drift.resize(2, Vec3::Zero());
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
    system = on_floor(3.5, {1, 0, -1}, 0.1);
    system.inverse_inertia.clear();
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
    system = on_floor(3.5, {1, 0, -1}, 0.1);
    system.friction.clear();
    CHECK_THROWS_AS(solve(system, good), std::invalid_argument);
}

TEST_CASE("residuals are relative to the least reference where the problem's own is smaller") {
    const FrictionSystem system = friction_packing(60, 5, 0.4);
    for (const FrictionKind kind : kBothLaws) {
        FrictionOptions options = friction_options(kind, 1e-9);
        options.max_iterations = 5;
        const auto solver = make_friction_solver(options);
        solver->prepare(system.view());
        const auto reached = [&](double least_reference) {
            std::vector<Vec3> impulse(system.rows.size(), Vec3::Zero());
            std::vector<Vec3> velocity(system.centre.size()), spin(system.centre.size());
            FrictionInput input{system.rate, system.drift, system.velocity, system.spin, system.time_step};
            input.least_reference = least_reference;
            return solver->solve(input, {impulse, velocity, spin});
        };
        const FrictionReport own = reached(0.0);
        CHECK(own.reference > 0.0);
        CHECK(own.residual > 1e-9);
        const FrictionReport larger = reached(4.0 * own.reference);
        CHECK(larger.reference == 4.0 * own.reference);
        CHECK(larger.residual == 0.25 * own.residual);
        CHECK(reached(0.5 * own.reference).residual == own.residual);
    }
}
