#include <doctest/doctest.h>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/paoli.hpp"
#include "talus/lagrange/systems/bouncing_ball.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

namespace {

bool mentions(const StepReport& report, const char* word) {
    for (const std::string& warning : report.warnings) {
        if (warning.find(word) != std::string::npos) return true;
    }
    return false;
}

/// A step into the corner of these walls through the origin.
StepReport step_into(const Matrix& walls) {
    const InPolyhedron corner(walls_alone(walls, Vector::Zero(walls.rows())));
    const Vector inward = walls.colwise().sum().normalized();
    Paoli scheme(corner, {0.0, 0.001 * inward, -inward}, 0.01);
    return scheme.step();
}

}  // namespace

TEST_CASE("position scheme: at an impact the velocity is projected in M(q), right to order one (4)") {
    // In polar coordinates of the plane a particle meets the line x = 1 obliquely: it keeps the part along
    // it.
    std::vector<double> errors;
    for (const double h : {4e-3, 1e-3, 2.5e-4}) {
        const PolarParticle plane(1.0);
        Paoli scheme(plane, PolarParticle::from_plane(2.0, -0.5, -1.0, 0.6), h);
        run(scheme, 1.5, [](const State&, const StepReport& report) {
            CHECK(report.status == Status::converged);
            CHECK(report.violation < 1e-10);
        });
        const Eigen::Vector2d position = PolarParticle::position(scheme.state().q);
        errors.push_back((position - Eigen::Vector2d(1.0, 0.4)).norm());
        CHECK((PolarParticle::velocity(scheme.state()) - Eigen::Vector2d(0.0, 0.6)).norm() < 4.0 * h);
    }
    CHECK(errors[0] < 4e-3);
    CHECK(errors[1] < 1e-3);
    CHECK(errors[2] < 2.5e-4);
}

TEST_CASE("position scheme: z = h/2 M^-1 g makes free fall exact, z = 0 leaves h g t/2") {
    const BouncingBall ball;
    const double h = 0.01, t = 0.3;
    for (const FirstStep first : {FirstStep::with_force, FirstStep::free_velocity}) {
        PaoliOptions options;
        options.first_step = first;
        Paoli scheme(ball, start({1.0}, {0.5}), h, options);
        run(scheme, t, [](const State&, const StepReport&) {});
        const double lag = first == FirstStep::with_force ? 0.0 : 0.5 * h * 9.81 * t;
        CHECK(scheme.state().q[0] ==
              doctest::Approx(1.0 + 0.5 * t - 0.5 * 9.81 * t * t + lag).epsilon(1e-12));
    }
}

TEST_CASE("position scheme: a dropped ball stays on the floor, and rests with the impulse of its weight") {
    const BouncingBall ball({2.0, 9.81});
    Paoli scheme(ball, start({1.0}, {0.0}), 1e-3);
    StepReport last;
    run(scheme, 1.0, [&](const State&, const StepReport& report) { last = report; });
    CHECK(std::abs(scheme.state().q[0]) < 1e-15);
    CHECK(last.impulses[0] == doctest::Approx(2.0 * 9.81 * 1e-3));
}

TEST_CASE("position scheme: constraints at an acute angle break (H6), at a right or obtuse one they do not") {
    for (const double degrees : {60.0, 90.0, 120.0}) {  // between the normals
        const double angle = degrees * 3.14159265358979323846 / 180.0;
        const Matrix walls = (Matrix(2, 2) << 1, 0, std::cos(angle), std::sin(angle)).finished();
        const StepReport report = step_into(walls);
        REQUIRE((report.impulses.array() > 0.0).all());
        CHECK(mentions(report, "(H6)") == (degrees < 90.0));
        CHECK_FALSE(mentions(report, "(H3)"));
    }
}

TEST_CASE("position scheme: dependent constraints break (H3)") {
    const Matrix walls = (Matrix(3, 3) << 1, 0, 0, -0.5, 0.8, 0, -0.5, -0.8, 0).finished();
    std::vector<int> all = {0, 1, 2};
    const InPolyhedron corner(walls_alone(walls, Vector::Zero(3)));
    const std::vector<std::string> warnings = angle_warnings(corner, 0.0, Vector::Zero(3), all);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("(H3)") != std::string::npos);
}

TEST_CASE("position scheme: three mutually touching discs break (H6) by 1/4") {
    // Centres at the corners of a triangle; gaps of the pairs 01, 12, 20 at contact.
    Matrix walls = Matrix::Zero(3, 6);
    const double third = 2.0 * 3.14159265358979323846 / 3.0;
    for (int k = 0; k < 3; ++k) {
        const Eigen::RowVector2d along(std::cos(k * third), std::sin(k * third));
        walls.block<1, 2>(k, 2 * k) = -along;
        walls.block<1, 2>(k, 2 * ((k + 1) % 3)) = along;
    }
    const InPolyhedron discs(walls_alone(walls, Vector::Zero(3)));
    const auto warnings = angle_warnings(discs, 0.0, Vector::Zero(6), {0, 1, 2});
    REQUIRE(warnings.size() == 3);
    for (const std::string& warning : warnings) CHECK(warning.find("= 0.25 > 0") != std::string::npos);
}

TEST_CASE("position scheme: a start that approaches an active constraint is warned of") {
    const BouncingBall ball;
    Paoli into(ball, start({0.0}, {-1.0}), 0.01), away(ball, start({0.0}, {1.0}), 0.01);
    CHECK(mentions(into.step(), "T_K"));
    CHECK(away.step().warnings.empty());
}
