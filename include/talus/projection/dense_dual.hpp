#pragma once

#include <Eigen/Core>
#include <vector>

#include "talus/projection/solver.hpp"

namespace talus {

/// min 1/2 y' A y + b' y over y >= 0 with A = N' N, which is the dual of the shortest x with N' x + b >= 0;
/// x = N y. By the dual active-set method of Goldfarb and Idnani 1983, "A numerically stable dual method for
/// solving strictly convex quadratic programs", in dense matrices with an updated QR factorisation of the
/// active columns. A may be singular (columns of N that depend on each other, more columns than rows); then x
/// is unique and y is one of the solutions. Work: about n^2 for each change of the active set, n m for each
/// look at the rows; several hundred rows are no trouble.
class DenseDual {
public:
    /// @param normals N (n, m), @param b (m). Columns may have any length; a column of zeros holds if b >= 0.
    /// @param max_iterations steps of the active set, >= 1.
    /// @return infeasible if no x satisfies all rows (blame() proves it); max_iterations leaves the last
    /// iterate, which satisfies the active rows alone.
    /// @throws std::invalid_argument if sizes disagree or a number is not finite.
    Status solve(const Eigen::MatrixXd& normals, const Eigen::VectorXd& b, int max_iterations);

    const Eigen::VectorXd& multipliers() const { return y_; }  ///< y (m), >= 0
    const Eigen::VectorXd& point() const { return x_; }        ///< x (n)
    /// (m) weights d >= 0, not all zero, with N d = 0 (to rounding) and b.d < 0, after infeasible.
    const std::vector<double>& blame() const { return blame_; }
    int iterations() const { return iterations_; }

private:
    enum class Step { added, blocked, infeasible };

    void start(const Eigen::MatrixXd& normals, const Eigen::VectorXd& b);
    Status search(int max_iterations);
    Eigen::Index most_violated() const;
    /// Moves towards row p: adds it to the active set, or drops the active row that blocks the way.
    Step step_towards(Eigen::Index p, double& multiplier);
    void add(Eigen::Index p, double multiplier, const Eigen::VectorXd& turned);
    void drop(Eigen::Index place);
    void write_multipliers();

    Eigen::MatrixXd normal_;  ///< (n, m) columns of N over their lengths
    Eigen::VectorXd scale_;   ///< (m) one over the lengths; 0 for a column of zeros
    Eigen::VectorXd b_;       ///< (m) b over the lengths
    Eigen::MatrixXd q_;       ///< (n, n) orthogonal: the active columns are q_ times [r_; 0]
    Eigen::MatrixXd r_;       ///< (n, n), its first rank columns upper triangular
    Eigen::VectorXd x_, y_;
    std::vector<Eigen::Index> active_;
    std::vector<double> multiplier_;  ///< of the active rows
    std::vector<char> is_active_;     ///< (m)
    std::vector<double> blame_;
    int iterations_ = 0;
};

}  // namespace talus
