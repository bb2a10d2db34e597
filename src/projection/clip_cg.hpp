#pragma once

#include <vector>

#include "dual_solver.hpp"

namespace talus {

/// Conjugate gradients on the rows that carry an impulse, clipped at y = 0: MPRGP (Dostal 2009, "Optimal
/// quadratic programming algorithms", chapter 5) with the full step of conjugate gradients projected onto
/// y >= 0, the direction kept without its clipped rows, and, in place of a proportioning step, a restart
/// along the whole projected slope when the rows at y = 0 that pull outweigh the free ones.
///
/// A step is kept only if it lowers the dual objective by kLeastGain |min(y, g)|^2; else a plain Gauss-Seidel
/// sweep takes its place, which lowers it by at least |change|^2 / 2. Either way every limit of the iterates
/// is a solution. One iteration is one pass over the rows that reads and pushes bodies, one that reads and
/// writes multipliers only, and three over the bodies.
class ClipCg final : public DualSolver {
public:
    using DualSolver::DualSolver;

private:
    /// Sums over the rows at an iterate; Value holds them for one row at a time or for four.
    template <class Value>
    struct RowSums {
        Value work{};     ///< b . y
        Value free{};     ///< |slope|^2 of the free rows, y > 0
        Value blocked{};  ///< |slope|^2 of the rows at y = 0 that pull, g < 0
        Value along{};    ///< slope . search_ of the free rows
        Value natural{};  ///< |min(y, g)|^2
    };
    /// Sums over the bodies in the norm of their masses.
    struct BodySums {
        double speed = 0.0;      ///< |w_|^2
        double steepest = 0.0;   ///< |w_slope_|^2
        double mixed = 0.0;      ///< w_slope_ . w_search_
        double curvature = 0.0;  ///< |w_search_|^2
    };
    /// A step along d - beta search_, where d is the slope of the free rows or the whole projected slope.
    struct Step {
        double length, beta;
        bool whole;
    };

    Status minimise() override;
    void advance();
    Step choose_step();
    /// Forms y_next_ and w_next_, and search_ and w_search_ without the rows that were clipped.
    void take(const Step& step);
    void take_rows(const RowLayout::Block& block, const Step& step);
    /// One plain sweep over (y_, w_).
    void sweep();
    /// Slopes, sums and objective at (y_, w_).
    void measure();
    RowSums<double> measure_rows(const RowLayout::Block& block);
    void sum_bodies();
    /// Adds the rows at y = 0 that pull to w_slope_.
    void push_blocked();
    /// w_ and w_search_ afresh from y_ and search_.
    void rebuild();

    double objective_ = 0.0;
    bool restart_ = true;
    RowSums<double> rows_;
    BodySums bodies_;
    std::vector<double> slope_, search_, y_next_;      ///< (m)
    std::vector<Packed> w_next_, w_slope_, w_search_;  ///< (k) M^-1 G' S of y_next_, d, search_
    std::vector<RowSums<double>> row_sums_;            ///< one a block
    std::vector<BodySums> body_sums_;                  ///< one a chunk
};

}  // namespace talus
