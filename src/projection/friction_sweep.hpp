#pragma once

#include <span>
#include <vector>

#include "friction_rows.hpp"
#include "momentum.hpp"

namespace talus {

/// Iterates of a friction solver and the Gauss-Seidel sweep that solves one contact after the other exactly.
/// One sweep is one pass over the contacts; it minimises the dual objective contact by contact for the
/// relaxation.
template <FrictionKind kind>
class FrictionSweep {
public:
    explicit FrictionSweep(const FrictionRows& rows) : rows_(rows) {}

    /// Starts from the impulses y, in place, and the motion they cause. Both iterates are the same then.
    void start();
    /// Sweeps from z = y + beta (y - y_old), the same for motions; the result is in y_old and motion_old.
    SweepSums<double> sweep(double beta);
    /// The result of the last sweep becomes y, and y becomes y_old.
    void accept();
    /// Both motions afresh from their impulses. Both, or momentum amplifies the drift of the one left out.
    void rebuild();

    std::vector<Packed> y;       ///< (m) [sqrt(kg) m/s]
    std::vector<Motion> motion;  ///< (k) that y causes

private:
    /// Gives momentum to the bodies that no block before this one has touched; returns their travel.
    double open_bodies(Index block, double beta);
    SweepSums<double> relax_contacts(const RowLayout::Block& block, double beta);

    const FrictionRows& rows_;
    std::vector<Packed> y_old_;
    std::vector<Motion> motion_old_;
    std::vector<SweepSums<double>> block_sums_;
};

}  // namespace talus
