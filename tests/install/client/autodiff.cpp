// A double pendulum beside a wall with derivatives by Eigen's AutoDiff: gaps, potential and mass matrix are
// written once, for any number type. Compares the motion with that of the built-in system.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <talus/lagrange/event_driven.hpp>
#include <talus/lagrange/potential_system.hpp>
#include <talus/lagrange/systems/linkage.hpp>
#include <unsupported/Eigen/AutoDiff>

using namespace talus::lagrange;
using std::cos, std::sin;
using Dual = Eigen::AutoDiffScalar<Eigen::Vector2d>;  // a value and its derivatives in both angles
template <class Scalar>
using Pair = Eigen::Matrix<Scalar, 2, 1>;

class DoublePendulum final : public PotentialSystem {
public:
    int coordinate_count() const override { return 2; }
    int constraint_count() const override { return 2; }
    Matrix mass(const Vector& q) const override {
        const double c = coupling<double>(q);
        return (Matrix(2, 2) << 2.0, c, c, 1.0).finished();
    }
    Vector gaps(double, const Vector& q) const override { return right_of_wall<double>(q); }
    Matrix gap_gradients(double, const Vector& q) const override {
        const Pair<Dual> gap = right_of_wall<Dual>(variables(q));
        return (Matrix(2, 2) << gap[0].derivatives(), gap[1].derivatives()).finished().transpose();
    }
    std::optional<double> potential(const Vector& q) const override { return height<double>(q) * 9.81; }
    Vector potential_gradient(const Vector& q) const override {
        return height<Dual>(variables(q)).derivatives() * 9.81;
    }
    // -(DM[v]) v + 1/2 grad (v'Mv), where M depends on q by its off-diagonal alone.
    Vector inertial_force(const Vector& q, const Vector& v) const override {
        const Eigen::Vector2d slope = coupling<Dual>(variables(q)).derivatives();
        return v[0] * v[1] * slope - slope.dot(v) * v.reverse();
    }

private:
    static Pair<Dual> variables(const Vector& q) { return {Dual(q[0], 2, 0), Dual(q[1], 2, 1)}; }
    template <class Scalar>
    static Pair<Scalar> right_of_wall(const Pair<Scalar>& q) {
        return {sin(q[0]) + 0.1, sin(q[0]) + sin(q[1]) + 0.1};
    }
    template <class Scalar>
    static Scalar coupling(const Pair<Scalar>& q) {
        return cos(q[0] - q[1]);
    }
    template <class Scalar>
    static Scalar height(const Pair<Scalar>& q) {
        return -2.0 * cos(q[0]) - cos(q[1]);
    }
};

int main() {
    const DoublePendulum own;
    const Linkage built_in = double_pendulum_at_wall({.wall = -0.1});
    const State start{0.0, Eigen::Vector2d(0.6, 0.9), Vector::Zero(2)};
    if (check_derivatives(own, start).worst() > 1e-6) return 1;
    EventDriven motion(own, start, 0.01, {{0.5}}), expected(built_in, start, 0.01, {{0.5}});
    double error = 0.0;
    while (motion.state().t < 1.0) {
        motion.step(), expected.step();
        error = std::max(error, (motion.state().q - expected.state().q).norm());
    }
    std::printf("%zu impacts, error %.1e rad\n", motion.impacts().size(), error);
    return error < 1e-9 && !motion.impacts().empty() ? 0 : 1;
}
