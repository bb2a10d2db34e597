#include <doctest/doctest.h>

#include <cmath>

#include "talus/core/random.hpp"
#include "talus/projection/dense_dual.hpp"

using namespace talus;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

namespace {

Matrix random_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
    return Matrix::NullaryExpr(rows, columns, [&] { return random.normal(); });
}

/// Worst violation of y >= 0, N'x + b >= 0, their complementarity and x = N y.
double defect(const Matrix& normals, const Vector& b, const DenseDual& dual) {
    const Vector& y = dual.multipliers();
    const Vector slope = normals.transpose() * dual.point() + b;
    return std::max({-y.minCoeff(), -slope.minCoeff(), y.cwiseProduct(slope).cwiseAbs().maxCoeff(),
                     (normals * y - dual.point()).cwiseAbs().maxCoeff()});
}

}  // namespace

TEST_CASE("optimality conditions hold on random problems, with more rows than unknowns and copies of rows") {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed, 0);
        const Eigen::Index n = 1 + static_cast<Eigen::Index>(random.uniform(0, 12));
        const Eigen::Index m = 1 + static_cast<Eigen::Index>(random.uniform(0, 30));
        Matrix normals = random_matrix(random, n, m);
        normals.col(m - 1) = 3.0 * normals.col(0);
        const Vector inside = random_matrix(random, n, 1);  // satisfies every row
        Vector b = -normals.transpose() * inside;
        for (double& value : b) value += std::max(0.0, random.normal());
        DenseDual dual;
        REQUIRE(dual.solve(normals, b, 1000) == Status::converged);
        CHECK(defect(normals, b, dual) < 1e-10 * (1.0 + dual.multipliers().maxCoeff()));
    }
}

TEST_CASE("rows that exclude each other are reported with weights that prove it") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed, 1);
        Matrix normals = random_matrix(random, 4, 7);
        const Vector weights = Vector::NullaryExpr(6, [&] { return random.uniform(0.5, 2.0); });
        normals.col(6) = -normals.leftCols(6) * weights;
        Vector b = random_matrix(random, 7, 1);
        b[6] = -b.head(6).dot(weights) - 0.1;  // the weighted sum of all rows is -0.1 >= 0
        DenseDual dual;
        REQUIRE(dual.solve(normals, b, 1000) == Status::infeasible);
        const Vector blame = Eigen::Map<const Vector>(dual.blame().data(), 7);
        CHECK(blame.minCoeff() >= 0.0);
        CHECK((normals * blame).norm() < 1e-9 * blame.norm());
        CHECK(b.dot(blame) < 0.0);
    }
}

TEST_CASE("four hundred rows of a chain of contacts carry the load of all that lie above") {
    // Column of m unit masses: row c says u_c - u_{c-1} >= 0 and every free velocity is -1, so y_c is the
    // impulse that stops the m - c masses from c on.
    const Eigen::Index m = 400;
    Matrix normals = Matrix::Identity(m, m);
    for (Eigen::Index c = 1; c < m; ++c) normals(c - 1, c) = -1.0;
    const Vector b = normals.transpose() * Vector::Constant(m, -1.0);
    DenseDual dual;
    REQUIRE(dual.solve(normals, b, 10000) == Status::converged);
    for (Eigen::Index c = 0; c < m; ++c) {
        CHECK(dual.multipliers()[c] == doctest::Approx(static_cast<double>(m - c)).epsilon(1e-12));
    }
}

TEST_CASE("a row of zeros holds when b is not negative and excludes everything when it is") {
    const Matrix normals = Matrix::Zero(2, 1);
    DenseDual dual;
    CHECK(dual.solve(normals, Vector::Constant(1, 0.5), 10) == Status::converged);
    CHECK(dual.solve(normals, Vector::Constant(1, -0.5), 10) == Status::infeasible);
}
