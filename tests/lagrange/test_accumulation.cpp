#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "motions.hpp"
#include "systems.hpp"
#include "talus/lagrange/event_driven.hpp"
#include "talus/lagrange/systems/bead_chain.hpp"
#include "talus/lagrange/systems/beam_between_stops.hpp"
#include "talus/lagrange/systems/body_on_floor.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

namespace {

constexpr double kGravity = 9.81;

double end_of_bounces(double height, double e) {
    return std::sqrt(2.0 * height / kGravity) * (1.0 + e) / (1.0 - e);
}

double height_with_end(double end, double e) {
    return 0.5 * kGravity * std::pow(end * (1.0 - e) / (1.0 + e), 2);
}

double last_closing(const EventDriven& scheme, int constraint) {
    double t = 0.0;
    for (const Impact& impact : scheme.impacts()) {
        if (std::find(impact.closed.begin(), impact.closed.end(), constraint) != impact.closed.end()) {
            t = impact.t;
        }
    }
    return t;
}

/// Largest gain of kinetic energy at an impact [J]; constant mass.
double worst_gain(const MechanicalSystem& system, const EventDriven& scheme) {
    double worst = -1.0;
    for (const Impact& impact : scheme.impacts()) {
        const double before = kinetic_energy(system, {impact.t, scheme.state().q, impact.before});
        worst = std::max(worst, kinetic_energy(system, {impact.t, scheme.state().q, impact.after}) - before);
    }
    return worst;
}

/// Multipliers of the contacts of a system with constant mass, by the accelerations of its gaps [N].
Vector contact_forces(const MechanicalSystem& system, const State& state) {
    const Matrix gradients = system.gap_gradients(state.t, state.q);
    const Eigen::LLT<Matrix> metric(system.mass(state.q));
    const Vector pull = gradients * metric.solve(system.force(state.t, state.q, state.v)) +
                        system.gap_bending(state.t, state.q, state.v);
    return (gradients * metric.solve(gradients.transpose())).ldlt().solve(-pull);
}

State tilted_block() {
    return start({0.0, 0.31493, 0.15}, {0.0, 0.0, 0.0});
}

}  // namespace

TEST_CASE("accumulation: two balls end their bounces each at its own time, however close these are") {
    const double first = end_of_bounces(1.0, 0.5);
    for (const double apart : {0.0, 1e-7, 1e-5, 1e-2}) {
        CAPTURE(apart);
        const double height = height_with_end(first + apart, 0.8);
        ConvexProblem problem = walls_alone(Matrix::Identity(2, 2), Vector::Zero(2));
        problem.slope = Vector::Constant(2, kGravity);
        const InPolyhedron balls(problem);
        EventDriven scheme(balls, start({1.0, height}, {0.0, 0.0}), 0.01, {{0.5, 0.8}});
        double worst = 0.0;
        run(scheme, 2.0, [&](const State& s, const StepReport& report) {
            CHECK(report.violation < 1e-12);
            worst = std::max(worst, std::abs(s.q[0] - bouncing_height(s.t, 1.0, 0.5, kGravity)));
            worst = std::max(worst, std::abs(s.q[1] - bouncing_height(s.t, height, 0.8, kGravity)));
        });
        CHECK(worst < 1e-11);
        CHECK(scheme.contacts() == std::vector<int>{0, 1});
        CHECK(std::abs(last_closing(scheme, 0) - first) < 1.1e-7);  // accumulation_time
        CHECK(std::abs(last_closing(scheme, 1) - (first + apart)) < 1.1e-7);
        CHECK(worst_gain(balls, scheme) <= 0.0);
    }
}

TEST_CASE("accumulation: a rocking block comes to rest on both corners, which carry its weight") {
    const double mass = 2.0;
    const BodyOnFloor block = rocking_block(mass, 0.2, 0.6, kGravity);
    for (const double e : {0.3, 0.5, 0.8, 0.9}) {
        CAPTURE(e);
        EventDriven scheme(block, tilted_block(), 1e-3, {{e}});
        double energy = total_energy(block, scheme.state());
        run(scheme, 3.0, [&](const State& s, const StepReport& report) {
            CHECK(report.violation < 1e-12);
            CHECK(total_energy(block, s) <= energy + 1e-11);
            energy = total_energy(block, s);
        });
        CHECK(worst_gain(block, scheme) <= 1e-15);
        CHECK(scheme.contacts() == std::vector<int>{0, 1});
        CHECK(scheme.state().v.norm() < 1e-14);
        CHECK(std::abs(scheme.state().q[1] - 0.3) < 1e-14);
        CHECK(std::abs(scheme.state().q[2]) < 1e-14);
        const Vector forces = contact_forces(block, scheme.state());
        CHECK(forces.minCoeff() > 0.0);
        CHECK(forces.sum() == doctest::Approx(mass * kGravity).epsilon(1e-12));
    }
}

TEST_CASE("accumulation: a column of beads comes to rest, each contact carrying what stands above") {
    const BeadChain column({{1, 2, 1}, 0.1, kGravity, true});
    EventDriven scheme(column, start({0.5, 0.7, 0.95}, {0.0, 0.0, 0.0}), 1e-2, {{0.5}});
    run(scheme, 2.0, [](const State&, const StepReport& report) { CHECK(report.violation < 1e-12); });
    CHECK(worst_gain(column, scheme) <= 1e-15);
    CHECK(scheme.contacts() == std::vector<int>{0, 1, 2});
    const Vector expected = kGravity * Eigen::Vector3d(4.0, 3.0, 1.0);
    CHECK((contact_forces(column, scheme.state()) - expected).norm() < 1e-10);
}

TEST_CASE("accumulation: a stiff beam goes on after its series of bounces, and energy only falls") {
    const BeamBetweenStops beam({.elements = 4, .load = 0.1});
    EventDrivenOptions options;
    options.restitution = {0.5};
    options.max_step = 0.01;
    options.max_impacts = 1000;  // in one step of output: a series takes some twenty
    EventDriven scheme(beam, {0.0, Vector::Zero(8), Vector::Zero(8)}, 1e-3, options);
    double energy = 0.0;
    run(scheme, 0.6, [&](const State& s, const StepReport& report) {
        CHECK(report.violation < 1e-12);
        CHECK(total_energy(beam, s) <= energy + 1e-10);
        energy = total_energy(beam, s);
    });
    CHECK(scheme.impacts().size() > 50);
    CHECK(worst_gain(beam, scheme) <= 1e-15);
    CHECK(last_closing(scheme, 1) > 0.2);
}

TEST_CASE("accumulation: ending a series T early costs a T^2 of the position and a T of the velocity") {
    const BodyOnFloor block = rocking_block(1.0, 0.2, 0.6, kGravity);
    EventDrivenOptions options;
    options.restitution = {0.5};
    EventDriven exact(block, tilted_block(), 3.7e-4, options);
    options.accumulation_time = 1e-4;
    EventDriven cut(block, tilted_block(), 3.7e-4, options);
    double position = 0.0, velocity = 0.0;
    while (exact.state().t < 0.5) {
        exact.step();
        cut.step();
        const Matrix gradients = block.gap_gradients(0.0, exact.state().q);
        const Vector gaps = block.gaps(0.0, exact.state().q), others = block.gaps(0.0, cut.state().q);
        position = std::max(position, (gaps - others).lpNorm<Eigen::Infinity>());
        const Vector change = gradients * (exact.state().v - cut.state().v);
        velocity = std::max(velocity, change.lpNorm<Eigen::Infinity>());
    }
    CHECK(cut.impacts().size() < exact.impacts().size());
    CHECK(position < kGravity * 1e-8);
    CHECK(velocity < kGravity * 1e-4);
}
