#include <doctest/doctest.h>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/paoli_schatzman.hpp"
#include "talus/lagrange/systems/bouncing_ball.hpp"
#include "talus/lagrange/systems/oscillator_with_stop.hpp"
#include "talus/lagrange/systems/particle_at_wall.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

namespace {

/// x >= 0 under a force that is another random number in every step of length h.
class ShakenPoint final : public MechanicalSystem {
public:
    ShakenPoint(std::uint64_t seed, double h) : seed_(seed), h_(h) {}
    int coordinate_count() const override { return 1; }
    int constraint_count() const override { return 1; }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector&) const override { return Matrix::Identity(1, 1); }
    Vector gaps(double, const Vector& q) const override { return q; }
    Matrix gap_gradients(double, const Vector&) const override { return Matrix::Identity(1, 1); }
    Vector force(double t, const Vector&, const Vector&) const override {
        Random random(seed_, static_cast<std::uint64_t>(std::llround(t / h_)));
        return Vector::Constant(1, 5.0 * random.normal() - 3.0);
    }

private:
    std::uint64_t seed_;
    double h_;
};

PaoliSchatzmanOptions with_restitution(double e, ProjectionMetric metric = ProjectionMetric::geodesic) {
    PaoliSchatzmanOptions options;
    options.restitution = e;
    options.metric = metric;
    return options;
}

}  // namespace

TEST_CASE("restitution scheme: Lemma 2.1 bounds the velocities of random motions on a half-line") {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Random random(seed, 11);
        const double e = random.uniform(), h = random.uniform(1e-3, 0.1);
        const ShakenPoint point(seed, h);
        PaoliSchatzman scheme(point, start({random.uniform(0, 0.1)}, {random.normal()}), h,
                              with_restitution(e));
        const auto force = [&](long m) { return point.force(m * h, {}, {})[0]; };
        std::vector<double> eta;  // eta[m] = (U^{m+1} - U^m)/h
        for (long m = 0; m < 300; ++m) {
            scheme.step();
            eta.push_back(scheme.state().v[0]);
            if (m < 2) continue;
            // h^2 lambda^m of (2.1) is what the force changes inside the positive part: |lambda| <= |force|.
            const double bound = std::max(std::abs(eta[m - 1]), e * std::abs(eta[m - 2])) +
                                 h * std::abs(force(m)) + h * std::abs(force(m - 1));
            CHECK(std::abs(eta[m]) <= bound * (1.0 + 1e-12));
        }
    }
}

TEST_CASE("restitution scheme: a bouncing ball with e = 0.5 is right to order one, with the stated errors") {
    const BouncingBall ball;
    for (const double h : {1e-2, 1e-3, 1e-4}) {
        PaoliSchatzman scheme(ball, start({1.0}, {0.0}), h, with_restitution(0.5));
        const double error =
            worst_error(scheme, 3.0, [](double t) { return bouncing_height(t, 1.0, 0.5, 9.81); });
        CHECK(error == doctest::Approx(4.4 * h).epsilon(0.02));
    }
}

TEST_CASE("restitution scheme: the overlap stays below 2 e h w/(1 + e)") {
    const BouncingBall ball;
    const double h = 1e-2, w = std::sqrt(2.0 * 9.81);
    for (const double e : {0.2, 0.5, 0.9, 1.0}) {
        PaoliSchatzman scheme(ball, start({1.0}, {0.0}), h, with_restitution(e));
        double worst = 0.0;
        run(scheme, 5.0,
            [&](const State&, const StepReport& report) { worst = std::max(worst, report.violation); });
        CHECK(worst > 0.0);
        CHECK(worst <= 2.0 * e * h * w / (1.0 + e) * 1.05);  // w grows by rounding of the impact's time
    }
}

TEST_CASE(
    "restitution scheme: the momentum along the gradient is multiplied by -e in the metric M^-1 (1.6)") {
    ParticleAtWallParameters parameters;
    parameters.normal = Eigen::Vector2d(0.3, 1.0);
    const ParticleAtWall particle(parameters);
    const Vector gradient = parameters.normal;
    const Eigen::LLT<Matrix> mass(parameters.mass);
    for (const double e : {0.0, 0.3, 1.0}) {
        PaoliSchatzman scheme(particle, start({0.1, 0.7}, {0.4, -1.3}), 0.01, with_restitution(e));
        const Vector before = parameters.mass * scheme.state().v;
        run(scheme, 1.0, [](const State&, const StepReport&) {});
        const Vector after = parameters.mass * scheme.state().v;
        const Vector normal =
            gradient * (gradient.dot(mass.solve(before)) / gradient.dot(mass.solve(gradient)));
        CHECK((after - (before - (1.0 + e) * normal)).norm() < 1e-11);
        CHECK(std::abs(normal.norm()) > 0.5);  // there was an impact to speak of
    }
}

TEST_CASE("restitution scheme: with M(q) both metrics reflect at order one") {
    // The line x = 1 of the plane in polar coordinates: a straight path, reflected with e = 0.5.
    for (const ProjectionMetric metric : {ProjectionMetric::geodesic, ProjectionMetric::frozen}) {
        std::vector<double> errors;
        for (const double h : {4e-3, 1e-3, 2.5e-4}) {
            const PolarParticle plane(1.0);
            PaoliSchatzman scheme(plane, PolarParticle::from_plane(2.0, -0.5, -1.0, 0.6), h,
                                  with_restitution(0.5, metric));
            run(scheme, 1.6,
                [](const State&, const StepReport& report) { CHECK(report.status == Status::converged); });
            const Eigen::Vector2d exact(1.0 + 0.5 * 0.6, -0.5 + 0.6 * 1.6);
            errors.push_back((PolarParticle::position(scheme.state().q) - exact).norm());
        }
        CHECK(errors[0] < 3.0 * 4e-3);
        CHECK(errors[1] < 3.0 * 1e-3);
        CHECK(errors[2] < 3.0 * 2.5e-4);
    }
}

TEST_CASE("restitution scheme: damping beyond the contraction of the fixed point is reported") {
    const double h = 0.01;
    for (const double damping : {150.0, 300.0}) {  // h/2 gamma = 0.75 and 1.5
        const OscillatorWithStop oscillator({1.0, 1.0, damping, 0.0});
        PaoliSchatzman scheme(oscillator, start({1.0}, {-1.0}), h, with_restitution(0.5));
        scheme.step();
        CHECK((scheme.step().status == Status::converged) == (0.5 * h * damping < 1.0));
    }
}

TEST_CASE(
    "restitution scheme: impacts of a damped oscillator are those of Cabot and Paoli, Proposition 4.5") {
    for (const double gamma : {0.1, 0.5, 1.0}) {
        for (const double k : {1.0, 4.0}) {
            for (const double r : {0.3, 0.8, 1.0}) {
                CAPTURE(gamma);
                CAPTURE(k);
                CAPTURE(r);
                const double h = 5e-4, omega = 0.5 * std::sqrt(4.0 * k - gamma * gamma);
                const double pi = 3.14159265358979323846;
                const OscillatorWithStop oscillator({1.0, k, gamma, 0.0});
                PaoliSchatzman scheme(oscillator, start({0.0}, {1.0}), h, with_restitution(r));
                std::vector<double> times, speeds;  // of steps with an impulse, the velocity two steps later
                double last = -1.0;
                run(scheme, 3.5 * pi / omega, [&](const State& s, const StepReport& report) {
                    if (report.impulses[0] > 0.0 && s.t > last + 10.0 * h) {
                        times.push_back(s.t);
                        last = s.t;
                    }
                    if (!times.empty() && speeds.size() < times.size() && s.t > last + 2.5 * h)
                        speeds.push_back(s.v[0]);
                });
                REQUIRE(speeds.size() == 3);
                for (int n = 0; n < 3; ++n) {  // the start is the rebound at t_0 = 0
                    CHECK(std::abs(times[n] - (n + 1) * pi / omega) < 10.0 * h);
                    const double expected = std::pow(r * std::exp(-0.5 * pi * gamma / omega), n + 1);
                    CHECK(std::abs(speeds[n] - expected) < 40.0 * h * expected);
                }
            }
        }
    }
}
