#pragma once

#include <vector>

#include "dual_solver.hpp"

namespace talus {

/// Accelerated projected gradient descent with backtracking on the step and adaptive restart: Mazhar, Heyn,
/// Negrut and Tasora 2015, "Using Nesterov's method to accelerate multibody dynamics", algorithm 1.
class Apgd final : public DualSolver {
public:
    using DualSolver::DualSolver;

private:
    Status minimise() override;
    /// |A 1| / |1|: the first guess of the curvature.
    double first_curvature();
    /// y_new_ = max(0, z_ - slope_ / curvature) with its w_new_; true if the objective bends more along that
    /// step than `curvature` says: sum m |w_new_ - w_z_|^2 > curvature |y_new_ - z_|^2.
    bool bent_step(double curvature);
    bool points_uphill();
    void extrapolate(double beta);
    bool is_solved_keeping_best();

    std::vector<double> slope_, z_, y_new_, y_best_;
    std::vector<Packed> w_z_, w_new_;
    double best_ = 0.0;
};

}  // namespace talus
