#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "talus/core/random.hpp"
#include "talus/lagrange/mechanical_system.hpp"

namespace talus::lagrange::test {

/// Unit mass in the Euclidean plane in polar coordinates (r, angle), right of the line x = wall.
class PolarParticle final : public MechanicalSystem {
public:
    explicit PolarParticle(double wall) : wall_(wall) {}
    int coordinate_count() const override { return 2; }
    int constraint_count() const override { return 1; }
    Matrix mass(const Vector& q) const override { return Eigen::Vector2d(1.0, q[0] * q[0]).asDiagonal(); }
    Vector gaps(double, const Vector& q) const override {
        return Vector::Constant(1, q[0] * std::cos(q[1]) - wall_);
    }
    Vector force(double, const Vector& q, const Vector& v) const override { return inertial_force(q, v); }
    Vector inertial_force(const Vector& q, const Vector& v) const override {
        return Eigen::Vector2d(q[0] * v[1] * v[1], -2.0 * q[0] * v[0] * v[1]);
    }
    Matrix gap_gradients(double, const Vector& q) const override {
        return Eigen::RowVector2d(std::cos(q[1]), -q[0] * std::sin(q[1]));
    }

    static State from_plane(double x, double y, double vx, double vy) {
        const double r = std::hypot(x, y);
        return {0.0, Eigen::Vector2d(r, std::atan2(y, x)),
                Eigen::Vector2d((x * vx + y * vy) / r, (x * vy - y * vx) / (r * r))};
    }
    static Eigen::Vector2d position(const Vector& q) {
        return q[0] * Eigen::Vector2d(std::cos(q[1]), std::sin(q[1]));
    }
    static Eigen::Vector2d velocity(const State& s) {
        const Eigen::Vector2d outward(std::cos(s.q[1]), std::sin(s.q[1])), around(-outward[1], outward[0]);
        return s.v[0] * outward + s.q[0] * s.v[1] * around;
    }

private:
    double wall_;
};

/// The upper half-plane with the metric (dx^2 + dy^2)/y^2, above normal.(x, y) >= offset.
class HyperbolicParticle final : public MechanicalSystem {
public:
    HyperbolicParticle(const Eigen::Vector2d& normal, double offset) : normal_(normal), offset_(offset) {}
    int coordinate_count() const override { return 2; }
    int constraint_count() const override { return 1; }
    Matrix mass(const Vector& q) const override { return Matrix::Identity(2, 2) / (q[1] * q[1]); }
    Vector gaps(double, const Vector& q) const override {
        return Vector::Constant(1, normal_.dot(q) - offset_);
    }
    Matrix gap_gradients(double, const Vector&) const override { return normal_.transpose(); }
    Vector force(double, const Vector& q, const Vector& v) const override { return inertial_force(q, v); }

private:
    Eigen::Vector2d normal_;
    double offset_;
};

/// A point in the plane outside discs whose radii grow, in uniform gravity along -y.
struct Disc {
    Eigen::Vector2d centre;
    double radius, growth;
};
class AroundDiscs final : public MechanicalSystem {
public:
    AroundDiscs(std::vector<Disc> discs, double gravity) : discs_(std::move(discs)), gravity_(gravity) {}
    int coordinate_count() const override { return 2; }
    int constraint_count() const override { return static_cast<int>(discs_.size()); }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector&) const override { return Matrix::Identity(2, 2); }
    Vector force(double, const Vector&, const Vector&) const override {
        return Eigen::Vector2d(0, -gravity_);
    }
    Vector gaps(double t, const Vector& q) const override {
        Vector gaps(discs_.size());
        for (std::size_t k = 0; k < discs_.size(); ++k) {
            gaps[k] = (q - discs_[k].centre).norm() - discs_[k].radius - discs_[k].growth * t;
        }
        return gaps;
    }
    Matrix gap_gradients(double, const Vector& q) const override {
        Matrix rows(discs_.size(), 2);
        for (std::size_t k = 0; k < discs_.size(); ++k) rows.row(k) = (q - discs_[k].centre).normalized();
        return rows;
    }
    Vector gap_rates(double, const Vector&) const override {
        Vector rates(discs_.size());
        for (std::size_t k = 0; k < discs_.size(); ++k) rates[k] = -discs_[k].growth;
        return rates;
    }
    GapShape gap_shape(int) const override { return GapShape::convex; }

private:
    std::vector<Disc> discs_;
    double gravity_;
};

/// x'' + gamma x' + grad f = 0 in a polyhedron A x + b >= 0, f = 1/2 x'H x + c.x + sum log cosh(W x).
struct ConvexProblem {
    Matrix hessian, walls, bumps;  // H (n, n), A (nu, n), W (k, n)
    Vector slope, offsets;         // c (n), b (nu)
    double gamma = 0.0;
};
class InPolyhedron final : public MechanicalSystem {
public:
    explicit InPolyhedron(ConvexProblem problem) : p_(std::move(problem)) {}
    int coordinate_count() const override { return static_cast<int>(p_.slope.size()); }
    int constraint_count() const override { return static_cast<int>(p_.offsets.size()); }
    bool constant_mass() const override { return true; }
    Matrix mass(const Vector& q) const override { return Matrix::Identity(q.size(), q.size()); }
    Vector gaps(double, const Vector& q) const override { return p_.walls * q + p_.offsets; }
    Matrix gap_gradients(double, const Vector&) const override { return p_.walls; }
    GapShape gap_shape(int) const override { return GapShape::affine; }
    Vector force(double, const Vector& q, const Vector& v) const override {
        return -potential_gradient(q) - p_.gamma * v;
    }
    std::optional<double> potential(const Vector& q) const override {
        return 0.5 * q.dot(p_.hessian * q) + p_.slope.dot(q) + (p_.bumps * q).array().cosh().log().sum();
    }
    Vector potential_gradient(const Vector& q) const override {
        return p_.hessian * q + p_.slope + p_.bumps.transpose() * (p_.bumps * q).array().tanh().matrix();
    }
    Matrix potential_hessian(const Vector& q) const override {
        const Vector weights = (p_.bumps * q).array().cosh().square().inverse();
        return p_.hessian + p_.bumps.transpose() * weights.asDiagonal() * p_.bumps;
    }
    bool convex_potential() const override { return true; }
    double damping() const override { return p_.gamma; }

private:
    ConvexProblem p_;
};

inline Matrix random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
    return Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

/// Walls at random distances around the origin, which is inside; a random convex potential.
inline ConvexProblem random_problem(std::uint64_t seed, double gamma) {
    Random random(seed, 3);
    const Eigen::Index n = 1 + static_cast<Eigen::Index>(random.uniform(0, 4));
    const Eigen::Index walls = 1 + static_cast<Eigen::Index>(random.uniform(0, 6));
    const Matrix root = random_matrix(random, n, n);
    ConvexProblem problem;
    problem.hessian = root.transpose() * root;
    problem.walls = random_matrix(random, walls, n);
    problem.bumps = random_matrix(random, 2, n);
    problem.slope = 3.0 * random_matrix(random, n, 1);
    problem.offsets = Vector::NullaryExpr(walls, [&] { return random.uniform(0.05, 1.0); });
    problem.gamma = gamma;
    return problem;
}

/// Coordinates on a line or in space held by A q + b >= 0 alone, without forces.
inline ConvexProblem walls_alone(const Matrix& walls, const Vector& offsets) {
    const Eigen::Index n = walls.cols();
    return {Matrix::Zero(n, n), walls, Matrix::Zero(0, n), Vector::Zero(n), offsets, 0.0};
}

}  // namespace talus::lagrange::test
