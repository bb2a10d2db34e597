#include <doctest/doctest.h>

#include "systems.hpp"
#include "talus/lagrange/projection.hpp"

using namespace talus;
using namespace talus::lagrange;
using namespace talus::lagrange::test;

namespace {

Matrix random_metric(Random& random, Eigen::Index n) {
    const Matrix root = random_matrix(random, n, n);
    return root.transpose() * root + 0.1 * Matrix::Identity(n, n);
}

/// Worst violation of the conditions of Karush, Kuhn and Tucker.
double defect(const MechanicalSystem& system, const Matrix& mass, const Vector& from,
              const Projection& found) {
    const Vector gaps = system.gaps(0.0, found.point);
    const Vector pull =
        mass * (found.point - from) - system.gap_gradients(0.0, found.point).transpose() * found.multipliers;
    return std::max({pull.cwiseAbs().maxCoeff(), -gaps.minCoeff(), -found.multipliers.minCoeff(),
                     gaps.cwiseProduct(found.multipliers).cwiseAbs().maxCoeff()});
}

}  // namespace

TEST_CASE("velocity projection in a full metric satisfies its optimality conditions") {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        Random random(seed, 7);
        const Matrix mass = random_metric(random, 5);
        const Matrix gradients = random_matrix(random, 8, 5);
        const Vector offset = Vector::NullaryExpr(8, [&] { return random.uniform(0.0, 1.0); });
        const Vector from = 3.0 * random_matrix(random, 5, 1);
        const LinearProjection u = project_linear(Eigen::LLT<Matrix>(mass), gradients, offset, from);
        REQUIRE(u.status == Status::converged);
        const Vector slack = offset + gradients * u.point;
        CHECK((mass * (u.point - from) - gradients.transpose() * u.multipliers).norm() < 1e-10);
        CHECK(slack.minCoeff() > -1e-11);
        CHECK(u.multipliers.minCoeff() >= 0.0);
        CHECK(slack.cwiseProduct(u.multipliers).cwiseAbs().maxCoeff() < 1e-10);
    }
}

TEST_CASE("the closest point outside a disc is on the ray through its centre") {
    const AroundDiscs disc({{{0.5, -0.25}, 2.0, 0.0}}, 0.0);
    const Eigen::Vector2d from(1.0, 0.5), out = from - Eigen::Vector2d(0.5, -0.25);
    const Projection found = project_position(disc, 0.0, Matrix::Identity(2, 2), from, {});
    REQUIRE(found.status == Status::converged);
    CHECK((found.point - (Eigen::Vector2d(0.5, -0.25) + 2.0 * out.normalized())).norm() < 1e-12);
    CHECK(found.multipliers[0] == doctest::Approx(2.0 - out.norm()));
}

TEST_CASE("projections onto the outside of several discs, in full metrics, are critical points") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        CAPTURE(seed);
        Random random(seed, 8);
        std::vector<Disc> discs;
        for (int k = 0; k < 3; ++k)
            discs.push_back({random_matrix(random, 2, 1), random.uniform(0.3, 1.0), 0.0});
        const AroundDiscs system(discs, 0.0);
        const Matrix mass = random_metric(random, 2);
        const Vector from = random_matrix(random, 2, 1);
        const Projection found = project_position(system, 0.0, mass, from, {1e-10, 1000});
        if (found.status == Status::infeasible)
            continue;  // linearised discs can exclude each other far inside
        REQUIRE(found.status == Status::converged);
        CHECK(defect(system, mass, from, found) < 1e-8);
    }
}

TEST_CASE("a point of the set is its own projection, to the bit") {
    const AroundDiscs disc({{{0, 0}, 1.0, 0.0}}, 0.0);
    const Vector from = Eigen::Vector2d(1.5, 0.1);
    const Projection found = project_position(disc, 0.0, Matrix::Identity(2, 2), from, {});
    CHECK(found.point == from);
    CHECK(found.multipliers[0] == 0.0);
}

TEST_CASE("walls that exclude each other are reported, and so are too few iterations") {
    const InPolyhedron empty(walls_alone(Eigen::Vector2d(1.0, -1.0), Eigen::Vector2d(-1.0, 0.0)));
    const Projection none =
        project_position(empty, 0.0, Matrix::Identity(1, 1), Vector::Constant(1, 0.5), {});
    CHECK(none.status == Status::infeasible);
    const AroundDiscs disc({{{0, 0}, 1.0, 0.0}}, 0.0);
    Matrix mass = Eigen::Vector2d(1.0, 3.0).asDiagonal();
    const Projection rough = project_position(disc, 0.0, mass, Eigen::Vector2d(0.5, 0.4), {1e-12, 2});
    CHECK(rough.status == Status::max_iterations);
    CHECK(rough.residual > 1e-12);
}
