#pragma once

#include <vector>

#include "dual_solver.hpp"

namespace talus {

/// Uzawa's method: projected gradient on the dual with a fixed step that is certain to descend. Slow, kept as
/// the reference that can be read in one glance. Source: Maury 2006; Uzawa in Arrow, Hurwicz, Uzawa 1958.
class Uzawa final : public DualSolver {
public:
    using DualSolver::DualSolver;

private:
    Status minimise() override;
    void descend(double step);

    std::vector<double> slope_;
    std::vector<Packed> w_fresh_;
};

}  // namespace talus
