#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "projection/friction_problems.hpp"
#include "support/keep_threads.hpp"
#include "talus/core/parallel.hpp"

// The same problem with friction, turned, in another order, in other units, on more threads.

using namespace talus;
using namespace talus::test;

namespace {

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

}  // namespace

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

TEST_CASE("with friction, 1, 2, 3 and 8 threads give the same bits") {
    const FrictionSystem system = friction_packing(2000, 6, 0.5);
    const KeepThreads keep;
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
